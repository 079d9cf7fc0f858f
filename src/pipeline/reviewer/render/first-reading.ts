/** What the first question about a group found, as the list that the second question begins from. */

import { type Fence, Untrusted } from '../../../base/untrusted/untrusted.ts'
import { visibleLine } from '../../../base/visible-text.ts'
import { bareId } from '../../../domain/line-tag.ts'
import type { WireFinding } from '../answer/schema.ts'

const most = 40
const longestLine = 240

/** Its number in the list, by its position among the findings that the first conversation kept: `R1`. */
export function numberInList(position: number): string {
  return `R${position + 1}`
}

/** Such a number as a model gives it; null for anything else. */
export function readListNumber(words: string): string | null {
  const number = bareId(words).toUpperCase()
  return /^R[1-9]\d{0,3}$/.test(number) ? number : null
}

export function renderFirstReading(found: readonly WireFinding[], fence: Fence): string {
  const lines = found.slice(0, most).map(lineOf)
  const left = found.length - lines.length
  if (left > 0) lines.push(`(and ${left} more)`)
  return listOf(lines, fence)
}

/** The longest list that there may be, for the size and the price of a question whose list is not known yet. */
export function longestFirstReading(fence: Fence): string {
  return listOf(
    Array.from({ length: most + 1 }, () => 'x'.repeat(longestLine)),
    fence,
  )
}

function listOf(lines: readonly string[], fence: Fence): string {
  if (lines.length === 0) return 'The first reading found nothing.'
  const list = new Untrusted('findings of the first reading', lines.join('\n'))
  return `What the first reading found:\n${fence.render(list)}`
}

function lineOf({ file, tags, category, title }: WireFinding, position: number): string {
  const place = [file, ...tags.slice(0, 1)].join(' ')
  return cutToBytes(`${numberInList(position)} ${visibleLine(`${place} (${category}) ${title}`)}`)
}

function cutToBytes(line: string): string {
  const bytes = Buffer.from(line)
  if (bytes.length <= longestLine) return line
  // A stream holds back the bytes of a character that is cut.
  return `${new TextDecoder().decode(bytes.subarray(0, longestLine - 4), { stream: true })} …`
}
