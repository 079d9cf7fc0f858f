/**
 * Reads a ticket's text: its title, and the acceptance criteria in its Markdown, which are lists below a heading that
 * names them, task lists, Given/When/Then, and, only without any of these, sentences that say what must be.
 */
import { trimTrailing } from '../../base/trim-text.ts'
import type { AcceptanceCriterion, Ticket } from '../../domain/ticket.ts'

/** Characters of a body that are kept. */
export const mostBodyLength = 20_000

/** A ticket from a file or standard input, `name`. Its first heading, else its first line, is the title. */
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
    linkedBy: `read from ${name}`,
    criteria: parseCriteria(body),
    cut: cutOf(body),
  }
}

/** The note about a body that is longer than is kept; null for a shorter one. */
export function cutOf(body: string): string | null {
  if (body.length <= mostBodyLength) return null
  return `the ticket has ${body.length} characters, of which ${mostBodyLength} are kept`
}

const mostCriteria = 50
const longestCriterion = 500
const shortestSentence = 20
const longestSentence = 300

type Found = Omit<AcceptanceCriterion, 'id'>

const criteriaHeading =
  /^(?:acceptance\b|(?:functional |non-functional )?requirements?\b|definition of done|done when|success criteria|expected (?:behaviou?r|results?|outcomes?)|criteria\b|a\.?c\.?\b|what should happen|must have)/i
const headingLine = /^\s{0,3}(?:#{1,6}\s(.+)|\*\*([^*]+)\*\*:?|__([^_]+)__:?|([^\s#>*-][^.!?:]{2,60}):)$/s
const listItem = /^(\s*)(?:[-*+]|\d{1,3}[.)])\s+(.*)/s
const task = /^\[([ xX])\]\s+(.*)/s
const scenarioStart = /^\s*(?:[-*+]\s+)?(?:\*\*)?(?:scenario(?: outline)?:|given\b)/i
const scenarioStep = /^\s*(?:[-*+]\s+)?(?:\*\*)?(?:given|when|then|and|but)\b/i
const sentenceOfDuty =
  /\b(?:must(?: not)?|shall(?: not)?|should(?: not|n['’]t)?|needs? to|has to|have to|is expected to|ought to)\b/i

/** In the order of the ticket, each text once. */
export function parseCriteria(markdown: string): AcceptanceCriterion[] {
  const lines = withoutCode(markdown)
  const listed = [...readLists(lines), ...readScenarios(lines)].sort((a, b) => a.at - b.at)
  const found = listed.length > 0 ? listed : readSentences(lines)
  const seen = new Set<string>()
  const criteria: AcceptanceCriterion[] = []
  for (const { at: _, ...criterion } of found) {
    const text = plain(criterion.text)
    if (text === '' || seen.has(text.toLowerCase()) || criteria.length >= mostCriteria) continue
    seen.add(text.toLowerCase())
    criteria.push({ id: `AC${criteria.length + 1}`, ...criterion, text })
  }
  return criteria
}

type Placed = Found & { at: number }

/** Items below a criteria heading, and task lists anywhere. Nested items belong to the one above them. */
function readLists(lines: readonly string[]): Placed[] {
  const found: Placed[] = []
  let inside = false
  let indent = 0
  for (const [at, line] of lines.entries()) {
    const heading = headingOf(line)
    if (heading !== null) {
      inside = criteriaHeading.test(heading)
      continue
    }
    const item = listItem.exec(line)
    const last = found.at(-1)
    if (!item) {
      // A list item that goes on in the next line.
      const goesOn = last?.at === at - 1 && /^\s+\S/.test(line)
      if (goesOn && last) Object.assign(last, { text: `${last.text} ${line.trim()}`, at })
      else if (inside && isParagraph(lines, at))
        found.push({ text: line, shape: 'heading', checked: null, at })
      continue
    }
    const [, space = '', rest = ''] = item
    const ticked = task.exec(rest)
    const nested = last !== undefined && last.at === at - 1 && space.length > indent + 1
    if (nested && last && !ticked) {
      Object.assign(last, { text: `${last.text}; ${rest}`, at })
      continue
    }
    indent = space.length
    if (ticked) found.push({ text: ticked[2] ?? '', shape: 'checklist', checked: ticked[1] !== ' ', at })
    else if (inside && !scenarioStep.test(line))
      found.push({ text: rest, shape: 'heading', checked: null, at })
  }
  return found
}

/** Consecutive steps are one criterion. */
function readScenarios(lines: readonly string[]): Placed[] {
  const found: Placed[] = []
  let current: Placed | null = null
  for (const [at, line] of lines.entries()) {
    if (scenarioStart.test(line)) {
      const startsAnew =
        !current ||
        !/^\s*(?:[-*+]\s+)?(?:\*\*)?scenario/i.test(lines[current.at] ?? '') ||
        current.at !== at - 1
      if (startsAnew) {
        current = { text: '', shape: 'scenario', checked: null, at }
        found.push(current)
      }
    }
    if (current && (scenarioStart.test(line) || scenarioStep.test(line)))
      Object.assign(current, {
        text: `${current.text} ${line.replace(/^\s*[-*+]\s+/, '').trim()}`.trim(),
        at,
      })
    else if (line.trim() !== '') current = null
  }
  return found.filter(({ text }) => /\bthen\b/i.test(text))
}

function readSentences(lines: readonly string[]): Placed[] {
  return lines.flatMap((line, at) =>
    line
      .replace(/^\s*(?:[-*+>]|\d{1,3}[.)])\s+/, '')
      .split(/(?<=[.!])\s+/)
      .filter((one) => one.length >= shortestSentence && one.length <= longestSentence)
      .filter((one) => sentenceOfDuty.test(one) && !one.includes('?'))
      .map((text) => ({ text, shape: 'sentence' as const, checked: null, at })),
  )
}

function headingOf(line: string): string | null {
  const [whole, marked, ...others] = headingLine.exec(line.slice(0, 200).trimEnd()) ?? []
  if (whole === undefined) return null
  return (marked === undefined ? others.find((text) => text) : trimTrailing(marked, '#'))?.trim() ?? ''
}

/** The first line of a paragraph of prose below the heading: one that no list follows. */
function isParagraph(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  return line.trim().length >= shortestSentence && sentenceOfDuty.test(line) && !scenarioStep.test(line)
}

/** Code blocks and HTML comments hold no criteria; their lines stay as empty ones. */
function withoutCode(markdown: string): string[] {
  let fence: string | null = null
  let comment = false
  return markdown
    .slice(0, 100_000)
    .split(/\r?\n/)
    .map((line) => {
      const mark = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1]
      if (fence !== null) {
        if (mark?.startsWith(fence)) fence = null
        return ''
      }
      if (mark !== undefined) {
        fence = mark.slice(0, 3)
        return ''
      }
      const wasComment = comment
      if (line.includes('<!--')) comment = true
      if (comment && line.includes('-->')) {
        comment = false
        return ''
      }
      return comment || wasComment ? '' : line
    })
}

function plain(text: string): string {
  const whole = text
    .replace(/\*\*|__|<[^<>]{0,200}>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return whole.length <= longestCriterion ? whole : `${whole.slice(0, longestCriterion - 1)}…`
}
