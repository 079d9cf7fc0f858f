/** Reads the body of an answer up to a bound; what is larger is not read to its end. */

/** As text; null when there is more. */
export async function readBounded(answer: Response, largestBytes: number): Promise<string | null> {
  if (!answer.body) return ''
  const parts: Uint8Array[] = []
  let length = 0
  const reader = answer.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(parts).toString('utf8')
    length += value.length
    parts.push(value)
    if (length <= largestBytes) continue
    await reader.cancel().catch(() => undefined)
    return null
  }
}
