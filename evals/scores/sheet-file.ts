/** Scores in a file or a folder. A file has the head in its first line and one case in each other, so that a change shows. */
import { readFileSync, statSync } from 'node:fs'
import { EvaluationError, isFixable } from '../base/errors.ts'
import { openRunFolder } from '../run/run-folder.ts'
import { ScoreSheet } from './case-score.ts'
import { defaultTolerance, scoreRun } from './score-run.ts'

/** The folder of an evaluation is scored; a file is taken as it was written. Throws `evaluation-unreadable`. */
export function readSheet(place: string, tolerance: number = defaultTolerance): ScoreSheet {
  try {
    if (statSync(place).isDirectory()) return scoreRun(openRunFolder(place), tolerance)
    const lines = readFileSync(place, 'utf8').split('\n')
    const [head, ...scores] = lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line))
    return ScoreSheet.parse({ ...Object(head), scores })
  } catch (error) {
    if (isFixable(error)) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new EvaluationError('evaluation-unreadable', `${place}: ${why.slice(0, 500)}`, { cause: error })
  }
}

export function writeSheet({ scores, ...head }: ScoreSheet): string {
  return [head, ...scores].map((line) => `${JSON.stringify(line)}\n`).join('')
}
