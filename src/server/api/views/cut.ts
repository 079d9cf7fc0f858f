/** Texts of any length, as the API sends them: cut, with what was left out, and never between the halves of a character. */
import type { CutText } from '../contract/common.ts'

export function cutText(text: string, most: number): CutText {
  if (text.length <= most) return { text, omitted: 0 }
  const last = text.charCodeAt(most - 1)
  const end = last >= 0xd800 && last <= 0xdbff ? most - 1 : most
  return { text: text.slice(0, end), omitted: text.length - end }
}

/** The same value with every text in it cut, and words at the end of those that were. */
export function cutStrings<Value>(value: Value, most: number): Value {
  return cutIn(value, most) as Value
}

function cutIn(value: unknown, most: number): unknown {
  if (typeof value === 'string') {
    if (value.length <= most) return value
    const { text, omitted } = cutText(value, most)
    return `${text} … (${omitted} more characters are in the record of the run)`
  }
  if (Array.isArray(value)) return value.map((each) => cutIn(each, most))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cutIn(each, most)]))
}
