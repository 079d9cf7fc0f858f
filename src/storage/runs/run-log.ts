/**
 * The log of one run: a line for each thing that happened, in order, each with a checksum. Only the process that runs
 * writes it; it only grows. A line that a kill cut off ends the log.
 */
import { closeSync, fsyncSync, openSync, readFileSync } from 'node:fs'
import { sha256 } from '../../base/canonical-json.ts'
import { RunEntry } from '../contract.ts'
import { privateFile, writeAll } from './durable.ts'

const sumLength = 8
const largestLog = 256 * 1024 * 1024

export class RunLog {
  private readonly file: number
  private isOpen = true

  /** Throws when the run exists already. */
  constructor(path: string) {
    this.file = openSync(path, 'ax', privateFile)
  }

  /** On disk when it returns, if `sync`; otherwise with the next one that is. */
  append(entry: RunEntry, { sync }: { sync: boolean }): void {
    if (!this.isOpen) return
    writeAll(this.file, Buffer.from(lineOf(entry), 'utf8'))
    if (sync) fsyncSync(this.file)
  }

  close(): void {
    if (!this.isOpen) return
    this.isOpen = false
    fsyncSync(this.file)
    closeSync(this.file)
  }
}

export type ReadLog = {
  entries: RunEntry[]
  /** What is wrong behind the last good line, in words; null when nothing is. */
  damage: string | null
}

/** Never throws for what the file holds; throws when it cannot be read at all. */
export function readLog(path: string): ReadLog {
  const bytes = readFileSync(path)
  if (bytes.length > largestLog) return { entries: [], damage: 'its log is too large to be one' }
  const lines = bytes.toString('utf8').split('\n')
  const torn = lines.pop()
  const entries: RunEntry[] = []
  for (const [at, line] of lines.entries()) {
    const entry = entryOf(line)
    if (!entry) return { entries, damage: `line ${at + 1} of ${lines.length} of its log is damaged` }
    entries.push(entry)
  }
  // Half a line is what a kill leaves behind, and no fault.
  return { entries, damage: entries.length === 0 && torn === '' ? 'its log is empty' : null }
}

export function lineOf(entry: RunEntry): string {
  const text = JSON.stringify(entry)
  return `${sha256(text).slice(0, sumLength)} ${text}\n`
}

export function entryOf(line: string): RunEntry | null {
  const text = line.slice(sumLength + 1)
  if (sha256(text).slice(0, sumLength) !== line.slice(0, sumLength)) return null
  try {
    return RunEntry.parse(JSON.parse(text))
  } catch {
    return null
  }
}
