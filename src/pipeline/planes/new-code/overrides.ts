/** New and changed methods that cannot stand in for what they override, or that miss its name by a slip. */
import { itemsBy } from '../../../base/grouped.ts'
import type { Definition, Language, World } from '../../../code-index/resolve/contract.ts'
import { completeResolverOf } from '../../../code-index/resolve/languages/registry.ts'
import { linesOf } from '../../../code-index/resolve/lines.ts'
import {
  isType,
  symbolOf,
  symbolsIn,
  symbolsWithin,
  typeMember,
} from '../../../code-index/resolve/symbols.ts'
import type { FileChange } from '../../../domain/change-set.ts'
import type { ReviewContext } from '../../../domain/review-context.ts'
import { whyMisfit } from '../contract/override-fit.ts'
import { isRequired } from '../contract/subtypes.ts'
import type { Misuse } from './misuse.ts'
import { nearestName } from './near-miss.ts'

const pathOf = ({ path }: FileChange) => path
const judged: ReadonlySet<string> = new Set(['python', 'typescript', 'tsx'])
const changes: ReadonlySet<string> = new Set(['added', 'renamed', 'signature-changed'])

export async function wrongOverrides(
  { change, symbols }: Pick<ReviewContext, 'change' | 'symbols'>,
  head: World,
  isForeign: (path: string) => boolean,
): Promise<Misuse[]> {
  const found: Misuse[] = []
  for (const { kind, after, language: id } of symbols) {
    const language = completeResolverOf(id)
    const [file] = after ? itemsBy(change.files, pathOf, after.path) : []
    if (!after || !file || !language || !judged.has(id) || !changes.has(kind) || isForeign(after.path))
      continue
    if (
      after.symbol.kind !== 'method' ||
      after.symbol.isTest ||
      /^__|^constructor$|^#/.test(after.symbol.name)
    )
      continue
    const method = await methodOf(head, after.path, after.symbol.scope, after.symbol.name)
    if (!method) continue
    const judgement =
      (await judgeFit(language, head, method)) ?? (await judgeName(language, head, method, kind))
    if (judgement)
      found.push({ ...judgement, file, line: after.symbol.nameLine, endLine: after.symbol.nameLine })
  }
  return found
}

type Method = { type: Definition; member: Definition }
type Judgement = Omit<Misuse, 'file' | 'line' | 'endLine'>

/** Null for overloads, and for types that are declared in parts. */
async function methodOf(head: World, path: string, scope: string, name: string): Promise<Method | null> {
  const facts = await head.facts(path)
  const names = scope.split('.')
  const own = names.pop() ?? ''
  const [type, ...more] = facts
    ? symbolsIn(path, facts, names.join('.'), own).filter((one) => isType(symbolOf(one)))
    : []
  const [member, ...overloads] = facts ? symbolsIn(path, facts, scope, name) : []
  return type && member && more.length === 0 && overloads.length === 0 ? { type, member } : null
}

async function judgeFit(
  language: Language,
  head: World,
  { type, member }: Method,
): Promise<Judgement | null> {
  const { types } = await language.baseTypes(head, type)
  const { name } = symbolOf(member)
  const meaning = await typeMember(language, head, types, name, true)
  if (meaning.kind !== 'defined' || meaning.definitions.length !== 1) return null
  const [base] = meaning.definitions
  const why =
    base && (await whyMisfit({ world: head, definition: base }, { world: head, definition: member }))
  if (!base || !why) return null
  const { path } = base
  const { nameLine: line, scope } = symbolOf(base)
  return {
    rule: 'new-code/override-parameters',
    certain: false,
    title: `\`${symbolOf(type).name}.${name}\` does not match \`${scope}.${name}\`, which it overrides: ${why}`,
    explanation: `Code that calls \`${name}\` through \`${scope}\` fails for a \`${symbolOf(type).name}\`: no call fits both definitions.`,
    remedy: `Give \`${name}\` the parameters of the base, or another name.`,
    claims: [],
    shown: [{ path, line, title: `\`${name}\` in the base` }],
  }
}

/** A new method beside which the type lacks a required one of nearly the same name. */
async function judgeName(
  language: Language,
  head: World,
  { type, member }: Method,
  kind: string,
): Promise<Judgement | null> {
  if (kind === 'signature-changed') return null
  const { name } = symbolOf(member)
  const required = new Map<string, Definition>()
  let level: readonly Definition[] = [type]
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    const bases = await Promise.all(level.map((one) => language.baseTypes(head, one)))
    // What cannot be seen may define either name.
    if (bases.some(({ open }) => open)) return null
    level = bases.flatMap(({ types }) => types)
    for (const base of level)
      for (const own of membersOf(base))
        if (await mustDefine(head, own, base)) required.set(symbolOf(own).name, own)
  }
  const meant = nearestName(name, [...required.keys()])
  const base = meant === null ? undefined : required.get(meant)
  if (meant === null || !base || required.has(name)) return null
  const found = await typeMember(language, head, [type], meant, true)
  if (
    found.kind !== 'defined' ||
    found.definitions.some((one) => one.path !== base.path || one.index !== base.index)
  )
    return null
  const inBase = await typeMember(language, head, (await language.baseTypes(head, type)).types, name, true)
  if (inBase.kind !== 'missing') return null
  const { scope, nameLine: line } = symbolOf(base)
  return {
    rule: 'new-code/override-name',
    // No claim says it, so that no second witness can.
    certain: false,
    title: `\`${symbolOf(type).name}\` defines \`${name}\`, but \`${scope}\` requires \`${meant}\``,
    explanation: `\`${symbolOf(type).name}\` does not define \`${meant}\`, which \`${scope}\` leaves to its subtypes; \`${name}\` overrides nothing.`,
    remedy: `Call it \`${meant}\`.`,
    claims: [],
    shown: [{ path: base.path, line, title: `\`${meant}\` in the base` }],
  }
}

const deepest = 8

function membersOf({ path, facts, index }: Definition): Definition[] {
  return symbolsWithin(facts, index).flatMap((at) =>
    facts.symbols[at]?.kind === 'method' ? [{ path, facts, index: at }] : [],
  )
}

async function mustDefine(head: World, member: Definition, container: Definition): Promise<boolean> {
  if (member.facts.language !== 'python') return isRequired(head, member, container)
  const { startLine, nameLine, endLine } = symbolOf(member)
  const lines = linesOf(member.facts, (await head.text(member.path)) ?? '')
  if (/@(?:\w+\.)?abstractmethod\b/.test(lines.between(startLine, nameLine + 1))) return true
  const body = lines.between(nameLine + 1, endLine + 1).trimEnd()
  return /^\s*raise NotImplementedError\b/.test(body.slice(body.lastIndexOf('\n') + 1))
}
