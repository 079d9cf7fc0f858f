/**
 * Takes secrets out of a streamed answer, also those that are split over several events: the texts of all events are
 * searched as one, and what is found is blanked in each of its pieces.
 */
import { findByOwnPatterns, findSecrets } from './find-secrets.ts'
import { redactText } from './redact.ts'

/** Keys under which protocols stream pieces of text. */
const textKeys = new Set([
  'text',
  'content',
  'delta',
  'partial_json',
  'thinking',
  'reasoning',
  'reasoning_content',
  'arguments',
  'response',
  'refusal',
])

const eventLine = /^(data:\s?)(\{.*\})\s*$/
const blank = '*'

/** Server-sent events and lines of JSON; any other text is redacted as a whole. */
export async function redactStream(body: string): Promise<string> {
  const lines = body.split('\n')
  const events = lines.map(readEvent)
  const pieces: Piece[] = []
  for (const event of events) if (event) collect(event.value, pieces)
  const joined = pieces.map(({ text }) => text).join('')
  const found = await findSecrets('', joined).catch(() => findByOwnPatterns(joined))
  if (found.length === 0) return await redactText(body)
  const mask = joined.split('')
  for (const { start, end } of found) mask.fill(blank, start, end)
  let at = 0
  for (const piece of pieces) {
    piece.put(mask.slice(at, at + piece.text.length).join(''))
    at += piece.text.length
  }
  const clean = lines.map((line, index) => {
    const event = events[index]
    return event ? `${event.before}${JSON.stringify(event.value)}` : line
  })
  return await redactText(clean.join('\n'))
}

type Event = { before: string; value: object }
type Piece = { text: string; put: (text: string) => void }

function readEvent(line: string): Event | null {
  const match = eventLine.exec(line) ?? /^()(\{.*\})\s*$/.exec(line)
  if (!match) return null
  try {
    const value: unknown = JSON.parse(match[2] ?? '')
    return typeof value === 'object' && value !== null ? { before: match[1] ?? '', value } : null
  } catch {
    return null
  }
}

/** In the order of the event, which is the order of the text. */
function collect(value: object, pieces: Piece[]): void {
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && textKeys.has(key))
      pieces.push({ text: inner, put: (text) => void Reflect.set(value, key, text) })
    else if (typeof inner === 'object' && inner !== null) collect(inner, pieces)
  }
}
