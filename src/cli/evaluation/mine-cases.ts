/** `eval mine REPOSITORY`: cases from the history of a repository, as lines of a set. */
import { exitCodes, UserError } from '../../base/errors.ts'
import type { EvalVerb } from './contract.ts'

export const mineCases: EvalVerb = {
  operands: ['REPOSITORY'],
  async run({ values, operands: [folder = ''], terminal }) {
    const { name } = values
    if (name === undefined || !/^[\w.-]+\/[\w.-]+$/.test(name))
      throw new UserError('usage', 'the cases need the name of the repository: --name OWNER/NAME')
    const { mineClean, mineFaults, withHistory, writeCase } = await import('../../evaluation/index.ts')
    const options = { repo: name, commits: values.commits ?? 2000, limit: values.limit ?? 50 }
    const lines = await withHistory(folder, async (history) =>
      values.clean
        ? (await mineClean(history, { ...options, later: 200 })).map(writeCase)
        : (await mineFaults(history, options)).map(({ case: one, fix, fixSubject }) =>
            JSON.stringify({ ...JSON.parse(writeCase(one)), fix_commit: fix, fix_subject: fixSubject }),
          ),
    )
    await terminal.result(lines.map((line) => `${line}\n`).join(''))
    return exitCodes.clean
  },
}
