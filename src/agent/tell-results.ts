/** What the model reads of an iteration: each answer under its call, foreign text fenced, drops told in a line each. */
import { callKey } from './call-key.ts'
import type { DroppedCall } from './contract.ts'
import type { Batch } from './run-batch.ts'

const reasons: Readonly<Record<DroppedCall['fault'], string>> = {
  'unknown-tool': 'there is no such tool',
  'bad-arguments': 'invalid arguments',
  repeated: 'you already made this call; see the answer above',
  'over-limit': 'too many calls; ask again if it still matters',
  'no-room': 'its answer does not fit into the remaining evidence limit',
}

export function tellResults(
  { answers, dropped }: Batch,
  fence: (origin: string, text: string) => string,
): string {
  const told = answers.map(({ call, text }) => fence(`answer of ${callKey(call)}`, text))
  const lines = dropped.map(({ tool, fault, detail }) => {
    const more = fault === 'bad-arguments' ? ` (${detail})` : ''
    return `- not run: ${nameOf(tool)}: ${reasons[fault]}${more}`
  })
  return [...told, ...(lines.length > 0 ? [lines.join('\n')] : [])].join('\n\n')
}

/** What a model makes up for a name may be words of whoever wrote the code; outside of the fence only names may stand. */
function nameOf(tool: string): string {
  return /^[a-z][a-z_]{0,39}$/.test(tool) ? `a call of "${tool}"` : 'a call with an invalid tool name'
}
