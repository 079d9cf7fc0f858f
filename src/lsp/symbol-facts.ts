/** What a reviewer asks about a changed definition: who uses it, which tests reach it, who wrote it last and what for. */
import { findExperts, type LastChange } from '../assembly/team-questions.ts'
import { UserError } from '../base/errors.ts'
import { isTestCodePath } from '../base/file-paths.ts'
import { matchGlobs } from '../base/globs.ts'
import { OutOfTime, withinSeconds } from '../base/time-budget.ts'
import { findImpact } from '../code-index/query/callers.ts'
import type { CodeTree, SymbolSite } from '../code-index/query/contract.ts'
import { findTargets, siteOf } from '../code-index/query/definitions.ts'
import type { Definition } from '../code-index/resolve/contract.ts'
import { type ChangeSet, type FileChange, pathOn } from '../domain/change-set.ts'
import { lineAcross } from '../domain/diff-lines.ts'
import type { LineRange } from '../domain/team-history.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { usersIn } from '../pipeline/context/find-reach.ts'
import { readChangeSet } from '../pipeline/diff/read-change-set.ts'
import { diffSymbols } from '../pipeline/diff/symbol-changes.ts'
import type { ReviewPlace } from './contract.ts'
import { inReviewedTree } from './reviewed-tree.ts'

export type SymbolFacts = {
  site: SymbolSite
  /** Definitions that use it, and the top level of files, as the line of their first name; without tests. */
  callers: { path: string; line: number; name: string | null }[]
  /** Test files that use it in one or two steps. */
  tests: string[]
  /** False: there may be more callers and tests than the index knows of. */
  isConclusive: boolean
  /** Null for new code, and where git could not say it in time. */
  lastChange: LastChange | null
}

/** Of the file, from 1. `hasFinding`: then what is around the line counts too, changed or not. */
export type AskedPlace = { path: string; line: number; hasFinding: boolean }

/** Steps from the definition to a test, and users of both kinds that are looked for. */
const impactLimits = { depth: 2, steps: 200 }
const historySeconds = 5

/** Null where no changed definition has its name on that line. Throws as `collect` does. */
export async function symbolFacts(place: ReviewPlace, asked: AskedPlace): Promise<SymbolFacts | null> {
  return await inReviewedTree(place, async ({ tree, change }) => {
    const { paths } = place.reviewed.config
    const changes = await readChangeSet(await change.diff(), { ...paths, base: change.base })
    const [target] = await findTargets(tree, `${asked.path}:${asked.line}`)
    if (!target || target.path !== asked.path) return null
    const site = siteOf(target)
    const file = changes.files.find(({ path }) => path === asked.path)
    if (!asked.hasFinding && (site.line !== asked.line || !file || !isChanged(file, site))) return null
    const isConfigured = matchGlobs(paths.tests)
    const isTest = (path: string) => isTestCodePath(path) || isConfigured(path)
    const [used, lastChange] = await Promise.all([
      usesOf(tree, target, isTest),
      lastChangeOf({ change, changes, file, site }, place),
    ])
    return { site, ...used, lastChange }
  })
}

async function usesOf(tree: CodeTree, target: Definition, isTest: (path: string) => boolean) {
  const impact = await findImpact(tree, target, impactLimits)
  const { users, tests } = usersIn(impact, isTest)
  const callers = users
    .filter((step) => step.depth === 1)
    .map(({ path, symbol }) => ({ path, line: symbol?.line ?? 1, name: symbol?.name ?? null }))
  const isConclusive =
    impact.unresolved === 0 &&
    impact.steps.length < impactLimits.steps &&
    impact.emptiness?.isEvidence !== false
  return { callers, tests, isConclusive }
}

/** Lines were added to it, or removed from it. */
function isChanged({ hunks, omitted }: FileChange, { startLine, endLine }: SymbolSite): boolean {
  if (omitted !== null) return false
  return hunks.some(({ lines }) => {
    let next = lines.find((line) => line.new !== null)?.new ?? 0
    return lines.some((line) => {
      if (line.new !== null) next = line.new + 1
      const at = line.new ?? next
      return line.kind !== 'context' && startLine <= at && at <= endLine
    })
  })
}

type Changed = {
  change: CollectedChange
  changes: ChangeSet
  file: FileChange | undefined
  site: SymbolSite
}

async function lastChangeOf(changed: Changed, place: ReviewPlace): Promise<LastChange | null> {
  const { session, root, signal } = place
  const before = await placeBefore(changed, place)
  if (before === null) return null
  const { environment, folders } = session.services
  try {
    return await withinSeconds(historySeconds, signal, async (bounded) => {
      const options = { folder: root, environment, cacheFolder: folders.cache, signal: bounded }
      const { last } = await findExperts(options, { ...before, at: 'HEAD', limit: 1 })
      return last[0] ?? null
    })
  } catch (error) {
    // No commit has it, or its history takes too long to read.
    if (!signal.aborted && (error instanceof UserError || error instanceof OutOfTime)) return null
    throw error
  }
}

/** Where it was in the last commit; null for what was not there. */
async function placeBefore(
  { change, changes, file, site }: Changed,
  { session }: ReviewPlace,
): Promise<{ path: string; lines: LineRange } | null> {
  const { path, line, startLine, endLine } = site
  const { base, head } = change
  const { facts } = session.services
  const symbols = file ? await diffSymbols({ change: changes, base, head, facts }) : []
  const found = symbols.find(({ after }) => after?.path === path && after.symbol.nameLine === line)
  if (found) {
    const { before } = found
    return before && { path: before.path, lines: rangeOf(before.symbol.startLine, before.symbol.endLine) }
  }
  if (!file) return { path, lines: rangeOf(startLine, endLine) }
  const [start, end] = [lineAcross(file, 'new', startLine), lineAcross(file, 'new', endLine)]
  return start === null || end === null ? null : { path: pathOn('old', file), lines: rangeOf(start, end) }
}

function rangeOf(start: number, end: number): LineRange {
  return { start, end }
}
