/** Which objects answer a request, across all runs: what was paid for once is found again by whoever asks the same. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { canonicalJson, sha256 } from '../../base/canonical-json.ts'
import { writeWhole } from '../../base/durable.ts'
import { type JournalRequest, questionIn } from '../../domain/journal.ts'

const name = z.string().regex(/^[0-9a-f]{64}$/)
/** `older`: newest first. */
const Pointer = z.object({ answer: name, older: z.array(name) })

/** Names a question: the SHA-256 of its canonical form. */
export function journalKey(request: JournalRequest): string {
  return sha256(canonicalJson(questionIn(request)))
}

/** So many earlier answers are remembered, should the newest be lost. */
const remembered = 3

export class Answers {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Names of objects, newest first. They need not be there: an answer is pointed at before it is written. */
  find(key: string): string[] {
    try {
      const { answer, older } = Pointer.parse(JSON.parse(readFileSync(this.pathOf(key), 'utf8')))
      return [answer, ...older]
    } catch {
      return []
    }
  }

  /** On disk when it returns. */
  point(key: string, answer: string): void {
    const others = this.find(key).filter((other) => other !== answer)
    const pointer = { answer, older: others.slice(0, remembered) }
    writeWhole(this.pathOf(key), Buffer.from(JSON.stringify(pointer)), { replace: true })
  }

  pathOf(key: string): string {
    return join(this.folder, key.slice(0, 2), `${key.slice(2)}.json`)
  }
}
