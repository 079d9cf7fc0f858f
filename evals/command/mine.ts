/** `mine REPOSITORY`: cases from the history of a repository, as lines of a set. */
import { exitCodes } from '../../src/index.ts'
import { EvaluationError } from '../base/errors.ts'
import { writeCase } from '../cases/formats/own.ts'
import { openHistory } from '../mine/history.ts'
import { mineClean } from '../mine/mine-clean.ts'
import { mineFaults } from '../mine/mine-faults.ts'
import type { EvaluationCommand } from './contract.ts'

/** Later commits that must have left the lines of a clean change alone. */
const laterCommits = 200

export const mineCommand: EvaluationCommand = {
  summary: 'Print cases found in the history of a repository.',
  operands: ['REPOSITORY'],
  async run({ values, operands: [folder = ''], output }) {
    const { name, commits, limit } = values
    if (name === undefined || !/^[\w.-]+\/[\w.-]+$/.test(name))
      throw new EvaluationError('usage', 'the cases need the name of the repository: --name OWNER/NAME')
    const options = { repo: name, commits, limit }
    const history = await openHistory(folder)
    const lines = values.clean
      ? (await mineClean(history, { ...options, later: laterCommits })).map(writeCase)
      : (await mineFaults(history, options)).map(({ case: one, fix, fixSubject }) =>
          JSON.stringify({ ...JSON.parse(writeCase(one)), fix_commit: fix, fix_subject: fixSubject }),
        )
    output.result(lines.map((line) => `${line}\n`).join(''))
    return exitCodes.clean
  },
}
