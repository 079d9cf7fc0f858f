/** Texts of any length, as the API sends them: cut, with what was left out, and never between the halves of a character. */
import type { CutText } from '../contract/common.ts'

export function cutText(text: string, most: number): CutText {
  if (text.length <= most) return { text, omitted: 0 }
  const last = text.charCodeAt(most - 1)
  const end = last >= 0xd800 && last <= 0xdbff ? most - 1 : most
  return { text: text.slice(0, end), omitted: text.length - end }
}
