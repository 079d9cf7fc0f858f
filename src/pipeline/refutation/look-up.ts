/** The look-up that a judge may ask for on a finding, as a call of a read-only tool. */
import { z } from 'zod'
import type { ToolCall } from '../../agent/contract.ts'

/** Flat, as every provider takes it; what a kind does not use is empty or null. */
export const LookUp = z.object({
  /** The finding that it would decide, by its number in the question. */
  finding: z.string(),
  what: z.enum(['lines', 'definition', 'references', 'text']),
  file: z.string(),
  /** Of `text`: the words to search for, as they are written. */
  symbol: z.string(),
  line_start: z.number().nullable(),
  line_end: z.number().nullable(),
  /** Of `lines`: `base` is the code before the change. */
  side: z.enum(['head', 'base']).nullable().default(null),
})
export type LookUp = z.infer<typeof LookUp>

export function callOf({
  what,
  file,
  symbol,
  line_start,
  line_end,
  side,
}: Omit<LookUp, 'finding'>): ToolCall {
  const path = file.trim().replace(/^\.\//, '')
  switch (what) {
    case 'lines':
      return { tool: 'read_file', args: { path, line_start, line_end, side } }
    case 'text':
      return { tool: 'grep', args: { query: symbol.trim(), path, side } }
    case 'definition':
    case 'references': {
      const args = { symbol: symbol.trim(), path: path === '' ? null : path }
      return { tool: what === 'definition' ? 'find_definition' : 'find_references', args }
    }
  }
}
