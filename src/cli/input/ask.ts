/** Asks a person at the terminal, and takes silence for no. */
import { createInterface } from 'node:readline/promises'

export type Conversation = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream }

/** True when both ends are a terminal that somebody sits at. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

const usual: Conversation = { input: process.stdin, output: process.stderr }

/** Yes only for `y` or `yes`; an end of input and an abort are a no. */
export async function askYesNo(question: string, signal: AbortSignal, ends = usual): Promise<boolean> {
  return (await askWord(question, signal, ends)) === 'yes'
}

/** Null for anything but `y`, `yes`, `n` or `no`. */
export async function askWord(
  question: string,
  signal: AbortSignal,
  { input, output }: Conversation = usual,
): Promise<'yes' | 'no' | null> {
  const lines = createInterface({ input, output })
  const left = new Promise<string>((done) => lines.once('close', () => done('')))
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), left])
    const [, yes, no] = /^(?:(y(?:es)?)|(no?))$/i.exec(answer.trim()) ?? []
    return yes !== undefined ? 'yes' : no !== undefined ? 'no' : null
  } catch (error) {
    if (signal.aborted) return null
    throw error
  } finally {
    lines.close()
  }
}
