/** One iteration's calls: checked, freed of repeats, capped, and run side by side. */
import { callKey } from './call-key.ts'
import type { DroppedCall, LoopLimits, ToolAnswer, Toolbox, ToolCall } from './contract.ts'

export type Batch = { answers: ToolAnswer[]; dropped: DroppedCall[] }

/** `asked` holds the keys of all calls so far and gets those of this batch. Answers come in the order of the calls. */
export async function runBatch(
  toolbox: Toolbox,
  wanted: readonly ToolCall[],
  asked: Set<string>,
  limits: Pick<LoopLimits, 'callsPerIteration' | 'calls'> & { roomBytes: number },
  signal: AbortSignal,
): Promise<Batch> {
  const accepted: ToolCall[] = []
  const dropped: DroppedCall[] = []
  for (const call of wanted) {
    const checked = toolbox.check(call)
    if (!checked.ok) {
      dropped.push({ tool: call.tool, fault: checked.fault, detail: checked.detail })
      continue
    }
    const key = callKey(checked.call)
    if (asked.has(key)) dropped.push({ tool: call.tool, fault: 'repeated', detail: key })
    else if (accepted.length >= limits.callsPerIteration || asked.size >= limits.calls)
      dropped.push({ tool: call.tool, fault: 'over-limit', detail: key })
    else {
      asked.add(key)
      accepted.push(checked.call)
    }
  }
  const answers: ToolAnswer[] = []
  let room = limits.roomBytes
  for (const answer of await Promise.all(accepted.map((call) => toolbox.run(call, signal)))) {
    const bytes = Buffer.byteLength(answer.text)
    if (bytes <= room) answers.push(answer)
    else dropped.push({ tool: answer.call.tool, fault: 'no-room', detail: callKey(answer.call) })
    room -= Math.min(room, bytes)
  }
  return { answers, dropped }
}
