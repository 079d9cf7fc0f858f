/** What the engine is asked on behalf of a rule. */
import type { Question } from './engine/protocol.ts'
import type { Rule } from './rule.ts'

export function questionFor({ id, matcher, message, note, remedy, fix }: Rule): Question {
  const words = [message, note, remedy ?? ''].join('\n')
  const captures = [...words.matchAll(/\$([A-Z_][A-Z0-9_]*)/g)].map(([, name = '']) => name)
  return { id, matcher, captures: [...new Set(captures)], fix }
}
