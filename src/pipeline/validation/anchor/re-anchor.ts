/**
 * A model's finding on code outside the diff is shown on the changed line that causes it, when there is one such line
 * only: the line of a changed symbol that the quoted code uses, as the resolver of its language says. The true place
 * stays as evidence. A name that merely looks alike is no cause.
 */
import type { FileFacts } from '../../../code-index/contract.ts'
import type { Definition, Meaning } from '../../../code-index/resolve/contract.ts'
import { resolveImport, resolveReference } from '../../../code-index/resolve/resolve.ts'
import type { SymbolChange } from '../../../domain/code-symbol.ts'
import type { Candidate } from '../../../domain/finding.ts'
import { tagOf } from '../../../domain/line-tag.ts'
import { type Bench, type Dropped, drop } from '../step.ts'
import { type CauseLine, causeLineOf } from './cause-line.ts'
import { type OutsideLine, outsideLines } from './outside-lines.ts'

/** Lines looked up for one candidate. */
const mostLines = 40

export type ReAnchored = { path: string; tag: string; note: string }

export async function reAnchor(candidate: Candidate, bench: Bench): Promise<ReAnchored | Dropped | null> {
  const outside = outsideLines(candidate, bench).slice(0, mostLines)
  const [first] = outside
  if (!first) return null
  const causes = new Map<CauseLine['line'], CauseLine & { name: string; from: OutsideLine }>()
  for (const place of outside)
    for (const { name, cause } of await causesOf(place, bench))
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

async function causesOf(
  { path, oldLine, only }: OutsideLine,
  { sources, context }: Bench,
): Promise<{ name: string; cause: CauseLine }[]> {
  const world = await sources.worldBefore()
  const basePath = context.change.files.find((file) => file.path === path)?.oldPath ?? path
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
      meaning.kind === 'defined' ? meaning.definitions.flatMap((one) => changesOf(one, context.symbols)) : [],
    )
    .flatMap((symbol) => {
      const cause = causeLineOf(symbol, context.change)
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
