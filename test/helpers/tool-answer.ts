/** An answer of a tool, for tests of what reads one: complete and not empty unless said otherwise. */
import type { ToolAnswer, ToolCall } from '../../src/agent/contract.ts'

export function toolAnswer(
  call: ToolCall,
  lines: readonly string[],
  more: Partial<ToolAnswer> = {},
): ToolAnswer {
  return {
    call,
    lines,
    ranges: [],
    total: lines.length,
    shortened: 0,
    remarks: [],
    narrow: 'narrow it',
    isPartial: false,
    isConclusive: false,
    isError: false,
    cached: false,
    durationMs: 1,
    ...more,
  }
}
