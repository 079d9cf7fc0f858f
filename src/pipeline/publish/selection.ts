/** Which findings a report shows in full, and which it only lists: one rule for every format that people or agents read. */
import { type Finding, isHearsay } from '../../domain/finding.ts'
import { isConfirmedByCode } from '../../domain/proof.ts'
import type { Review } from '../../domain/review.ts'
import type { Category } from '../../domain/severity.ts'

export type Selection = {
  /** Most important first. */
  full: readonly Finding[]
  /** The minor ones, in one list. */
  listed: readonly Finding[]
}

export type SelectedFindings = {
  fresh: Selection
  /** Problems that existed before the change, which come after all others. */
  old: Selection
}

export type SelectionOptions = {
  maxInline: number
  /** Also minor findings of models in full, as far as there is room; by default they are only listed. */
  minor?: boolean
}

/** At most `maxInline` in full, those that existed before the change in the room that the others leave. */
export function selectFindings(
  { findings }: Review,
  { maxInline, minor = false }: SelectionOptions,
): SelectedFindings {
  const fresh = findings.filter(({ preExisting }) => !preExisting)
  const old = findings.filter(({ preExisting }) => preExisting)
  return {
    fresh: select(fresh, maxInline, minor),
    old: select(old, Math.max(0, maxInline - fresh.length), minor),
  }
}

/** What is likely to be important (`inFull`), the rest in a list; with `minor` everything, as far as there is room. */
function select(findings: readonly Finding[], most: number, minor: boolean): Selection {
  const full = (minor ? findings : findings.filter(isImportant)).slice(0, most)
  const isFull = new Set(full)
  return { full, listed: findings.filter((finding) => !isFull.has(finding)) }
}

/** A review of an earlier version does not say: there, what a model calls low is minor, unless code confirmed it. */
function isImportant(finding: Finding): boolean {
  return finding.inFull ?? (finding.severity !== 'low' || !isHearsay(finding) || isConfirmedByCode(finding))
}

/** More than so many in full are listed first, by what they lead to, so that twenty can be read. */
const fewAtOnce = 5

export type Consequence = { title: string; findings: readonly Finding[] }

const consequences: Readonly<Record<Category, string>> = {
  security: 'Security',
  correctness: 'Wrong results and failures',
  contract: 'Broken callers and clients',
  performance: 'Cost',
  tests: 'Tests',
  documentation: 'Documentation',
  maintainability: 'Upkeep',
}

/** The group of the most important one first; empty where there are so few that they can be read as they come. */
export function byConsequence(full: readonly Finding[]): Consequence[] {
  if (full.length <= fewAtOnce) return []
  return [...Map.groupBy(full, ({ category }) => category)].map(([category, findings]) => ({
    title: consequences[category],
    findings,
  }))
}
