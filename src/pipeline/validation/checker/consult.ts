/**
 * A second look at a claim about a name, by a checker: where the index could not decide, and where a plane's claim that
 * it confirmed can be confirmed, or refuted, by somebody who knows types.
 */
import { columnsOf } from '../../../code-index/language-servers/served/judge-edge.ts'
import type { Claim } from '../../../domain/claim.ts'
import type { Candidate } from '../../../domain/finding.ts'
import { type ClaimResult, confirmed, refuted } from '../claims/contract.ts'
import { lastName } from '../claims/names.ts'
import type { Problem, Problems } from './contract.ts'
import { type Desk, errorsOn, isHushed, stoodBefore, wouldTell } from './look.ts'

type Named = {
  kind: Claim['kind']
  name: string
  path: string
  line: number
  /** The file that has, or had, what the name means; null for a name that nothing has. */
  home: string | null
  /** The index could not decide. */
  isOpen: boolean
  /** Nothing wrong with the line means that the claim is wrong: what is claimed does not compile. */
  mustFail: boolean
}

/** Lines of a call that may be complained of. */
const longestCall = 20

/** Rules of the contract plane for what no checker lets pass. */
const failing: ReadonlySet<string> = new Set([
  'contract/signature-arity',
  'contract/removed-parameter',
  'contract/required-parameter',
  'contract/import-not-exported',
  'contract/removed-symbol',
  'contract/renamed-symbol',
  'contract/moved-symbol',
])

/** The result as it was, when there is no checker or it does not know better. */
export async function consult(
  claim: Claim,
  result: ClaimResult,
  { rule, byModel }: Pick<Candidate, 'rule' | 'byModel'>,
  { checker, sources }: { checker?: Desk['checker'] | null | undefined; sources: Desk['sources'] },
): Promise<ClaimResult> {
  const isPlane = byModel !== true && rule.startsWith('contract/')
  const isOpen = result.status === 'unverifiable'
  if (!checker || result.status === 'refuted' || (!isOpen && !isPlane)) return result
  const mustFail = isPlane && failing.has(rule)
  const desk = { checker, sources }
  if (claim.kind === 'unused') return (isOpen && (await findUser(claim, desk))) || result
  const named = namedBy(claim)
  const said = named && (await look({ ...named, isOpen, mustFail }, desk))
  if (!said) return result
  return result.status === 'confirmed' && said.status === 'confirmed'
    ? confirmed(`${result.by} and ${said.by}`)
    : said
}

function namedBy(claim: Claim): Pick<Named, 'kind' | 'name' | 'path' | 'line' | 'home'> | null {
  if (claim.kind !== 'caller-not-updated' && claim.kind !== 'undefined' && claim.kind !== 'not-exported')
    return null
  const { kind, path, line } = claim
  if (kind === 'caller-not-updated')
    return { kind, path, line, name: lastName(claim.symbol), home: claim.definedIn }
  return { kind, path, line, name: claim.name, home: kind === 'not-exported' ? claim.from : null }
}

async function look(named: Named, desk: Desk): Promise<ClaimResult | null> {
  const { path, line, name } = named
  const told = await desk.checker.problems('new', path)
  const text = (await desk.sources.lines('new', path))?.[line - 1]
  if (!told || text === undefined) return null
  const columns = columnsOf(text, name)
  const errors = await errorsAbout(named, told, columns, desk)
  if (errors.length === 0) return lookUp(named, told, columns, desk)
  // Where the index takes a name for a global, a checker without the packages that bring globals knows no better.
  if (named.kind === 'undefined' && named.isOpen && !told.knowsGlobals) return null
  // What the index saw on both sides came with the change; what only the checker sees may have stood before.
  for (const error of named.isOpen ? errors : []) if (await stoodBefore(desk, error)) return null
  return confirmed(told.by)
}

async function errorsAbout(
  { kind, name, path, line }: Named,
  told: Problems,
  columns: readonly number[],
  { sources }: Desk,
): Promise<Problem[]> {
  const facts = await sources.facts('new', path)
  const ends = (facts?.references ?? []).flatMap((ref) =>
    ref.line === line && ref.name === name ? [ref.endLine] : [],
  )
  const endLine = Math.min(Math.max(line, ...ends), line + longestCall)
  const first = columns[0] ?? 0
  const isOn = (error: Problem, column: number) => error.column <= column && column < error.endColumn
  return errorsOn(told, line, endLine).filter((error) => {
    if (error.names.includes(name)) return true
    if (kind === 'caller-not-updated') return error.line > line || error.endColumn > first
    return error.line === line && columns.some((column) => isOn(error, column))
  })
}

/** Nothing is wrong with the line: then the name may simply mean something that is there. */
async function lookUp(
  { kind, name, path, line, home, mustFail }: Named,
  { by, checksTypes }: Problems,
  columns: readonly number[],
  desk: Desk,
): Promise<ClaimResult | null> {
  if (!checksTypes || columns.length === 0 || (await isHushed(desk.sources, path, line))) return null
  let isHome = false
  let other: string | null = null
  for (const column of columns) {
    const found = await desk.checker.definition({ path, line, column })
    const places = (found?.places ?? []).filter((place) => place.path !== path || place.line !== line)
    if (!found || (places.length === 0 && found.outside === 0)) return null
    isHome ||= places.some((place) => place.path === home)
    const [place] = places
    other ??= place ? `\`${place.path}:${place.line}\`` : 'a place outside the repository'
  }
  if (kind === 'undefined') return refuted(`${by} finds \`${name}\` defined in ${other}`)
  if (!isHome) return refuted(`${by} takes \`${name}\` at \`${path}:${line}\` for that of ${other}`)
  if (!mustFail || !(await wouldTell(desk, path, line))) return null
  return refuted(`${by} finds nothing wrong with \`${path}:${line}\``)
}

async function findUser(
  { name, path, line }: Extract<Claim, { kind: 'unused' }>,
  { checker, sources }: Desk,
): Promise<ClaimResult | null> {
  const text = (await sources.lines('new', path))?.[line - 1]
  const column = text === undefined ? undefined : columnsOf(text, lastName(name))[0]
  const told = column === undefined ? null : await checker.references({ path, line, column })
  const [use] = told?.places ?? []
  // That it found none proves nothing: a project may leave the file out that has the use.
  return told && use ? refuted(`${told.by} finds it used at \`${use.path}:${use.line}\``) : null
}
