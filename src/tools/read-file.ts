/** `read_file`: a file, or some of its lines. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { fileArgument, lineArgument } from './arguments.ts'
import { defineTool, ToolError, type ToolOutput, type ToolScope } from './contract.ts'

const usualLines = 200

export const readFile = defineTool({
  name: 'read_file',
  cost: 'fair',
  about: `Lines of one file with their numbers, from line_start to line_end (the first ${usualLines} when not given). Ask for the range you need; outline_symbols shows where definitions are.`,
  args: z.object({
    path: fileArgument,
    line_start: lineArgument.optional(),
    line_end: lineArgument.optional(),
  }),
  limits: { lines: 400, lineLength: 1_000, bytes: 6 * 1024 },
  version: 1,
  keeps: true,
  async run({ path, line_start: start = 1, line_end }, { head }): Promise<ToolOutput> {
    if (line_end !== undefined && line_end < start) throw new ToolError('line_end is before line_start')
    const file = await head.read(path)
    if (!file) throw new ToolError(await whyUnread(head, path))
    const all = file.text.split('\n')
    if (all.at(-1) === '') all.pop()
    if (start > all.length) throw new ToolError(`the file has only ${count(all.length, 'line')}`)
    const end = Math.min(all.length, line_end ?? start + usualLines - 1)
    const wanted = all.slice(start - 1, end)
    return {
      lines: wanted.map((line, at) => `${start + at}: ${line}`),
      remarks: [`lines ${start} to ${end} of ${all.length}`],
      range: { path, blob: file.blob, startLine: start, endLine: end, text: wanted.join('\n') },
    }
  },
})

async function whyUnread(head: ToolScope['head'], path: string): Promise<string> {
  const entry = await head.entry(path)
  if (!entry) {
    const folder = (await head.list()).some((one) => one.path.startsWith(`${path}/`))
    return folder ? 'this is a folder; use list_dir' : 'there is no file at this path'
  }
  if (entry.mode === '160000') return 'this is a submodule: its files are not part of this repository'
  return 'the file is binary, too large, or its object is missing here'
}
