/** Reviews the cases of a folder with the answer desk open, and says how it went. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../../src/index.ts'
import { type DeskAnswerer, openAnswerDesk } from '../desk/answer-desk.ts'
import { deskFolder } from '../desk/arms.ts'
import { deskReviewer } from '../desk/desk-reviewer.ts'
import { finishedFile } from '../desk/next-question.ts'
import { writeWhole } from '../run/records.ts'
import type { RunFolder } from '../run/run-folder.ts'
import { runSet } from '../run/run-set.ts'
import type { EvaluationCall } from './contract.ts'
import { reportTo } from './run.ts'

/** `answerer`: answers before a reader is asked. Resolves to the exit code; cases that are reviewed already are kept. */
export async function reviewAtDesk(
  { values, output, signal }: EvaluationCall,
  run: RunFolder,
  answerer?: DeskAnswerer,
): Promise<number> {
  const { folder } = run
  const { settings } = run.head
  const questions = join(folder, deskFolder)
  const finished = join(questions, finishedFile)
  rmSync(finished, { force: true })
  const desk = await openAnswerDesk(questions, answerer)
  output.note(`Questions appear in ${questions}.`)
  try {
    const { reviewed, kept, failed } = await runSet({
      run,
      reviewer: deskReviewer(desk, join(folder, 'settings'), { settings, fresh: values.fresh }),
      mirrors: values.mirrors ?? null,
      jobs: values.jobs,
      budget: null,
      signal,
      onCase: reportTo(output),
    })
    output.note(`${reviewed} reviewed, ${kept} kept from before, ${failed.length} failed`)
    for (const { id, reason } of failed) output.note(`${id}: ${reason}`)
    return failed.length > 0 ? exitCodes.incomplete : exitCodes.clean
  } finally {
    desk.close()
    writeWhole(finished, '')
  }
}
