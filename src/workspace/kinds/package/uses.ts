/** What a file uses of other packages: its imports, and what it calls and reads through the names that they bind. */
import type { ImportFact, Reference } from '../../../code-index/contract.ts'
import { endOfBracket } from '../reading/code-text.ts'
import type { PackageUse, PackageUseShape, ParsedFile } from './contract.ts'
import { exportName, memberName, wholeOf } from './names.ts'
import { useList } from './use-list.ts'

/** What an import names, of which module; null for what is no other package. */
export type ImportTarget = { key: string; package: string; module: string; symbol: string | null }

type Bound = { target: string; isModule: boolean; source: ImportTarget; isGuarded: boolean }

export function usesOf(
  ecosystem: string,
  file: ParsedFile,
  targetOf: (fact: ImportFact) => ImportTarget | null,
  isGuarded: (fact: ImportFact) => boolean = () => false,
): PackageUse[] {
  const bound = new Map<string, Bound>()
  const uses = useList(ecosystem, file.path)
  const add: Add = (from, at, shape) => {
    const { target, isGuarded, source } = from
    uses.add(source.key, at, { target, isGuarded, ...shape }, (whole) => wordsOf(whole, from))
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
  return uses.all()
}

type Add = (from: Bound, at: { line: number; endLine: number }, shape: Partial<PackageUseShape>) => void

function followNames(ecosystem: string, file: ParsedFile, bound: ReadonlyMap<string, Bound>, add: Add): void {
  const hidden = new Set(
    file.facts.references.flatMap(({ receiver, shadowed, name, line }) =>
      receiver === null && shadowed ? [`${line} ${name}`] : [],
    ),
  )
  const typeOf = typesIn(ecosystem, file, bound)
  const resultOf = resultsIn(ecosystem, file, bound)
  for (const reference of file.facts.references) {
    const { name, receiver, role, call, shadowed } = reference
    if (role === 'import' || role === 'export') continue
    const follows = role === 'call' ? ({ role: 'call', call } as const) : ({ role: 'read' } as const)
    if (receiver === null) {
      const one = shadowed ? undefined : bound.get(name)
      if (!one || role !== 'call') continue
      const target = one.isModule ? wholeOf(ecosystem, one.target) : one.target
      if (target !== null)
        add({ ...one, target }, reference, { ...follows, by: one.isModule ? 'module' : 'name' })
      continue
    }
    const [root = ''] = receiver.split(/\.|::/, 1)
    const isHidden = hidden.has(`${reference.line} ${root}`)
    const through = isHidden ? null : boundTo(ecosystem, bound, receiver)
    if (through) {
      const target = joined(ecosystem, through, name)
      add({ ...through, target }, reference, { ...follows, by: through.by })
      continue
    }
    const type = typeOf(reference) ?? resultOf(reference)
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
  const byName = Map.groupBy(file.facts.typedNames, ({ name }) => name)
  return ({ receiver, enclosing }) => {
    const [, self, name] = /^((?:this|self|cls)\.)?(\w+)$/.exec(receiver ?? '') ?? []
    const around = symbolsAround(enclosing, file)
    const typed = (byName.get(name ?? '') ?? []).filter(
      (one) => self !== undefined || around.has(one.enclosing),
    )
    const [first] = typed
    if (!first || typed.some(({ type }) => type !== first.type)) return null
    const type = boundTo(ecosystem, bound, first.type)
    return type && !type.isModule ? type : null
  }
}

/** Variables that are given the result of an imported function: `sub, err := kit.Run("a")`. */
function resultsIn(
  ecosystem: string,
  file: ParsedFile,
  bound: ReadonlyMap<string, Bound>,
): (reference: Reference) => Bound | null {
  const { references, typedNames } = file.facts
  const lines = file.text.split('\n')
  const found = new Map<string, { enclosing: number | null; value: Bound }[]>()
  for (const { name, receiver, role, line, enclosing, shadowed } of references) {
    if (role !== 'call' || shadowed) continue
    const owner = receiver === null ? bound.get(name) : boundTo(ecosystem, bound, receiver)
    if (!owner || (receiver === null) === owner.isModule) continue
    const variable = givenIn(lines[line - 1] ?? '', receiver, name)
    if (variable === null) continue
    const target = receiver === null ? owner.target : joined(ecosystem, owner, name)
    const value = { ...owner, target: `${target}()`, isModule: false }
    found.set(variable, [...(found.get(variable) ?? []), { enclosing, value }])
  }
  const typed = new Set(typedNames.map(({ name }) => name))
  return ({ receiver, enclosing }) => {
    const all = typed.has(receiver ?? '') ? [] : (found.get(receiver ?? '') ?? [])
    const around = symbolsAround(enclosing, file)
    const near = all.filter((one) => around.has(one.enclosing))
    const [first] = near
    return first && near.every(({ value }) => value.target === first.value.target) ? first.value : null
  }
}

/** A symbol and all that it is in; null for the file. */
function symbolsAround(symbol: number | null, { facts }: ParsedFile): ReadonlySet<number | null> {
  const around = new Set<number | null>([null])
  for (let at = symbol; at !== null; at = facts.parents[at] ?? null) around.add(at)
  return around
}

function joined(ecosystem: string, { target, isModule }: Bound, name: string): string {
  return isModule ? exportName(ecosystem, target, name) : memberName(ecosystem, target, name)
}

const given =
  /^\s*(?:(?:const|let|var|val|auto|final)\s+(?:mut\s+)?)?([A-Za-z_]\w*)(?:\s*,\s*\w+)*\s*(?::[^=:]{1,100})?:?=(?![=>])\s*(?:await\s+)?/

/** The variable that a line gives the result of a call to, and nothing else is done with it. */
function givenIn(line: string, receiver: string | null, name: string): string | null {
  if (line.length > 1_000) return null
  const [start, variable] = given.exec(line) ?? []
  if (start === undefined || variable === undefined) return null
  const rest = line.slice(start.length)
  const open = rest.indexOf('(')
  const callee = receiver === null ? [name] : [`${receiver}.${name}`, `${receiver}::${name}`]
  if (open < 0 || !callee.includes(rest.slice(0, open).trim())) return null
  const after = rest.slice(endOfBracket(rest, open))
  return /^(?:\?|!|\.unwrap\(\)|\.await)*;?$/.test(after.replace(/\s/g, '')) ? variable : null
}

function wordsOf({ role, by, target }: PackageUseShape, { source }: Bound): string {
  if (role === 'import') return `imported from \`${source.module}\``
  if (by === 'type') return `used through a value whose type is imported from \`${source.module}\``
  const verb = role === 'call' ? 'called' : 'used'
  return by === 'module'
    ? `${verb} through \`${source.module}\`, which is imported`
    : `${verb} as \`${target}\``
}
