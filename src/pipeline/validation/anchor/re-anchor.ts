/**
 * Shows a model's finding on unchanged code at the changed line that causes it, if there is exactly one: the line of a
 * changed symbol that the quoted code uses, according to the resolver of its language. The original place is kept as
 * evidence. A name that is merely spelled alike is not a cause.
 */
import type { FileFacts } from '../../../code-index/contract.ts'
import type { Definition, Meaning } from '../../../code-index/resolve/contract.ts'
import { resolveImport, resolveReference } from '../../../code-index/resolve/resolve.ts'
import {
  type ChangeSet,
  type DiffLine,
  type FileChange,
  pathOn,
  type Side,
} from '../../../domain/change-set.ts'
import type { SymbolChange } from '../../../domain/code-symbol.ts'
import { lineAcross } from '../../../domain/diff-lines.ts'
import type { Candidate } from '../../../domain/finding.ts'
import { tagOf } from '../../../domain/line-tag.ts'
import { lastName } from '../claims/names.ts'
import { type Dropped, drop, type ValidationContext } from '../contract.ts'
import { foldSpace } from './quotes.ts'

/** Lines looked up for one candidate. */
const mostLines = 40

export type ReAnchored = { path: string; tag: string; note: string }

/** `line` after the change and `oldLine` before it; `only` when a claim says which name on it counts. */
type OutsideLine = { path: string; line: number; oldLine: number; only: string | null }

type CauseLine = { file: FileChange; line: DiffLine }

export async function reAnchor(
  candidate: Candidate,
  context: ValidationContext,
): Promise<ReAnchored | Dropped | null> {
  const outside = outsideLines(candidate, context).slice(0, mostLines)
  const [first] = outside
  if (!first) return null
  const causes = new Map<CauseLine['line'], CauseLine & { name: string; from: OutsideLine }>()
  for (const place of outside)
    for (const { name, cause } of await causesOf(place, context))
      if (!causes.has(cause.line)) causes.set(cause.line, { ...cause, name, from: place })
  const [only] = causes.values()
  if (!only)
    return drop(`\`${first.path}:${first.line}\` is not part of the change, and uses nothing that changed`)
  if (causes.size > 1)
    return drop(
      `\`${first.path}:${first.line}\` is not part of the change, and ${causes.size} changed lines may cause it`,
    )
  return {
    path: only.file.path,
    tag: tagOf(only.line),
    note: `shown where \`${only.name}\` changed, which \`${only.from.path}:${only.from.line}\` uses; that line itself is not part of the change`,
  }
}

/** Unchanged lines that the finding is about: those of its claims or, without any, of its quotes, which may include more. */
function outsideLines(candidate: Candidate, { bundle, evidence }: ValidationContext): OutsideLine[] {
  const claimed = candidate.claims.flatMap((claim) =>
    claim.kind === 'caller-not-updated'
      ? outside(claim.path, claim.line, bundle.change, lastName(claim.symbol))
      : [],
  )
  if (claimed.length > 0) return claimed
  return candidate.evidence.flatMap(({ evidence: id, quote }) => {
    const item = evidence.get(id)
    if (item?.trust !== 'foreign' || item.side === 'old') return []
    const { path, startLine, source } = item
    if (path === null || startLine === null || (source !== 'file' && source !== 'diff')) return []
    const quoted = new Set(
      quote
        .split('\n')
        .map(foldSpace)
        .filter((line) => line !== ''),
    )
    const holds = (text: string) => [...quoted].some((words) => text.includes(words))
    return item.text
      .split('\n')
      .flatMap((text, at) =>
        holds(foldSpace(text)) ? outside(path, startLine + at, bundle.change, null) : [],
      )
  })
}

/** Unchanged lines only; an unchanged line of a hunk counts as outside. */
function outside(path: string, line: number, change: ChangeSet, only: string | null): OutsideLine[] {
  const oldLine = lineBefore(path, line, change)
  return oldLine === null ? [] : [{ path, line, oldLine, only }]
}

/** The number that an unchanged line had before the change; null for a changed one, and where it is not known. */
function lineBefore(path: string, line: number, change: ChangeSet): number | null {
  const file = change.files.find((one) => one.path === path)
  return file ? lineAcross(file, 'new', line) : line
}

async function causesOf(
  { path, oldLine, only }: OutsideLine,
  { sources, bundle }: ValidationContext,
): Promise<{ name: string; cause: CauseLine }[]> {
  const world = await sources.worldBefore()
  const changed = bundle.change.files.find((file) => file.path === path)
  const basePath = changed ? pathOn('old', changed) : path
  const facts = await world.facts(basePath)
  if (!facts) return []
  const place = { path: basePath, facts, enclosing: null, text: await world.text(basePath) }
  const meanings: Meaning[] = []
  for (const reference of facts.references)
    if (reference.line === oldLine && !reference.shadowed && (only === null || reference.name === only))
      meanings.push(await resolveReference(world, place, reference))
  for (const fact of facts.imports)
    if (fact.line === oldLine && (only === null || fact.imported === only || fact.local === only))
      meanings.push(await resolveImport(world, place, fact))
  return meanings
    .flatMap((meaning) =>
      meaning.kind === 'defined' ? meaning.definitions.flatMap((one) => changesOf(one, bundle.symbols)) : [],
    )
    .flatMap((symbol) => {
      const cause = causeLineOf(symbol, bundle.change)
      return cause ? [{ name: symbol.before?.symbol.name ?? '', cause }] : []
    })
}

function changesOf({ path, facts, index }: Definition, symbols: readonly SymbolChange[]): SymbolChange[] {
  const defined: FileFacts['symbols'][number] | undefined = facts.symbols[index]
  return symbols.filter(
    ({ before }) =>
      before?.path === path &&
      before.symbol.name === defined?.name &&
      before.symbol.startLine === defined.startLine &&
      before.symbol.scope === defined.scope,
  )
}

/**
 * The changed line that represents a symbol's change: the line with its name, or else the first that differs. Null when
 * the diff shows no such line, and for a body that changed in several places.
 */
function causeLineOf({ kind, before, after }: SymbolChange, change: ChangeSet): CauseLine | null {
  const sides = [
    ...(after ? [{ side: 'new' as const, ...after }] : []),
    ...(before ? [{ side: 'old' as const, ...before }] : []),
  ]
  for (const { side, path, symbol } of sides) {
    const file = change.files.find((one) => pathOn(side, one) === path)
    if (!file) continue
    const own = changedLines(file, side, symbol.startLine, symbol.endLine)
    if (kind === 'body-changed' && !isOneRun(file, own)) return null
    const line = own.find((one) => one[side] === symbol.nameLine) ?? own[0]
    if (line) return { file, line }
  }
  return null
}

/** Changed lines of the file on this side, from `first` to `last`. */
function changedLines(file: FileChange, side: Side, first: number, last: number): DiffLine[] {
  return file.hunks
    .flatMap(({ lines }) => lines)
    .filter((line) => {
      const number = line[side]
      return line.kind !== 'context' && number !== null && first <= number && number <= last
    })
}

/** No unchanged line between the first and the last of them. */
function isOneRun(file: FileChange, lines: readonly DiffLine[]): boolean {
  return file.hunks.some((hunk) => {
    const at = lines.map((line) => hunk.lines.indexOf(line))
    if (at.some((index) => index < 0)) return false
    return hunk.lines.slice(Math.min(...at), Math.max(...at) + 1).every((line) => line.kind !== 'context')
  })
}
