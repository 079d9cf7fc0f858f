/** One key for one question, however its arguments are ordered. */
import { canonicalJson } from '../base/canonical-json.ts'
import type { ToolCall } from './contract.ts'

/** `tool::{"a":1,"b":2}`. */
export function callKey({ tool, args }: ToolCall): string {
  return `${tool}::${canonicalJson(args)}`
}
