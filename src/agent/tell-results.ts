/** What the model reads of an iteration: each answer under its call, foreign text fenced, drops told in a line each. */
import { callKey } from './call-key.ts'
import type { DroppedCall } from './contract.ts'
import type { Batch } from './run-batch.ts'

const reasons: Readonly<Record<DroppedCall['fault'], string>> = {
  'unknown-tool': 'there is no such tool',
  'bad-arguments': 'its arguments are not right',
  repeated: 'you asked this before; the answer stands above',
  'over-limit': 'too many calls; ask again if it still matters',
  'no-room': 'its answer is too long for what may still be gathered',
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
  return /^[a-z][a-z_]{0,39}$/.test(tool)
    ? `a call of "${tool}"`
    : 'a call of something that is no name of a tool'
}
