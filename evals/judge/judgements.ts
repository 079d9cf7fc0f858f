/** What a judge said of an evaluation, kept in its folder, so that it is asked once and scored for nothing ever after. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { EvaluationError } from '../base/errors.ts'
import { canonicalJson, sha256 } from '../base/text.ts'
import type { EvalCase } from '../cases/eval-case.ts'
import type { RecordedReview } from '../run/recorded-review.ts'
import { writeWhole } from '../run/records.ts'
import type { RunFolder } from '../run/run-folder.ts'
import { placeOf } from '../scores/places.ts'
import { CaseJudgement, type Judge, type JudgedText, type JudgeQuestion } from './contract.ts'

const Kept = z.object({ judge: z.string(), question: z.string(), judgement: CaseJudgement })
type Kept = z.infer<typeof Kept>

const fileName = 'judgements.jsonl'

export type Judgements = {
  /** The name of the last judge; null when nobody judged. */
  judge: string | null
  /** Null when this very question was not judged: the review or the set has changed since. */
  of(one: EvalCase, record: RecordedReview): CaseJudgement | null
}

export function readJudgements(folder: string): Judgements {
  const kept = readKept(folder)
  const judge = kept.at(-1)?.judge ?? null
  const byQuestion = new Map(
    kept.filter((one) => one.judge === judge).map((one) => [one.question, one.judgement]),
  )
  return { judge, of: (one, record) => byQuestion.get(nameOf(questionOf(one, record))) ?? null }
}

export type JudgeReport = { asked: number; kept: number; unanswered: number }

/** Asks the judge about every reviewed case that it has not judged; rejects after an abort, with all answers so far kept. */
export async function judgeRun(run: RunFolder, judge: Judge, signal: AbortSignal): Promise<JudgeReport> {
  const others = readKept(run.folder).filter((one) => one.judge !== judge.name)
  const mine = readKept(run.folder).filter((one) => one.judge === judge.name)
  const known = new Set(mine.map(({ question }) => question))
  const report: JudgeReport = { asked: 0, kept: 0, unanswered: 0 }
  const write = () =>
    writeWhole(
      join(run.folder, fileName),
      [...others, ...mine].map((one) => `${JSON.stringify(one)}\n`).join(''),
    )
  for (const one of run.cases) {
    const record = run.find(one.id)
    if (!record?.review) continue
    const question = questionOf(one, record)
    const name = nameOf(question)
    if (known.has(name)) {
      report.kept++
      continue
    }
    const judgement = emptyJudgement(question) ?? (await judge.judge(question, signal))
    report.asked++
    if (!judgement) report.unanswered++
    else mine.push({ judge: judge.name, question: name, judgement })
    write()
  }
  write()
  return report
}

export function questionOf(one: EvalCase, { review }: RecordedReview): JudgeQuestion {
  const findings = (review?.findings ?? []).filter(({ preExisting }) => !preExisting)
  return {
    id: one.id,
    faults: one.expected.map(
      ({ place, description }): JudgedText => ({
        file: place?.file ?? null,
        startLine: place?.start ?? null,
        endLine: place?.end ?? null,
        text: description,
      }),
    ),
    findings: findings.map((finding): JudgedText => {
      const { file, start, end } = placeOf(finding)
      return { file, startLine: start, endLine: end, text: `${finding.title}\n${finding.explanation}`.trim() }
    }),
  }
}

/** Without findings there is nothing to ask. */
function emptyJudgement({ findings }: JudgeQuestion): CaseJudgement | null {
  return findings.length === 0 ? { findings: [] } : null
}

function nameOf(question: JudgeQuestion): string {
  return sha256(canonicalJson(question))
}

function readKept(folder: string): Kept[] {
  const file = join(folder, fileName)
  if (!existsSync(file)) return []
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => Kept.parse(JSON.parse(line)))
  } catch (error) {
    throw new EvaluationError('evaluation-unreadable', `${file}: it is damaged`, { cause: error })
  }
}
