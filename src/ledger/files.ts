/**
 * Ledgers as files, one for each repository, beside the runs. Each line is one batch of events with its checksum. A batch
 * begins on a line of its own, so that what a kill cut off spoils nothing that comes after it.
 */
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { sha256 } from '../base/canonical-json.ts'
import { count } from '../base/count.ts'
import { codeOf, makeFolder, privateFile, remove, syncFolder, writeAll } from '../base/durable.ts'
import { UserError } from '../base/errors.ts'
import { LedgerEvent, type LedgerRead, type LedgerStore, maskEvents } from './contract.ts'

/** Raise it when a line changes its shape. */
const format = 1
const ending = '.ledger'
/** More than any ledger of ours; a larger file is a fault. */
const largestLedger = 512 * 1024 * 1024

const Line = z.object({ format: z.number(), repository: z.string(), sum: z.string(), events: z.string() })

/** `folder` need not exist yet. */
export class FileLedger implements LedgerStore {
  readonly address: string

  constructor(folder: string) {
    this.address = folder
  }

  async append(repository: string, events: readonly LedgerEvent[]): Promise<number> {
    const known = new Set((await this.read(repository)).events.map(({ id }) => id))
    const fresh = events.filter(({ id }) => !known.has(id) && known.add(id))
    if (fresh.length === 0) return 0
    return this.using(() => {
      makeFolder(this.address)
      const path = this.pathOf(repository)
      const text = JSON.stringify(maskEvents(fresh))
      const line = JSON.stringify({ format, repository, sum: sumOf(repository, text), events: text })
      const file = openSync(path, 'a', privateFile)
      try {
        // One write, so that two processes do not mix their lines.
        writeAll(file, Buffer.from(`\n${line}\n`))
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      syncFolder(this.address)
      return fresh.length
    })
  }

  async read(repository: string): Promise<LedgerRead> {
    const events = new Map<string, LedgerEvent>()
    let [damaged, newer] = [0, 0]
    for (const text of this.linesOf(this.pathOf(repository))) {
      const batch = readLine(text, repository)
      if (batch === 'newer') newer++
      else if (batch === 'damaged') damaged++
      // Two processes may append the same at one time: the first counts.
      else for (const event of batch) if (!events.has(event.id)) events.set(event.id, event)
    }
    const faults = [
      ...(damaged > 0 ? [`${count(damaged, 'entry is', 'entries are')} damaged`] : []),
      ...(newer > 0 ? [`${count(newer, 'entry was', 'entries were')} written by a newer version`] : []),
    ]
    const damage = faults.length > 0 ? `${this.pathOf(repository)}: ${faults.join(', ')}` : null
    return { events: [...events.values()], damage }
  }

  async repositories(): Promise<string[]> {
    const names = this.using(() => {
      try {
        return readdirSync(this.address).filter((name) => name.endsWith(ending))
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return []
        throw error
      }
    })
    return names.flatMap((name) => this.repositoryIn(name) ?? []).sort()
  }

  async remove(repository: string): Promise<void> {
    this.using(() => remove(this.pathOf(repository)))
  }

  private pathOf(repository: string): string {
    return join(this.address, fileName(repository))
  }

  /** Null where every line is damaged. */
  private repositoryIn(name: string): string | null {
    for (const line of this.linesOf(join(this.address, name))) {
      const parsed = Line.safeParse(parsedJson(line))
      if (parsed.success && fileName(parsed.data.repository) === name) return parsed.data.repository
    }
    return null
  }

  private linesOf(path: string): string[] {
    return this.using(() => {
      try {
        const bytes = readFileSync(path)
        if (bytes.length > largestLedger) throw new Error(`it has more than ${largestLedger} bytes`)
        return bytes
          .toString('utf8')
          .split('\n')
          .filter((line) => line !== '')
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return []
        throw error
      }
    })
  }

  private using<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw new UserError('ledger-unavailable', `${this.address}: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }
}

/** What can be read of the key, for people, and its SHA-256: one step of a path, another one for every key. */
function fileName(repository: string): string {
  const readable = repository
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
  return `${readable}-${sha256(repository).slice(0, 24)}${ending}`
}

function readLine(text: string, repository: string): LedgerEvent[] | 'damaged' | 'newer' {
  const line = Line.safeParse(parsedJson(text))
  if (!line.success) return 'damaged'
  const { data } = line
  if (data.repository !== repository || data.sum !== sumOf(repository, data.events)) return 'damaged'
  const events = z.array(LedgerEvent).safeParse(parsedJson(data.events))
  return events.success ? events.data : data.format > format ? 'newer' : 'damaged'
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function sumOf(repository: string, events: string): string {
  return sha256(`${repository}\n${events}`).slice(0, 16)
}
