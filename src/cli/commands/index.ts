/** `sightline index`: builds or refreshes the index that questions about code are answered from. */
import { count } from '../../base/count.ts'
import { exitCodes, UserError } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { flag, text } from '../input/options.ts'
import { asciiJson } from '../output/ascii-json.ts'
import { describeGarbage, describeIndex, describeStatus } from '../questions/describe-index.ts'
import type { Terminal } from '../terminal.ts'

export const index = defineCommand({
  name: 'index',
  summary: 'Build or refresh the index that questions about code are answered from.',
  operand: null,
  options: {
    at: text('REF', 'The commit to index; HEAD when not given.'),
    status: flag('Only say how much of it is indexed.'),
    'collect-garbage': flag('Only remove what no snapshot used for thirty days, of every repository.'),
    json: flag('Print the report as JSON.'),
    repo: text('PATH', 'The repository; the one around the current folder when not given.'),
  },
  examples: [
    'sightline index  # once; later runs read what is new',
    'sightline index --at v1.0 --status  # how much of a tag is indexed',
  ],
  async run({ values, terminal, signal }) {
    const collects = values['collect-garbage']
    if (collects && (values.status || values.at !== undefined || values.repo !== undefined))
      throw new UserError('usage', '--collect-garbage is for all repositories; give it alone.')
    const { collectIndexGarbage, indexCode, readIndexStatus } = await import('../../index.ts')
    const print = async <Report>(report: Report, describe: (report: Report) => string): Promise<number> => {
      await terminal.result(values.json ? `${asciiJson(report, 2)}\n` : describe(report))
      return exitCodes.clean
    }
    if (collects) return print(collectIndexGarbage(), describeGarbage)
    const options = { folder: values.repo ?? process.cwd(), at: { ref: values.at ?? 'HEAD' }, signal }
    if (values.status) return print(await readIndexStatus(options), describeStatus)
    const report = await indexCode(options, showProgress(terminal))
    return print(report, describeIndex)
  },
})

/** One line that is drawn again and again, where that can be seen. */
function showProgress(terminal: Terminal): (done: number, total: number) => void {
  return (done, total) => {
    if (terminal.animated)
      terminal.note(`\r${done} of ${count(total, 'file')} read${done === total ? '\n' : ''}`)
  }
}
