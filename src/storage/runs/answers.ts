/** Which object answers a request, across all runs: what was paid for once is found again by whoever asks the same. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { canonicalJson, sha256 } from '../../base/canonical-json.ts'
import type { JournalRequest } from '../../domain/journal.ts'
import { writeWhole } from './durable.ts'

const Pointer = z.object({ answer: z.string().regex(/^[0-9a-f]{64}$/), run: z.string() })

/** The key of a request: everything but where in the run, and for which role, it was asked. */
export function keyOf({ kind, method, url, body, sample }: JournalRequest): string {
  return sha256(canonicalJson({ kind, method, url, body, sample }))
}

export class Answers {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** The name of the answer's object, or null. */
  find(key: string): string | null {
    try {
      return Pointer.parse(JSON.parse(readFileSync(this.pathOf(key), 'utf8'))).answer
    } catch {
      return null
    }
  }

  /** The newest answer counts. On disk when it returns. */
  point(key: string, answer: string, run: string): void {
    writeWhole(this.pathOf(key), Buffer.from(JSON.stringify({ answer, run })), { replace: true })
  }

  pathOf(key: string): string {
    return join(this.folder, key.slice(0, 2), `${key.slice(2)}.json`)
  }
}
