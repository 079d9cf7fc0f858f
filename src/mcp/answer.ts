/** An answer as an agent reads it: foreign text behind the fence, and all of it within a limit. */
import { count } from '../base/count.ts'
import { UserError } from '../base/errors.ts'
import { linesWithin } from '../base/line-bytes.ts'
import { redactText } from '../base/secrets/redact.ts'
import { type Fence, Untrusted } from '../base/untrusted/untrusted.ts'
import { visibleText } from '../base/visible-text.ts'
import { ToolError } from '../tools/contract.ts'
import type { AgentText } from './contract.ts'

/** Bytes of one answer: about 12,000 tokens. */
export const maxAnswerBytes = 48 * 1024

/** Kept free for the note about what was cut. */
const noteBytes = 200

/** Secrets are masked. What does not fit is cut by whole parts and lines, and counted. */
export function renderAnswer(text: AgentText, fence: Fence): string {
  const rule = text.some((part) => part instanceof Untrusted) ? [fence.rule] : []
  const parts = [
    ...rule,
    ...text.map((part) => (typeof part === 'string' ? visibleText(part) : fence.render(part))),
  ]
  const kept: string[] = []
  let room = maxAnswerBytes - noteBytes
  for (const [at, part] of parts.entries()) {
    const whole = redactText(part)
    const bytes = Buffer.byteLength(whole)
    if (bytes > room) {
      const source = text[at - rule.length]
      kept.push(...cut(whole, source instanceof Untrusted, room))
      const left = parts.length - at - 1
      const others = left > 0 ? `, and ${count(left, 'part')} after it,` : ''
      kept.push(
        `(The answer is longer than ${maxAnswerBytes / 1024} KB: the end of this part${others} was cut.)`,
      )
      break
    }
    kept.push(whole)
    room -= bytes + 2
  }
  return kept.join('\n\n')
}

/** Whole lines; a fence that was opened is closed again. */
function cut(part: string, isFenced: boolean, room: number): string[] {
  const lines = part.split('\n')
  const closing = isFenced ? (lines.pop() ?? '') : ''
  const kept = linesWithin(lines, room - Buffer.byteLength(closing) - 1)
  return kept.length === 0 ? [] : [[...kept, ...(isFenced ? [closing] : [])].join('\n')]
}

/** What the agent or its user can do about a failed call. Details quote foreign names. */
export function failureText(error: unknown): AgentText {
  if (error instanceof UserError) return [new Untrusted('why it failed', error.report)]
  if (error instanceof ToolError) return ['Not possible.', new Untrusted('why', error.message)]
  const why = error instanceof Error ? error.message : String(error)
  return ['Internal error in Sightline. Please report this bug.', new Untrusted('error', why)]
}
