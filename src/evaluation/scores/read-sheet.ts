/** Scores from wherever they are: the folder of an evaluation, or a sheet that was written to a file. */
import { readFileSync, statSync } from 'node:fs'
import { UserError } from '../../base/errors.ts'
import { openRunFolder } from '../run/run-folder.ts'
import { ScoreSheet } from './case-score.ts'
import { scoreRun, usualTolerance } from './score-run.ts'

/** Throws `evaluation-unreadable`. */
export function readSheet(place: string, tolerance: number = usualTolerance): ScoreSheet {
  try {
    if (statSync(place).isDirectory()) return scoreRun(openRunFolder(place), tolerance)
    return ScoreSheet.parse(JSON.parse(readFileSync(place, 'utf8')))
  } catch (error) {
    if (error instanceof UserError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new UserError('evaluation-unreadable', `${place}: ${why.slice(0, 500)}`, { cause: error })
  }
}
