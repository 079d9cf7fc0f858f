/** What a file uses of other packages: its imports, and what it calls and reads through the names that they bind. */
import type { ImportFact, Reference } from '../../../code-index/contract.ts'
import type { PackageUse, PackageUseShape, ParsedFile } from './contract.ts'
import { exportName, memberName } from './names.ts'

/** What an import names, of which module; null for what is no other package. */
export type ImportTarget = { key: string; package: string; module: string; symbol: string | null }

/** More than these of one file are not kept. */
const mostUses = 2_000

type Bound = { target: string; isModule: boolean; source: ImportTarget; isGuarded: boolean }

export function usesOf(
  ecosystem: string,
  file: ParsedFile,
  targetOf: (fact: ImportFact) => ImportTarget | null,
  isGuarded: (fact: ImportFact) => boolean,
): PackageUse[] {
  const found = new Map<string, PackageUse>()
  const bound = new Map<string, Bound>()
  const add = (from: Bound, at: { line: number; endLine: number }, shape: Partial<PackageUseShape>) => {
    const whole: PackageUseShape = {
      ecosystem,
      target: from.target,
      role: 'import',
      by: 'name',
      call: null,
      isGuarded: from.isGuarded,
      ...shape,
    }
    const key = JSON.stringify(whole)
    if (found.has(key) || found.size >= mostUses) return
    const place = { path: file.path, line: at.line, endLine: Math.max(at.line, at.endLine) }
    found.set(key, {
      ...place,
      key: from.source.key,
      name: whole.target,
      how: wordsOf(whole, from),
      shape: whole,
    })
  }
  for (const fact of file.facts.imports) {
    const source = targetOf(fact)
    if (!source) continue
    const target =
      source.symbol === null ? source.module : exportName(ecosystem, source.module, source.symbol)
    const one = { target, isModule: source.symbol === null, source, isGuarded: isGuarded(fact) }
    add(one, { line: fact.line, endLine: fact.line }, { by: source.symbol === null ? 'module' : 'name' })
    if (fact.local !== null && !fact.reexport && !bound.has(fact.local)) bound.set(fact.local, one)
  }
  if (bound.size > 0) followNames(ecosystem, file, bound, add)
  return [...found.values()]
}

type Add = (from: Bound, at: { line: number; endLine: number }, shape: Partial<PackageUseShape>) => void

function followNames(ecosystem: string, file: ParsedFile, bound: ReadonlyMap<string, Bound>, add: Add): void {
  const hidden = new Set(
    file.facts.references.flatMap(({ receiver, shadowed, name, line }) =>
      receiver === null && shadowed ? [`${line} ${name}`] : [],
    ),
  )
  const typeOf = typesIn(ecosystem, file, bound)
  for (const reference of file.facts.references) {
    const { name, receiver, role, call, shadowed } = reference
    if (role === 'import' || role === 'export') continue
    const follows = role === 'call' ? ({ role: 'call', call } as const) : ({ role: 'read' } as const)
    if (receiver === null) {
      const one = shadowed ? undefined : bound.get(name)
      if (one && !one.isModule && role === 'call') add(one, reference, follows)
      continue
    }
    const [root = ''] = receiver.split(/\.|::/, 1)
    const isHidden = hidden.has(`${reference.line} ${root}`)
    const through = isHidden ? null : boundTo(ecosystem, bound, receiver)
    if (through) {
      const target = through.isModule
        ? exportName(ecosystem, through.target, name)
        : memberName(ecosystem, through.target, name)
      add({ ...through, target }, reference, { ...follows, by: through.by })
      continue
    }
    const type = typeOf(reference)
    if (type) {
      const target = memberName(ecosystem, type.target, name)
      add({ ...type, target }, reference, { ...follows, by: 'type' })
    }
  }
}

type Value = Bound & { by: 'member' | 'module' }

/** `api`, `api.Client`, `acme.deep`: a module, or an export of one. */
function boundTo(ecosystem: string, bound: ReadonlyMap<string, Bound>, text: string): Value | null {
  const whole = bound.get(text)
  if (whole) return { ...whole, by: whole.isModule ? 'module' : 'member' }
  const dot = text.search(/(?:\.|::)[^.:]*$/)
  const outer = dot < 0 ? undefined : bound.get(text.slice(0, dot))
  if (!outer?.isModule) return null
  const target = exportName(ecosystem, outer.target, text.slice(dot).replace(/^[.:]+/, ''))
  return { ...outer, target, isModule: false, by: 'module' }
}

/** The imported type of a receiver, where the file writes it down and no other type for the same name. */
function typesIn(
  ecosystem: string,
  file: ParsedFile,
  bound: ReadonlyMap<string, Bound>,
): (reference: Reference) => Bound | null {
  const { typedNames, parents } = file.facts
  const byName = Map.groupBy(typedNames, ({ name }) => name)
  return ({ receiver, enclosing }) => {
    const [, self, name] = /^((?:this|self|cls)\.)?(\w+)$/.exec(receiver ?? '') ?? []
    const around = new Set<number | null>([null])
    for (let at = enclosing; at !== null; at = parents[at] ?? null) around.add(at)
    const typed = (byName.get(name ?? '') ?? []).filter(
      (one) => self !== undefined || around.has(one.enclosing),
    )
    const [first] = typed
    if (!first || typed.some(({ type }) => type !== first.type)) return null
    const type = boundTo(ecosystem, bound, first.type)
    return type && !type.isModule ? type : null
  }
}

function wordsOf({ role, by, target }: PackageUseShape, { source }: Bound): string {
  if (role === 'import') return `imported from \`${source.module}\``
  if (by === 'type') return `used through a value whose type is imported from \`${source.module}\``
  const verb = role === 'call' ? 'called' : 'used'
  return by === 'module'
    ? `${verb} through \`${source.module}\`, which is imported`
    : `${verb} as \`${target}\``
}
