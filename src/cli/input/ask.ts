/** Asks a person at the terminal, and takes silence for no. */
import { createInterface } from 'node:readline/promises'
import type { Shell } from '../shell.ts'

export type Conversation = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream }

/** True when both ends are a terminal that somebody sits at. */
export function canAsk({ stdin, stderr }: Pick<Shell, 'stdin' | 'stderr'>): boolean {
  return stdin.isTTY === true && stderr.isTTY === true
}

export function conversationIn({ stdin, stderr }: Pick<Shell, 'stdin' | 'stderr'>): Conversation {
  return { input: stdin, output: stderr }
}

/** Yes only for `y` or `yes`; an end of input and an abort are a no. */
export async function askYesNo(question: string, signal: AbortSignal, ends: Conversation): Promise<boolean> {
  return (await askWord(question, signal, ends)) === 'yes'
}

/** Null for anything but `y`, `yes`, `n` or `no`. */
export async function askWord(
  question: string,
  signal: AbortSignal,
  { input, output }: Conversation,
): Promise<'yes' | 'no' | null> {
  const lines = createInterface({ input, output })
  // At a terminal only this reader receives the key; whoever presses it wants to end the run, not only the question.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
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
