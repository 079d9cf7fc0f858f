/**
 * The pieces of text in the events of a streamed answer. Pieces of one channel (the same block of the same choice) are
 * searched as one text, so that a secret that is split over several events is found, and blanked in each of them.
 */
import { findSecrets } from './find-secrets.ts'

export type TextPiece = {
  channel: string
  text: string
  /** Puts another text in its place. */
  put: (text: string) => void
}

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
  'input',
  'response',
  'refusal',
])

/** Keys whose numbers tell one block or choice from another. */
const indexKeys = new Set(['index', 'contentBlockIndex', 'output_index', 'content_index', 'summary_index'])

const blank = '*'
const separator = '\n\u0000\n'

/** In the order of the event, which is the order of the text. `event` is plain JSON, and is changed by `put`. */
export function textPieces(event: object): TextPiece[] {
  const pieces: TextPiece[] = []
  const visit = (value: object, channel: string): void => {
    const own = Object.entries(value).filter(
      ([key, inner]) => indexKeys.has(key) && typeof inner === 'number',
    )
    const here = [channel, ...own.map(([, index]) => `#${index}`)].join('')
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && textKeys.has(key))
        pieces.push({
          channel: `${here}/${key}`,
          text: inner,
          put: (text) => void Reflect.set(value, key, text),
        })
      else if (typeof inner === 'object' && inner !== null) visit(inner, `${here}/${key}`)
    }
  }
  visit(event, '')
  return pieces
}

/** Blanks every secret, and every one of the `known` values; the lengths stay. Returns the pieces that changed. */
export function blankSecrets(
  pieces: readonly TextPiece[],
  known: readonly string[] = [],
): ReadonlySet<TextPiece> {
  const ordered = [...Map.groupBy(pieces, ({ channel }) => channel).values()]
  const joined = ordered.map((group) => group.map(({ text }) => text).join('')).join(separator)
  const mask = joined.split('')
  // No secret spans two channels.
  const found = findSecrets(joined).filter(({ value }) => !value.includes('\u0000'))
  for (const { start, end } of [...found, ...placesOf(joined, known)]) mask.fill(blank, start, end)
  const changed = new Set<TextPiece>()
  let at = 0
  for (const group of ordered) {
    for (const piece of group) {
      const text = mask.slice(at, at + piece.text.length).join('')
      at += piece.text.length
      if (text === piece.text) continue
      piece.put(text)
      changed.add(piece)
    }
    at += separator.length
  }
  return changed
}

function placesOf(text: string, known: readonly string[]): { start: number; end: number }[] {
  return known.flatMap((value) => {
    const places: { start: number; end: number }[] = []
    for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + value.length))
      places.push({ start, end: start + value.length })
    return places
  })
}
