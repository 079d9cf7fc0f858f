/** A ticket that was handed in as text: a file, or standard input. */
import type { Ticket } from '../../domain/ticket.ts'
import { parseCriteria } from './criteria.ts'

export const mostBodyLength = 20_000

/** The first heading, else the first line, is the title. `name` is what the text was read from. */
export function ticketFromText(text: string, name: string): Ticket {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const at = lines.findIndex((line) => line.trim() !== '')
  const title = (lines[at] ?? '')
    .replace(/^#{1,6}\s+/, '')
    .trim()
    .slice(0, 300)
  const body = lines
    .slice(at + 1)
    .join('\n')
    .trim()
  return {
    id: `file:${name}`,
    title,
    body: body.slice(0, mostBodyLength),
    state: 'unknown',
    labels: [],
    linkedBy: `handed in as ${name}`,
    criteria: parseCriteria(body),
    cut: cutOf(body),
  }
}

/** What is said when a body is longer than is kept. */
export function cutOf(body: string): string | null {
  if (body.length <= mostBodyLength) return null
  return `the ticket has ${body.length} characters, of which ${mostBodyLength} are kept`
}
