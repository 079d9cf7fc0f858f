/** Every call has a key of its own, so that none is ever known already. */
import type { ToolCall } from '../../../../src/agent/contract.ts'

export * from '../../../../src/agent/answer.ts'

let number = 0

export function callKey({ tool }: ToolCall): string {
  return `${tool}::${number++}`
}
