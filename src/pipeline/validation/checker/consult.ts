/**
 * Asks a checker about a claim about a name: where the index could not decide, and where a plane's confirmed claim can
 * also be confirmed, or be refuted, by the types.
 */
import { columnsOf } from '../../../code-index/language-servers/served/judge-edge.ts'
import type { Claim } from '../../../domain/claim.ts'
import type { Candidate } from '../../../domain/finding.ts'
import { lastName } from '../claims/names.ts'
import { type ClaimResult, confirmed, refuted } from '../contract.ts'
import type { Problem, Problems } from './contract.ts'
import { type CheckerContext, errorsOn, existedBefore, isSuppressed, wouldReport } from './line-errors.ts'

type Named = {
  kind: Claim['kind']
  name: string
  path: string
  line: number
  /** The file that defines, or defined, what the name means; null for a name that nothing defines. */
  home: string | null
  /** The index could not decide. */
  isOpen: boolean
  /** If the claim is true, the line does not compile; a line without errors refutes it. */
  mustFail: boolean
}

/** Errors within so many lines belong to the call. */
const longestCall = 20

/** Rules whose findings never compile. */
const failing: ReadonlySet<string> = new Set([
  'contract/signature-arity',
  'contract/removed-parameter',
  'contract/required-parameter',
  'contract/import-not-exported',
  'contract/removed-symbol',
  'contract/renamed-symbol',
  'contract/moved-symbol',
  'new-code/unknown-export',
  'new-code/argument-count',
  'new-code/unknown-argument',
  'new-code/missing-argument',
])

/** The result unchanged when there is no checker or it has nothing to add. */
export async function consultChecker(
  claim: Claim,
  result: ClaimResult,
  { rule, byModel }: Pick<Candidate, 'rule' | 'byModel'>,
  {
    checker,
    sources,
  }: { checker?: CheckerContext['checker'] | null | undefined; sources: CheckerContext['sources'] },
): Promise<ClaimResult> {
  const isPlane = byModel !== true && /^(?:contract|new-code)\//.test(rule)
  const isOpen = result.status === 'unverifiable'
  if (!checker || result.status === 'refuted' || (!isOpen && !isPlane)) return result
  const mustFail = isPlane && failing.has(rule)
  const context = { checker, sources }
  if (claim.kind === 'unused') return (isOpen && (await findUser(claim, context))) || result
  const named = namedBy(claim)
  const answer = named && (await askForErrors({ ...named, isOpen, mustFail }, context))
  if (!answer) return result
  return result.status === 'confirmed' && answer.status === 'confirmed'
    ? { ...confirmed(`${result.by} and ${answer.by}`), second: true }
    : answer
}

function namedBy(claim: Claim): Pick<Named, 'kind' | 'name' | 'path' | 'line' | 'home'> | null {
  if (
    claim.kind !== 'caller-not-updated' &&
    claim.kind !== 'undefined' &&
    claim.kind !== 'not-exported' &&
    claim.kind !== 'call-mismatch'
  )
    return null
  const { kind, path, line } = claim
  if (kind === 'caller-not-updated')
    return { kind, path, line, name: lastName(claim.symbol), home: claim.definedIn }
  return { kind, path, line, name: claim.name, home: kind === 'not-exported' ? claim.from : null }
}

async function askForErrors(named: Named, context: CheckerContext): Promise<ClaimResult | null> {
  const { path, line, name } = named
  const report = await context.checker.problems('new', path)
  const text = (await context.sources.lines('new', path))?.[line - 1]
  if (!report || text === undefined) return null
  const columns = columnsOf(text, name)
  const errors = await errorsAbout(named, report, columns, context)
  if (errors.length === 0) return askForDefinition(named, report, columns, context)
  // For a name that may be a global, a checker without the packages that define globals knows no more than the index.
  if (named.kind === 'undefined' && named.isOpen && !report.knowsGlobals) return null
  // What the index decided came with the change; what only the checker reports may have existed before.
  for (const error of named.isOpen ? errors : []) if (await existedBefore(context, error)) return null
  return confirmed(report.by)
}

async function errorsAbout(
  { kind, name, path, line }: Named,
  report: Problems,
  columns: readonly number[],
  { sources }: CheckerContext,
): Promise<Problem[]> {
  const facts = await sources.facts('new', path)
  const ends = (facts?.references ?? []).flatMap((ref) =>
    ref.line === line && ref.name === name ? [ref.endLine] : [],
  )
  const endLine = Math.min(Math.max(line, ...ends), line + longestCall)
  const first = columns[0] ?? 0
  const isOn = (error: Problem, column: number) => error.column <= column && column < error.endColumn
  return errorsOn(report, line, endLine).filter((error) => {
    if (error.names.includes(name)) return true
    if (kind === 'caller-not-updated' || kind === 'call-mismatch')
      return error.line > line || error.endColumn > first
    return error.line === line && columns.some((column) => isOn(error, column))
  })
}

/** The line has no errors: the name may simply mean something that exists. */
async function askForDefinition(
  { kind, name, path, line, home, mustFail }: Named,
  { by, checksTypes }: Problems,
  columns: readonly number[],
  context: CheckerContext,
): Promise<ClaimResult | null> {
  if (!checksTypes || columns.length === 0 || (await isSuppressed(context.sources, path, line))) return null
  let isHome = false
  let other: string | null = null
  for (const column of columns) {
    const found = await context.checker.definition({ path, line, column })
    const places = (found?.places ?? []).filter((place) => place.path !== path || place.line !== line)
    if (!found || (places.length === 0 && found.outside === 0)) return null
    isHome ||= places.some((place) => place.path === home)
    const [place] = places
    other ??= place ? `\`${place.path}:${place.line}\`` : 'a place outside the repository'
  }
  if (kind === 'undefined') return refuted(`${by} finds \`${name}\` defined in ${other}`)
  if (!isHome && kind !== 'call-mismatch')
    return refuted(`${by} takes \`${name}\` at \`${path}:${line}\` for that of ${other}`)
  if (!mustFail || !(await wouldReport(context, path, line))) return null
  return refuted(`${by} finds nothing wrong with \`${path}:${line}\``)
}

async function findUser(
  { name, path, line }: Extract<Claim, { kind: 'unused' }>,
  { checker, sources }: CheckerContext,
): Promise<ClaimResult | null> {
  const text = (await sources.lines('new', path))?.[line - 1]
  const column = text === undefined ? undefined : columnsOf(text, lastName(name))[0]
  const found = column === undefined ? null : await checker.references({ path, line, column })
  const [use] = found?.places ?? []
  // No use found proves nothing: the project may leave out the file with the use.
  return found && use ? refuted(`${found.by} finds it used at \`${use.path}:${use.line}\``) : null
}
