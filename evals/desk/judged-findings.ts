/** What blind judges said of our findings, each with what code knew of it: what the choice of findings is fitted to. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Finding, featuresOf, type Review } from '../../src/index.ts'
import { EvaluationError } from '../base/errors.ts'
import { openRunFolder } from '../run/run-folder.ts'
import { placeOf } from '../scores/places.ts'
import { fileNameOf, SheetJudgement, SheetKey, Truth } from './sheet.ts'

export const JudgedFinding = z.object({
  case: z.string(),
  /** `owner/name`: findings of one repository are held out together. */
  repo: z.string(),
  severity: z.string(),
  category: z.string(),
  features: z.array(z.string()),
  truth: Truth,
})
export type JudgedFinding = z.infer<typeof JudgedFinding>

/**
 * Of every arm of the sheets that is an evaluation folder of ours, the findings that are new with the change. A finding that says what
 * another one of its arm says is left out: which of the two is important is one judgement. Throws `evaluation-unreadable`.
 */
export function judgedFindings(sheets: string): JudgedFinding[] {
  const arms = z
    .array(z.string())
    .parse(read(join(sheets, 'arms.json')))
    .filter((path) => !path.endsWith('.jsonl'))
  const runs = arms.map((path) => ({ name: path.split('/').at(-1) ?? path, run: openRunFolder(path) }))
  const keys = readdirSync(join(sheets, 'keys')).map((name) =>
    SheetKey.parse(read(join(sheets, 'keys', name))),
  )
  return keys.flatMap((key) => {
    const ours = key.findings.filter(({ arm }) => runs.some(({ name }) => name === arm))
    if (ours.length === 0) return []
    const judgement = SheetJudgement.parse(read(join(sheets, fileNameOf(key.case), 'judgement.json')))
    const said = new Map(judgement.findings.map((one) => [one.finding, one]))
    const armOf = new Map(key.findings.map(({ name, arm }) => [name, arm]))
    return ours.flatMap(({ name, arm, finding }): JudgedFinding[] => {
      const run = runs.find((one) => one.name === arm)?.run
      const review = run?.find(key.case)?.review
      const repo = run?.cases.find(({ id }) => id === key.case)?.repo
      const judged = said.get(name)
      if (!review || repo === undefined || !judged) return []
      if (judged.same_as !== null && armOf.get(judged.same_as) === arm) return []
      const own = review.findings.find((one) => isAt(one, finding))
      if (!own || own.preExisting) return []
      return [{ case: key.case, repo, ...rowOf(own, review), truth: judged.truth }]
    })
  })
}

export function rowOf(
  finding: Finding,
  review: Review,
): Pick<JudgedFinding, 'severity' | 'category' | 'features'> {
  const { severity, category } = finding
  return { severity, category, features: featuresOf(finding, review.refutations ?? []) }
}

function isAt(one: Finding, { title, file, startLine }: SheetKey['findings'][number]['finding']): boolean {
  const place = placeOf(one)
  return one.title === title && place.file === file && place.start === startLine
}

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new EvaluationError('evaluation-unreadable', `${file}: ${why.slice(0, 500)}`, { cause: error })
  }
}
