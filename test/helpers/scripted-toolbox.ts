/** A toolbox whose answers are written down: for tests of the loop, which knows tools by their contract only. */
import type { Toolbox, ToolCall } from '../../src/agent/contract.ts'

export type ScriptedToolbox = Toolbox & { readonly ran: ToolCall[] }

/** `look` takes a text `at`; what it answers is `answer(at)`. Everything else is refused. */
export function scriptedToolbox(answer: (at: string) => string): ScriptedToolbox {
  const ran: ToolCall[] = []
  return {
    ran,
    guide: '`look(at)`: looks.',
    argumentTypes: { at: 'text', times: 'number' },
    check: ({ tool, args }) => {
      if (tool !== 'look') return { ok: false, fault: 'unknown-tool', detail: 'there is only look' }
      if (typeof args.at !== 'string') return { ok: false, fault: 'bad-arguments', detail: '`at` is missing' }
      return { ok: true, call: { tool, args: { at: args.at } } }
    },
    run: async (call) => {
      ran.push(call)
      return {
        call,
        text: answer(String(call.args.at)),
        isError: false,
        evidence: [],
        cached: false,
        durationMs: 1,
      }
    },
  }
}
