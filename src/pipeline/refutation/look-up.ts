/** Calls of read-only tools for a judge: the look-up that it may ask for on a finding, and what is asked for it beforehand. */
import { z } from 'zod'
import { callKey, evidenceOf, textOf, toolEvidence } from '../../agent/answer.ts'
import type { Toolbox, ToolCall } from '../../agent/contract.ts'
import type { EvidenceDraft } from '../../domain/evidence.ts'

/** Flat, as every provider takes it; what a kind does not use is empty or null. */
export const LookUp = z.object({
  /** The finding that it would decide, by its number in the question. */
  finding: z.string(),
  what: z.enum(['lines', 'definition', 'references']),
  file: z.string(),
  symbol: z.string(),
  line_start: z.number().nullable(),
  line_end: z.number().nullable(),
  /** Of `lines`: `base` is the code before the change. */
  side: z.enum(['head', 'base']).nullable().default(null),
})
export type LookUp = z.infer<typeof LookUp>

export type LookedUp = {
  /** `find_references::{"symbol":"load"}`. */
  call: string
  /** What may be cited of it; the remarks of the tool are part of it, since an empty answer can decide a finding. */
  evidence: EvidenceDraft[]
  isError: boolean
}

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
    case 'definition':
    case 'references': {
      const args = { symbol: symbol.trim(), path: path === '' ? null : path }
      return { tool: what === 'definition' ? 'find_definition' : 'find_references', args }
    }
  }
}

const asked = new WeakMap<Toolbox, Map<string, Promise<LookedUp>>>()

/**
 * A call that the tools refuse is answered with the reason. What several findings need is asked once of one toolbox. Rejects
 * only after an abort.
 */
export async function askTool(toolbox: Toolbox, wanted: ToolCall, signal: AbortSignal): Promise<LookedUp> {
  const checked = toolbox.check(wanted)
  const key = callKey(checked.ok ? checked.call : wanted)
  const call = key.slice(0, 300)
  if (!checked.ok)
    return { call, evidence: [toolEvidence(call, `(not possible: ${checked.detail})`)], isError: true }
  const answers = asked.get(toolbox) ?? new Map()
  asked.set(toolbox, answers)
  const answer = answers.get(key) ?? runTool(toolbox, checked.call, signal)
  answers.set(key, answer)
  return await answer
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
