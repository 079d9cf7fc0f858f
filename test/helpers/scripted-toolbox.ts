/** A toolbox whose answers are written down: for tests of the loop, which knows tools by their contract only. */
import type { ToolAnswer, Toolbox, ToolCall } from '../../src/agent/contract.ts'
import { toolAnswer } from './tool-answer.ts'

/** `checked`: as the loop handed them over; `ran`: in the order in which they began. */
export type ScriptedToolbox = Toolbox & { readonly checked: ToolCall[]; readonly ran: ToolCall[] }

/** `look` takes a text `at`; what it answers, after a while, is `answer(at)`, with `more[at]` on top. Everything else is refused. */
export function scriptedToolbox(
  answer: (at: string) => string,
  wait: (at: string) => Promise<void> = async () => {},
  more: Readonly<Record<string, Partial<ToolAnswer>>> = {},
): ScriptedToolbox {
  const checked: ToolCall[] = []
  const ran: ToolCall[] = []
  return {
    checked,
    ran,
    guide: '`look(at)`: looks.',
    names: ['look'],
    argumentTypes: { at: 'text', times: 'number' },
    check: ({ tool, args }) => {
      checked.push({ tool, args })
      if (tool !== 'look') return { ok: false, fault: 'unknown-tool', detail: 'there is only look' }
      if (typeof args.at !== 'string') return { ok: false, fault: 'bad-arguments', detail: '`at` is missing' }
      return { ok: true, call: { tool, args: { at: args.at } } }
    },
    run: async (call) => {
      ran.push(call)
      await wait(String(call.args.at))
      const at = String(call.args.at)
      return toolAnswer(call, answer(at).split('\n'), more[at])
    },
  }
}
