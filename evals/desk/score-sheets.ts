/** What blind judges found, arm by arm: a pure function of sheets, keys and judgements. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { EvaluationError } from '../base/errors.ts'
import { type Arm, type ArmFinding, readArm } from './arms.ts'
import { fileNameOf, SheetJudgement, SheetKey, type Truth } from './sheet.ts'

type Judged = {
  arm: string
  at: number
  finding: ArmFinding
  known: number | null
  truth: z.infer<typeof Truth>
  /** It says what an earlier finding of the same arm says. */
  repeated: boolean
  /** The first finding of the sheet, of any arm, that says the same. */
  says: string
  /** What it says in all: the first findings that say each of it. */
  names: readonly string[]
}

export type JudgedCase = {
  id: string
  known: number
  /** The known faults that the judge found to be defects of this change. */
  confirmed: ReadonlySet<number>
  findings: readonly Judged[]
}

export type ArmScore = {
  arm: string
  /** `all` cases, or those of one source. */
  cases: number
  /** Findings in full. Unless it says otherwise, all else is about these. */
  shown: number
  /** Findings that a report only lists. */
  listed: number
  known: number
  found: number
  /** Of the known faults, those that a finding in full or in the list describes. */
  foundInAll: number
  recall: number | null
  /** Findings that describe a known fault. */
  precision: number | null
  f1: number | null
  /** The same over the first five findings of each change. */
  f1First5: number | null
  /** Known faults that the judge confirmed as defects of the change, those found, and F1 of the first five against them. */
  confirmed: number
  confirmedFound: number
  confirmedF1First5: number | null
  isTrue: number | null
  important: number | null
  /** Different important problems, in full or listed, of all that any arm found in the cases of this one. */
  importantFound: number
  /** Those of them in full. */
  importantShown: number
  importantInPool: number
  /** Of the first five in full: the share of important ones, and of all important problems those they name, as F1. */
  importantF1First5: number | null
  /** Critical or high findings that the judge found false, of all critical or high ones. */
  high: number
  falseHigh: number
  /** Findings on changes without a known fault, for each of those changes. */
  onClean: number | null
  questions: number
  /** Bytes of all prompts of a review, as sent, and of them those that no earlier prompt of the review begins with. */
  bytes: number | null
  newBytes: number | null
}

export type DeskScores = { scores: readonly (ArmScore & { part: string })[]; unjudged: readonly string[] }

/** Throws `evaluation-unreadable` for a sheet whose judgement does not fit it. */
export function scoreSheets(folder: string): DeskScores {
  const read = <Kept>(file: string, schema: z.ZodType<Kept>): Kept => {
    try {
      return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new EvaluationError('evaluation-unreadable', `${file}: ${why.slice(0, 500)}`, { cause: error })
    }
  }
  const arms = read(join(folder, 'arms.json'), z.array(z.string())).map(readArm)
  const keys = readdirSync(join(folder, 'keys')).map((name) => read(join(folder, 'keys', name), SheetKey))
  const unjudged: string[] = []
  const cases = keys.flatMap((key): JudgedCase[] => {
    const file = join(folder, fileNameOf(key.case), 'judgement.json')
    const needed = key.findings.length > 0 || key.known > 0
    if (needed && !existsSync(file)) {
      unjudged.push(key.case)
      return []
    }
    const judgement = needed ? read(file, SheetJudgement) : { faults: [], findings: [] }
    const findings = judgedOf(key, judgement.findings, file)
    return [{ id: key.case, known: key.known, confirmed: confirmedOf(key, judgement.faults, file), findings }]
  })
  const parts = [...new Set(cases.map(({ id }) => partOf(id)))].sort()
  const scores = arms.flatMap((arm) =>
    ['all', ...parts].flatMap((part) => {
      const own = cases.filter(({ id }) => arm.findings.has(id) && (part === 'all' || partOf(id) === part))
      return own.length > 0 ? [{ part, ...scoreArm(arm, own) }] : []
    }),
  )
  return { scores, unjudged }
}

/** The first part of a case's id: the list it comes from. */
function partOf(id: string): string {
  return id.split('/')[0] ?? id
}

function confirmedOf(key: SheetKey, faults: SheetJudgement['faults'], file: string): Set<number> {
  const said = new Map(faults.map(({ known, truth }) => [known, truth]))
  const numbers = Array.from({ length: key.known }, (_, at) => at + 1)
  const silent = numbers.find((number) => !said.has(number))
  if (silent !== undefined)
    throw new EvaluationError(
      'evaluation-unreadable',
      `${file}: nothing is said of the known fault ${silent}`,
    )
  return new Set(numbers.filter((number) => ['important', 'minor'].includes(said.get(number) ?? '')))
}

function judgedOf(key: SheetKey, judgement: SheetJudgement['findings'], file: string): Judged[] {
  const said = new Map(judgement.map((one) => [one.finding, one]))
  const armOf = new Map(key.findings.map(({ name, arm }) => [name, arm]))
  /** The first of all findings that say the same. */
  const firstOf = (name: string): string => {
    const before = said.get(name)?.same_as ?? null
    return before === null || before === name ? name : firstOf(before)
  }
  const told = new Set<string>()
  const byRank = [...key.findings].sort((a, b) => a.at - b.at)
  return byRank.map(({ name, arm, at, finding }) => {
    const one = said.get(name)
    if (!one) throw new EvaluationError('evaluation-unreadable', `${file}: nothing is said of ${name}`)
    if (one.known !== null && one.known > key.known)
      throw new EvaluationError('evaluation-unreadable', `${file}: ${name}: there is no K${one.known}`)
    const says = firstOf(name)
    const saying = `${armOf.get(name)} ${says}`
    const repeated = told.has(saying)
    told.add(saying)
    const names = one.also?.length ? [...new Set(one.also.map(firstOf))] : [says]
    return { arm, at, finding, known: one.known, truth: one.truth, repeated, says, names }
  })
}

function scoreArm(arm: Arm, cases: readonly JudgedCase[]): ArmScore {
  const whole = cases.map((one) => ({ ...one, findings: one.findings.filter((f) => f.arm === arm.name) }))
  const own = whole.map((one) => ({ ...one, findings: one.findings.filter((f) => !f.finding.listed) }))
  const all = own.flatMap(({ findings }) => findings)
  const known = own.reduce((sum, one) => sum + one.known, 0)
  const matched = match(own)
  const firstFive = own.map((one) => ({ ...one, findings: one.findings.filter(({ at }) => at < 5) }))
  const first = match(firstFive)
  const confirmed = match(own.map(onlyConfirmed))
  const high = all.filter(({ finding }) => ['critical', 'high'].includes(finding.severity))
  const clean = own.filter((one) => one.known === 0)
  const efforts = own.flatMap(({ id }) => arm.effort.get(id) ?? [])
  const perReview = (total: (effort: (typeof efforts)[number]) => number) =>
    efforts.length === 0 ? null : efforts.reduce((sum, one) => sum + total(one), 0) / efforts.length
  const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)
  return {
    arm: arm.name,
    cases: own.length,
    shown: all.length,
    listed: sumOf(whole.map(({ findings }) => findings.length)) - all.length,
    known,
    found: matched.found,
    foundInAll: match(whole).found,
    recall: matched.recall,
    precision: matched.precision,
    f1: matched.f1,
    f1First5: first.f1,
    confirmed: sumOf(own.map((one) => one.confirmed.size)),
    confirmedFound: confirmed.found,
    confirmedF1First5: match(firstFive.map(onlyConfirmed)).f1,
    isTrue: share(all, ({ truth }) => truth === 'important' || truth === 'minor' || truth === 'pre-existing'),
    important: share(all, ({ truth }) => truth === 'important'),
    importantFound: countImportant(cases, whole),
    importantShown: countImportant(cases, own),
    importantInPool: sumOf(cases.map((one) => importantOf(one).size)),
    importantF1First5: harmonic(
      countImportant(cases, firstFive) / sumOf(cases.map((one) => importantOf(one).size)),
      share(
        firstFive.flatMap(({ findings }) => findings),
        ({ truth }) => truth === 'important',
      ),
    ),
    high: high.length,
    falseHigh: high.filter(({ truth }) => truth === 'false').length,
    onClean: clean.length === 0 ? null : sumOf(clean.map(({ findings }) => findings.length)) / clean.length,
    questions: sumOf(efforts.map(({ questions }) => questions.length)),
    bytes: perReview(({ questions }) => sumOf(questions.map(({ bytes }) => bytes))),
    newBytes: perReview(({ questions }) => sumOf(questions.map(({ newBytes }) => newBytes))),
  }
}

/** As if the list held nothing but what the judge confirmed. */
function onlyConfirmed(one: JudgedCase): JudgedCase {
  const kept = (known: number | null) => (known !== null && one.confirmed.has(known) ? known : null)
  const findings = one.findings.map((finding) => ({ ...finding, known: kept(finding.known) }))
  return { ...one, known: one.confirmed.size, findings }
}

/** Different problems of a case that a judge called important, in whichever arm's words; of several in one, each by itself. */
function importantOf({ findings }: JudgedCase): Set<string> {
  const single = findings.filter(({ truth, names, says }) => truth === 'important' && names.includes(says))
  return new Set(single.map(({ says }) => says))
}

/** How many of the important problems of all arms these findings name, case by case. */
function countImportant(cases: readonly JudgedCase[], named: readonly JudgedCase[]): number {
  return cases.reduce((sum, one, at) => {
    const important = importantOf(one)
    const said = new Set((named[at]?.findings ?? []).flatMap(({ names }) => names))
    return sum + [...said].filter((says) => important.has(says)).length
  }, 0)
}

/** Only changes with known faults count: elsewhere nothing could be matched. */
function match(cases: readonly JudgedCase[]) {
  const faulty = cases.filter(({ known }) => known > 0)
  const known = faulty.reduce((sum, one) => sum + one.known, 0)
  const found = faulty.reduce(
    (sum, { findings }) => sum + new Set(findings.flatMap((one) => one.known ?? [])).size,
    0,
  )
  const shown = faulty.flatMap(({ findings }) => findings)
  const right = shown.filter((one) => one.known !== null && !one.repeated)
  const recall = known === 0 ? null : found / known
  const precision = shown.length === 0 ? null : right.length / shown.length
  return { found, recall, precision, f1: harmonic(recall, precision) }
}

function harmonic(recall: number | null, precision: number | null): number | null {
  if (recall === null || precision === null || !(recall + precision > 0)) return null
  return (2 * recall * precision) / (recall + precision)
}

function share<One>(all: readonly One[], holds: (one: One) => boolean): number | null {
  return all.length === 0 ? null : all.filter(holds).length / all.length
}
