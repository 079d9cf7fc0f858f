/** One call of a read-only tool outside a loop: for a judge, for what is gathered for one, and for a reviewer's request. */
import { oncePer, remembered } from '../base/remembered.ts'
import type { EvidenceDraft } from '../domain/evidence.ts'
import { callKey, evidenceOf, textOf, toolEvidence } from './answer.ts'
import type { Toolbox, ToolCall } from './contract.ts'

export type LookedUp = {
  /** `find_references::{"symbol":"load"}`. */
  call: string
  /** What may be cited of it; the remarks of the tool are part of it, since an empty answer can decide a finding. */
  evidence: EvidenceDraft[]
  isError: boolean
}

const answersOf = oncePer((_: Toolbox) => new Map<string, Promise<LookedUp>>())

/**
 * A call that the tools refuse is answered with the reason. The same call is asked once of one toolbox. Rejects
 * only after an abort.
 */
export async function askTool(toolbox: Toolbox, wanted: ToolCall, signal: AbortSignal): Promise<LookedUp> {
  const checked = toolbox.check(wanted)
  const key = callKey(checked.ok ? checked.call : wanted)
  const call = key.slice(0, 300)
  if (!checked.ok)
    return { call, evidence: [toolEvidence(call, `(not possible: ${checked.detail})`)], isError: true }
  return await remembered(answersOf(toolbox), key, () => runTool(toolbox, checked.call, signal))
}

async function runTool(toolbox: Toolbox, wanted: ToolCall, signal: AbortSignal): Promise<LookedUp> {
  const call = callKey(wanted).slice(0, 300)
  const answer = await toolbox.run(wanted, signal)
  const found = evidenceOf(answer)
  return {
    call,
    evidence: found.length > 0 ? found : [toolEvidence(call, textOf(answer))],
    isError: answer.isError,
  }
}
