/** Ruby: gems by `*.gemspec`, their constants and the public methods of these. */
import { isTestPath, isVendoredPath } from '../../../../base/file-paths.ts'
import type { Reference } from '../../../../code-index/contract.ts'
import type { World } from '../../../../code-index/resolve/contract.ts'
import type { Pin, SourceFile, SourceTree } from '../../../contract.ts'
import { placeAt } from '../../../places.ts'
import { worldOf } from '../../tree-world.ts'
import type {
  BrokenExport,
  Ecosystem,
  PackageUse,
  PackageUseShape,
  ProvidedExport,
  Publisher,
} from '../contract.ts'
import { declaredSurface } from '../declared.ts'
import { escaped, foldersAbove, inFolder, lineWith, manifestsAbove, pinAbove } from '../manifests.ts'
import { memberName } from '../names.ts'
import { namesDefinedIn, packageEntry } from '../surface.ts'
import { useList } from '../use-list.ts'

const id = 'gems'
const mostFiles = 400

export const gems: Ecosystem = {
  id,
  mayProvide: (path) =>
    (/\.rb$/.test(path) && !isTestPath(path) && !isVendoredPath(path)) || path.endsWith('.gemspec'),
  mayUse: (path) => /\.(?:rb|rake|ru)$/.test(path) && !isVendoredPath(path),
  provided,
  uses,
  isMeant,
  pin,
  // A constant is looked up when the line runs.
  refusesMissing: () => false,
}

async function gemAbove(world: World, path: string): Promise<Publisher | null> {
  for (const folder of foldersAbove(path)) {
    const at = world.paths.filesIn(folder).find((one) => one.endsWith('.gemspec'))
    if (at === undefined) continue
    const text = (await world.text(at)) ?? ''
    const named = /\.name\s*=\s*["']([\w.-]{1,100})["']/
    const name = named.exec(text)?.[1]
    return name === undefined ? null : { name, folder, path: at, line: lineWith(text, named) ?? 1 }
  }
  return null
}

/** Makes methods whose names are not written as definitions. */
const makesMethods =
  /\b(?:define_method|method_missing|class_eval|instance_eval|module_eval|delegate|def_delegators?|extend|include|prepend|const_missing)\b/
/** The same of constants. */
const makesConstants = /\b(?:const_missing|const_set|class_eval|module_eval)\b/
const loadedLater = /\bautoload[ (]{1,4}:(\w{1,100})/g

async function provided(world: World, changed: readonly string[]): Promise<ProvidedExport[]> {
  const found: ProvidedExport[] = []
  const gemsFound = new Map<string, Publisher>()
  for (const path of changed) {
    const gem = await gemAbove(world, path)
    if (gem) gemsFound.set(gem.name, gem)
  }
  const defined = await namesDefinedIn(world, changed)
  for (const gem of gemsFound.values()) {
    const { name, folder, path, line } = gem
    const library = inFolder(folder, 'lib/')
    const paths = changed.filter(
      (one) => one.startsWith(library) && one.endsWith('.rb') && !isTestPath(one) && world.paths.has(one),
    )
    const facts = await world.factsOf(paths.slice(0, mostFiles))
    const files = [...facts].map(([at, own]) => ({ path: at, facts: own }))
    const texts = await world.texts(paths)
    const tops = new Set(
      files.flatMap((file) => file.facts.symbols.filter(({ scope }) => scope === '').map((one) => one.name)),
    )
    const keys = [...tops].map((top) => `gems:${top}`)
    found.push(packageEntry(id, gem, keys, defined))
    const makes = (what: RegExp) =>
      facts.size < paths.length || [...texts.values()].some((text) => what.test(text))
    const isOpen = makes(makesMethods)
    const later = [...texts.values()].flatMap((text) =>
      [...text.matchAll(loadedLater)].map(([, one = '']) => one),
    )
    const surface = declaredSurface({
      ...{ ecosystem: id, package: name, keys, name: '', files, isOpen: makes(makesConstants) },
      // What is loaded when it is first asked for may lie in another gem.
      also: [...new Set(later)],
      place: placeAt(path, line),
      isExported: ({ kind, visibility }) =>
        (kind === 'class' || kind === 'module' || kind === 'constant') && visibility === 'exported',
      constructorName: () => 'initialize',
    })
    found.push(...surface.map((one) => (isOpen ? opened(one) : one)))
  }
  return found
}

function opened(one: ProvidedExport): ProvidedExport {
  const { shape } = one
  return shape.is === 'export' && shape.thing
    ? { ...one, shape: { ...shape, thing: { ...shape.thing, isOpen: true } } }
    : one
}

function uses(file: SourceFile): PackageUse[] {
  const { facts, path } = file
  if (facts?.language !== 'ruby') return []
  const uses = useList(id, path)
  const add = (target: string, at: Reference, more: Partial<PackageUseShape>) => {
    const top = target.split('::', 1)[0]?.split('.', 1)[0] ?? ''
    uses.add(`gems:${top}`, at, { target, role: 'read', by: 'member', ...more }, ({ by }) =>
      by === 'type' ? 'called on an instance that is made here' : 'used by its name',
    )
  }
  const types = Map.groupBy(facts.typedNames, ({ name }) => name)
  const lines = file.text.split('\n')
  for (const reference of facts.references) {
    const { receiver, name, role, call } = reference
    if (receiver === null) {
      if (/^[A-Z]/.test(name)) add(name, reference, {})
      continue
    }
    const constant = /^(?:::)?([A-Z]\w*(?:::[A-Z]\w*)*)$/.exec(receiver)?.[1]
    if (constant !== undefined) {
      if (/^[A-Z]/.test(name)) {
        const target = `${constant}::${name}`
        if (!isOuterAlone(lines[reference.line - 1] ?? '', target)) add(target, reference, {})
      } else if (name === 'new') add(constant, reference, { role: 'call', call })
      else add(memberName(id, constant, name), reference, { role: role === 'call' ? 'call' : 'read', call })
      continue
    }
    const typed = types.get(receiver) ?? []
    const [first] = typed
    if (first && typed.every(({ type }) => type === first.type) && /^[A-Z]/.test(first.type))
      add(memberName(id, first.type.replace(/^::/, ''), name), reference, {
        role: role === 'call' ? 'call' : 'read',
        by: 'type',
        call,
      })
  }
  return uses.all()
}

/** Only names within it are used there: `Rack::Handler::Own` may be a constant of whoever writes it. */
function isOuterAlone(line: string, target: string): boolean {
  const after = line.split(target).slice(1)
  return after.length > 0 && after.every((rest) => /^::[A-Z]/.test(rest))
}

const lists = /^(?:Gemfile|gems\.rb|.*\.gemspec)$/

async function isMeant({ shape }: BrokenExport, use: PackageUse, tree: SourceTree): Promise<boolean> {
  const world = await worldOf(tree)
  const gem = escaped(shape.package)
  const text = (await world.text(use.path)) ?? ''
  // What another gem depends on is in no list.
  if (new RegExp(`^\\s{0,40}require[ (]\\s{0,4}["']${gem}["'/]`, 'm').test(text)) return true
  const texts = await world.texts(manifestsAbove(world, use.path, (name) => lists.test(name)))
  const named = new RegExp(`["']${gem}["']`)
  return [...texts.values()].some(
    (text) => named.test(text) && !new RegExp(`\\.name\\s*=\\s*["']${gem}["']`).test(text),
  )
}

async function pin({ shape }: BrokenExport, use: PackageUse, tree: SourceTree): Promise<Pin | null> {
  const name = escaped(shape.package)
  return await pinAbove(await worldOf(tree), use.path, [
    {
      isList: (one) => one === 'Gemfile.lock',
      named: new RegExp(`^ {4}${name} \\(`),
      version: /\(([^()]{1,100})\)/,
    },
    {
      isList: (one) => lists.test(one),
      named: new RegExp(`["']${name}["']\\s*,`),
      version: new RegExp(`["']${name}["']\\s*,\\s*["']([^"']+)["']`),
    },
  ])
}
