/** `read_file`: a file, or some of its lines, after or before the change. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import { isGeneratedPath, isLockPath, isMinifiedPath } from '../base/file-paths.ts'
import { fileArgument, lineArgument, sideArgument } from './arguments.ts'
import { defineTool, ToolError, type ToolOutput } from './contract.ts'
import { whyAbsent } from './why-absent.ts'

const defaultLines = 200

export const readFile = defineTool({
  name: 'read_file',
  cost: 'fair',
  about: `Lines of one file with their numbers, from line_start to line_end (${defaultLines} lines when line_end is not given). side base shows the file as it was before the change. Ask for the range you need; outline_symbols shows where definitions are.`,
  args: z.object({
    path: fileArgument,
    line_start: lineArgument.optional(),
    line_end: lineArgument.optional(),
    side: sideArgument,
  }),
  limits: { lines: 400, lineLength: 1_000, bytes: 16 * 1024 },
  narrow: 'ask for fewer lines',
  version: 2,
  keeps: true,
  knowsChange: true,
  async run({ path, line_start: start = 1, line_end, side }, scope): Promise<ToolOutput> {
    if (line_end !== undefined && line_end < start) throw new ToolError('line_end is before line_start')
    const tree = side === 'base' ? scope.base : scope.head
    const before = scope.surroundings.changed.find((one) => one.path === path)?.oldPath
    const from = (side === 'base' && before) || path
    const file = await tree.read(from)
    if (!file) throw new ToolError(await whyAbsent(scope, side, from))
    const all = file.text.split('\n')
    if (all.at(-1) === '') all.pop()
    if (start > all.length) throw new ToolError(`the file has only ${count(all.length, 'line')}`)
    const end = Math.min(all.length, line_end ?? start + defaultLines - 1)
    const wanted = all.slice(start - 1, end)
    const goesOn = line_end === undefined && end < all.length
    const kind = kindOf(path)
    return {
      lines: wanted.map((line, at) => `${start + at}: ${line}`),
      remarks: [
        `${side === 'base' ? `${from} before the change; ` : ''}the file has ${count(all.length, 'line')}${goesOn ? `; go on with line_start ${end + 1}` : ''}`,
        ...(kind ? [`a ${kind} file`] : []),
      ],
      isPartial: goesOn,
      ranges: [
        {
          title: `read ${from}`,
          at: 0,
          path: from,
          blob: file.blob,
          side: side === 'base' ? 'old' : 'new',
          startLine: start,
          lines: wanted,
        },
      ],
    }
  },
})

/** For files that no person wrote. */
function kindOf(path: string): string | null {
  if (isGeneratedPath(path)) return 'generated'
  if (isLockPath(path)) return 'lock'
  return isMinifiedPath(path) ? 'minified' : null
}
