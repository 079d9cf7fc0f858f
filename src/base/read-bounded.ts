/** Reads the body of an answer up to a limit, and stops the sender there. */

/** The body as text; null when it has more than `largestBytes`. */
export async function readBounded({ body }: Response, largestBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop early cancels the body, so that no server sends for ever.
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > largestBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
