/** Takes secrets out of an answer in text: server-sent events, lines of JSON, or any other text. */
import { redactText } from './redact.ts'
import { blankSecrets, type TextPiece, textPieces } from './text-pieces.ts'

const eventLine = /^(data:\s?)?(\{.*\})\s*$/

/** `known` are values that count as secrets wherever they stand. Lines without secrets stay byte for byte. */
export function redactStream(body: string, known: readonly string[] = []): string {
  const lines = body.split('\n')
  const events = lines.map(readEvent)
  const changed = blankSecrets(
    events.flatMap((event) => event?.pieces ?? []),
    known,
  )
  const clean = lines.map((line, index) => {
    const event = events[index]
    if (!event?.pieces.some((piece) => changed.has(piece))) return line
    return `${event.before}${JSON.stringify(event.value)}`
  })
  const rest = known.reduce((text, value) => text.replaceAll(value, '…'), clean.join('\n'))
  return redactText(rest)
}

type Event = { before: string; value: object; pieces: TextPiece[] }

function readEvent(line: string): Event | null {
  const match = eventLine.exec(line)
  if (!match) return null
  try {
    const value: unknown = JSON.parse(match[2] ?? '')
    if (typeof value !== 'object' || value === null) return null
    return { before: match[1] ?? '', value, pieces: textPieces(value) }
  } catch {
    return null
  }
}
