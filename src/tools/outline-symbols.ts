/** `outline_symbols`: what a file defines. */

import { z } from 'zod'
import { count } from '../base/count.ts'
import type { OutlineEntry } from '../code-index/query/contract.ts'
import { outlineFile } from '../code-index/query/definitions.ts'
import { fileArgument } from './arguments.ts'
import { defineTool, ToolError, type ToolOutput } from './contract.ts'
import { kindAndSignature } from './uses.ts'

export const outlineSymbols = defineTool({
  name: 'outline_symbols',
  cost: 'cheap',
  about:
    'What a file defines, nested as it is written, with line ranges and signatures. Use it for an overview of a file before you read lines of it.',
  args: z.object({ path: fileArgument }),
  limits: { lines: 120, lineLength: 240, bytes: 6 * 1024 },
  narrow: 'grep for the name in this path',
  version: 3,
  keeps: true,
  async run({ path }, scope): Promise<ToolOutput> {
    const outline = await outlineFile(await scope.tree(), path)
    if (outline.state === 'absent') throw new ToolError('there is no file at this path')
    const lines = outline.symbols.flatMap((symbol) => told(symbol, 0))
    const size =
      outline.lines === null ? '' : `${count(outline.lines, 'line')} of ${outline.language ?? 'text'}`
    const why = outline.why ?? (lines.length === 0 ? 'the index knows no definitions in it' : null)
    return { lines, remarks: [size, why ?? ''].filter((remark) => remark !== '') }
  },
})

function told(symbol: OutlineEntry, depth: number): string[] {
  const line = `${'  '.repeat(depth)}${symbol.startLine}-${symbol.endLine} ${kindAndSignature(symbol)}`
  return [line, ...symbol.members.flatMap((member) => told(member, depth + 1))]
}
