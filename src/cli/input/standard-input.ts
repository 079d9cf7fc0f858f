/** Reads standard input to its end, up to a cap. */
import { UserError } from '../../base/errors.ts'

const maximumBytes = 256 * 1024 * 1024

/** Throws `UserError('usage')` when nothing is piped in, `patch-unreadable` when it is more than 256 MB. */
export async function readStandardInput(): Promise<Uint8Array> {
  if (process.stdin.isTTY)
    throw new UserError('usage', '- reads a patch from standard input, and nothing is piped in there.')
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > maximumBytes)
      throw new UserError('patch-unreadable', `standard input has more than ${maximumBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, bytes)
}
