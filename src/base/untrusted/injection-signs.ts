/**
 * Signs that a text was written for a model that reviews it. A signal to be logged and shown, never a reason to block
 * or to leave something out: people write about prompts too, and who wants to hide will find other words. Beside such a text
 * no model's word against a check counts.
 */
import { visibleLine } from '../visible-text.ts'

export type InjectionSign = {
  /** What kind of sign, in words: `asks to ignore instructions`. */
  sign: string
  /** 1-based line of the text. */
  line: number
  /** The line, visible and cut. */
  excerpt: string
}

/** Each linear: fixed words with short gaps between them. */
const signs: readonly (readonly [sign: string, pattern: RegExp])[] = [
  [
    'asks to ignore instructions',
    /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|your|these)\b.{0,40}\b(?:instructions?|prompts?|rules|directions)\b/i,
  ],
  ['gives a new role', /\byou are (?:now|no longer)\b|\bact as (?:an?|the) (?:ai|assistant|model|system)\b/i],
  [
    'addresses a reviewing model',
    /\b(?:ai|llm|automated|code)[- ]?(?:reviewers?|assistants?|agents?|models?|bots?)\b.{0,40}\b(?:must|should|please|shall|do not|don't|ignore|approve|skip)\b/i,
  ],
  [
    'asks for approval',
    /\b(?:approve|lgtm|rubber[- ]?stamp)\b.{0,30}\b(?:this|the) (?:pr|pull request|change|merge request|commit|diff)\b/i,
  ],
  [
    'asks for silence',
    /\b(?:do not|don't|never)\b.{0,20}\b(?:report|flag|mention|comment on)\b.{0,40}\b(?:issue|bug|finding|vulnerabilit|problem|this|file)/i,
  ],
  [
    'asks for an empty answer',
    /\b(?:return|respond with|output|answer with)\b.{0,20}\b(?:no findings|empty (?:list|array|findings)|"findings"\s*:\s*\[\s*\])/i,
  ],
  [
    'chat control tokens',
    /<\|(?:im_start|im_end|endoftext|system|user|assistant)\|>|\[\/?INST\]|<\/?(?:system|assistant)(?:[_-]prompt)?>/i,
  ],
  ['imitates a delimiter', /^[ \t]*(?:<<<+|>>>+)[ \t]*(?:foreign|end)\b/i],
  [
    'asks for secrets',
    /\b(?:reveal|print|output|repeat|show)\b.{0,30}\b(?:system prompt|your instructions|api[- ]?keys?|environment variables)\b/i,
  ],
]

/** A longer line is looked at in its first part only. */
const widest = 2_000
const shown = 160

/** At most `most` signs, from the top; each line tells of its first sign only. */
export function findInjectionSigns(text: string, most = 20): InjectionSign[] {
  const found: InjectionSign[] = []
  for (const [index, whole] of text.split('\n').entries()) {
    if (found.length >= most) break
    const line = whole.slice(0, widest)
    const first = signs.find(([, pattern]) => pattern.test(line))
    if (first)
      found.push({ sign: first[0], line: index + 1, excerpt: visibleLine(line.trim()).slice(0, shown) })
  }
  return found
}
