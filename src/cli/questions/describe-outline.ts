/** An outline in lines for people. */
import { count } from '../../base/count.ts'
import type { OutlineAnswer, OutlineEntry } from '../../index.ts'
import { lines } from './describe.ts'

export function describeOutline(answer: OutlineAnswer): string {
  if (answer.state !== 'indexed') return lines([`${answer.path}: ${answer.state}: ${answer.why}.`])
  const errors = answer.errorLines.map(({ startLine, endLine }) => `${startLine}-${endLine}`)
  return lines([
    `${answer.path}  ${answer.language}, ${count(answer.lines ?? 0, 'line')}`,
    ...answer.symbols.flatMap((entry) => entryLines(entry, 1)),
    ...(answer.symbols.length === 0 ? ['It defines nothing.'] : []),
    ...(errors.length > 0 ? [`Lines that could not be parsed: ${errors.join(', ')}.`] : []),
  ])
}

function entryLines(entry: OutlineEntry, depth: number): string[] {
  const { startLine, endLine, visibility, kind, signature, isTest } = entry
  const range = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`
  const own = `${'  '.repeat(depth)}${range}  ${visibility} ${kind}${isTest ? ' (test)' : ''}  ${signature}`
  return [own, ...entry.members.flatMap((member) => entryLines(member, depth + 1))]
}
