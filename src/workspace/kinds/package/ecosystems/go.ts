/** Go: modules by `go.mod`, and the exported identifiers of their packages by import path. */
import { folderOf, isTestPath, isVendoredPath } from '../../../../base/file-paths.ts'
import type { ImportFact } from '../../../../code-index/contract.ts'
import type { World } from '../../../../code-index/resolve/contract.ts'
import type { Pin, SourceFile, SourceTree } from '../../../contract.ts'
import { placeAt } from '../../../places.ts'
import { worldOf } from '../../tree-world.ts'
import type { BrokenExport, Ecosystem, PackageUse, ProvidedExport, Publisher } from '../contract.ts'
import { declaredSurface } from '../declared.ts'
import { escaped, foldersAbove, inFolder, lineWith, manifestsAbove } from '../manifests.ts'
import { namesDefinedIn, packageEntry } from '../surface.ts'
import { type ImportTarget, usesOf } from '../uses.ts'

const id = 'go'

export const go: Ecosystem = {
  id,
  mayProvide: (path) =>
    (/\.go$/.test(path) && !isTestPath(path) && !isVendoredPath(path)) || isManifest(path),
  mayUse: (path) => /\.go$/.test(path) && !isVendoredPath(path),
  provided,
  uses,
  isMeant,
  pin,
  refusesMissing: () => true,
}

function isManifest(path: string): boolean {
  return /(?:^|\/)go\.mod$/.test(path)
}

/** `github.com/acme/kit`: what is one repository on most hosts. */
function keyOf(path: string): string {
  const parts = path.split('/')
  return `go:${parts.slice(0, (parts[0] ?? '').includes('.') ? 3 : 1).join('/')}`
}

async function moduleAbove(world: World, path: string): Promise<Publisher | null> {
  const folder = foldersAbove(path).find((one) => world.paths.has(inFolder(one, 'go.mod')))
  if (folder === undefined) return null
  return await world.once(`go module ${folder}`, async () => {
    const at = inFolder(folder, 'go.mod')
    const text = (await world.text(at)) ?? ''
    const name = /^module\s+"?([^\s"]{1,300})/m.exec(text)?.[1]
    return name === undefined ? null : { name, folder, path: at, line: lineWith(text, /^module\s/) ?? 1 }
  })
}

async function provided(world: World, changed: readonly string[]): Promise<ProvidedExport[]> {
  const modules = new Map<string, Publisher>()
  const folders = new Map<string, Publisher>()
  for (const path of changed) {
    const module = await moduleAbove(world, path)
    if (!module) continue
    modules.set(module.name, module)
    if (!isManifest(path)) folders.set(folderOf(path), module)
  }
  const defined = await namesDefinedIn(world, changed)
  const found = [...modules.values()].map((module) => packageEntry(id, module, [keyOf(module.name)], defined))
  for (const [folder, module] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const inside = folder.slice(module.folder === '' ? 0 : module.folder.length + 1)
    if (/(?:^|\/)(?:internal|testdata|examples?)(?:\/|$)/.test(inside)) continue
    const paths = world.paths.filesIn(folder).filter((path) => /\.go$/.test(path) && !isTestPath(path))
    const files = [...(await world.factsOf(paths))].map(([path, facts]) => ({ path, facts }))
    const [first] = files
    if (!first || files.some(({ facts }) => facts.packageName === 'main')) continue
    const name = inside === '' ? module.name : `${module.name}/${inside}`
    found.push(
      ...declaredSurface({
        ...{ ecosystem: id, package: module.name, keys: [keyOf(module.name)], name, files },
        place: placeAt(first.path, 1),
        isOpen: files.length < paths.length || files.some(({ facts }) => facts.errorLines.length > 0),
      }),
    )
  }
  return found
}

function uses(file: SourceFile): PackageUse[] {
  return file.facts?.language === 'go' ? usesOf(id, { ...file, facts: file.facts }, targetOf) : []
}

/** The standard library has no host in its paths. */
function targetOf({ source }: ImportFact): ImportTarget | null {
  if (!/^[\w-]+(?:\.[\w-]+)+\/[\w./~-]{1,300}$/.test(source)) return null
  return { key: keyOf(source), package: source, module: source, symbol: null }
}

async function isMeant({ shape }: BrokenExport, use: PackageUse, tree: SourceTree): Promise<boolean> {
  const world = await worldOf(tree)
  const own = await moduleAbove(world, use.path)
  if (!own) return true
  return own.name !== shape.package && (await requiredIn(world, use.path, shape.package)) !== null
}

async function requiredIn(world: World, from: string, name: string): Promise<Pin | null> {
  const [path] = manifestsAbove(world, from, (one) => one === 'go.mod')
  const text = path === undefined ? null : await world.text(path)
  if (path === undefined || text === null) return null
  const pattern = new RegExp(`^\\s*(?:require\\s+)?${escaped(name)}\\s+(v\\S+)`)
  const line = lineWith(text, pattern)
  const version = pattern.exec(text.split('\n')[(line ?? 1) - 1] ?? '')?.[1]
  return line === null || version === undefined ? null : { version, path, line }
}

async function pin({ shape }: BrokenExport, use: PackageUse, tree: SourceTree): Promise<Pin | null> {
  return await requiredIn(await worldOf(tree), use.path, shape.package)
}
