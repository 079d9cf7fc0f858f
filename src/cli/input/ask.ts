/** Asks a person at the terminal, and takes silence for no. */
import { createInterface } from 'node:readline/promises'

export type Conversation = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream }

/** True when both ends are a terminal that somebody sits at. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Yes only for `y` or `yes`; an end of input and an abort are a no. */
export async function askYesNo(
  question: string,
  signal: AbortSignal,
  { input, output }: Conversation = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  const lines = createInterface({ input, output })
  const left = new Promise<string>((done) => lines.once('close', () => done('')))
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), left])
    return /^y(?:es)?$/i.test(answer.trim())
  } catch (error) {
    if (signal.aborted) return false
    throw error
  } finally {
    lines.close()
  }
}
