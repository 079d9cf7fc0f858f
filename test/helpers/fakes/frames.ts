/** The pieces in which answers are streamed: events as bytes, and texts in the portions of a model. */

/** One event as servers send it; without a name only the data line. */
export function sseFrame(data: unknown, name?: string): Uint8Array {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return Buffer.from(`${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`)
}

/** One line of JSON. */
export function lineFrame(data: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(data)}\n`)
}

/** Uneven portions, which never split a letter: about 2,000 at most, however long the text. */
export function portions(text: string): string[] {
  const letters = [...text]
  const base = Math.max(1, Math.ceil(letters.length / 2000))
  const made: string[] = []
  for (let start = 0, turn = 0; start < letters.length; turn += 1) {
    const size = base * (1 + ((turn * 7) % 11))
    made.push(letters.slice(start, start + size).join(''))
    start += size
  }
  return made
}
