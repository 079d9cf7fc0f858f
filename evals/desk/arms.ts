/**
 * The sides that are compared: an evaluation folder of ours, or a file of findings that another reviewer wrote down
 * (JSON lines: `{"case": …, "findings": [{"file", "startLine", "endLine", "severity", "title", "explanation"}]}`).
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { defaultConfig, type Finding, selectFindings } from '../../src/index.ts'
import { EvaluationError, messageOf } from '../base/errors.ts'
import type { EvalCase } from '../cases/eval-case.ts'
import { openRunFolder } from '../run/run-folder.ts'
import { placeOf } from '../scores/places.ts'
import { QuestionSize, questionFolders } from './answer-desk.ts'

/** One finding as a judge sees it, in the order in which its reviewer shows it. */
export const ArmFinding = z.object({
  file: z.string(),
  startLine: z.number().int(),
  endLine: z.number().int(),
  severity: z.string(),
  title: z.string(),
  explanation: z.string(),
  /** A report lists it in one line and does not show it in full. */
  listed: z.boolean().optional(),
})
export type ArmFinding = z.infer<typeof ArmFinding>

/** What one review of a case took; null for a reviewer that is not ours. */
export type ArmEffort = { questions: readonly QuestionSize[] }

export type Arm = {
  name: string
  /** The cases it reviewed, if it knows them whole. */
  cases: readonly EvalCase[]
  findings: ReadonlyMap<string, readonly ArmFinding[]>
  effort: ReadonlyMap<string, ArmEffort>
}

/** The folder of questions inside an evaluation folder. */
export const deskFolder = 'desk'

/** The folder of one case's questions: the first 12 digits of its head. */
export function deskNameOf(head: string): string {
  return head.slice(0, 12)
}

/** Named after the last part of its path. Throws `evaluation-unreadable`. */
export function readArm(path: string): Arm {
  const name = basename(path).replace(/\.jsonl$/, '')
  return statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? ourArm(path, name)
    : writtenArm(path, name)
}

function ourArm(path: string, name: string): Arm {
  const run = openRunFolder(path)
  const findings = new Map<string, ArmFinding[]>()
  const effort = new Map<string, ArmEffort>()
  for (const one of run.cases) {
    const review = run.find(one.id)?.review
    if (!review) continue
    const { full, listed } = selectFindings(review, { maxInline: defaultConfig.review.maxInline }).fresh
    const written = (finding: Finding): ArmFinding => {
      const { file, start, end } = placeOf(finding)
      const { severity, title, explanation } = finding
      return { file, startLine: start, endLine: end, severity, title, explanation }
    }
    findings.set(one.id, [
      ...full.map(written),
      ...listed.map((finding) => ({ ...written(finding), listed: true })),
    ])
    effort.set(one.id, { questions: sizesIn(join(path, deskFolder, deskNameOf(one.head))) })
  }
  return { name, cases: run.cases, findings, effort }
}

function sizesIn(folder: string): QuestionSize[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(folder).flatMap((role) =>
    questionFolders(join(folder, role)).map((question) =>
      QuestionSize.parse(JSON.parse(readFileSync(join(question, 'size.json'), 'utf8'))),
    ),
  )
}

const Written = z.object({ case: z.string(), findings: z.array(ArmFinding) })

function writtenArm(path: string, name: string): Arm {
  try {
    const lines = readFileSync(path, 'utf8').split('\n')
    const records = lines.filter((line) => line.trim() !== '').map((line) => Written.parse(JSON.parse(line)))
    const findings = new Map(records.map((record) => [record.case, record.findings]))
    return { name, cases: [], findings, effort: new Map() }
  } catch (error) {
    throw new EvaluationError('evaluation-unreadable', `${path}: ${messageOf(error)}`, { cause: error })
  }
}
