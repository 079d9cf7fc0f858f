/**
 * The log of one run: a line for each thing that happened, in order. Each begins with a checksum over itself and all
 * lines before it, so that none can be changed, lost or moved unseen. Only the process that runs writes it, and it only
 * grows. A line that a kill cut off ends the log.
 */
import { closeSync, fsyncSync, openSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { sha256 } from '../../base/canonical-json.ts'
import { privateFile, syncFolder, writeAll } from '../../base/durable.ts'
import { RunEntry } from '../contract.ts'
import { otherVersion } from './other-version.ts'

const sumLength = 16
const largestLog = 256 * 1024 * 1024

export class RunLog {
  private readonly file: number
  private isOpen = true
  private sum = ''

  /** Throws when the run exists already. */
  constructor(path: string) {
    this.file = openSync(path, 'ax', privateFile)
    syncFolder(dirname(path))
  }

  /** On disk when it returns, if `sync`; otherwise with the next one that is. */
  append(entry: RunEntry, { sync }: { sync: boolean }): void {
    if (!this.isOpen) return
    const text = JSON.stringify(entry)
    this.sum = sumOf(this.sum, text)
    writeAll(this.file, Buffer.from(`${this.sum} ${text}\n`, 'utf8'))
    if (sync) fsyncSync(this.file)
  }

  close(): void {
    if (!this.isOpen) return
    this.isOpen = false
    try {
      fsyncSync(this.file)
    } finally {
      closeSync(this.file)
    }
  }
}

export type ReadLog = {
  entries: RunEntry[]
  /** The good lines as they stand, without their line feeds. */
  lines: string[]
  /** What is wrong behind the last good line, in words; null when nothing is. */
  damage: string | null
}

/** Never throws for what the file holds; throws when it cannot be read at all. */
export function readLog(path: string): ReadLog {
  if (statSync(path).size > largestLog) return { entries: [], lines: [], damage: 'its log is too large' }
  const lines = readFileSync(path, 'utf8').split('\n')
  const torn = lines.pop()
  const log = readLines(lines)
  // Half a line is what a kill leaves behind, and no fault.
  return log.damage === null && lines.length === 0 && torn === ''
    ? { ...log, damage: 'its log is empty' }
    : log
}

/** A line that is as it was written, but not as this version writes it, ends the log too. */
export function readLines(lines: readonly string[]): ReadLog {
  const entries: RunEntry[] = []
  let sum = ''
  for (const [at, line] of lines.entries()) {
    const text = line.slice(sumLength + 1)
    sum = sumOf(sum, text)
    const isAsWritten = line.startsWith(`${sum} `)
    const entry = isAsWritten ? parse(text) : null
    if (!entry) {
      const where = `line ${at + 1} of ${lines.length} of its log`
      const damage = isAsWritten
        ? `${where} has an unknown format: ${otherVersion(lines[0])}`
        : `${where} is damaged`
      return { entries, lines: lines.slice(0, at), damage }
    }
    entries.push(entry)
  }
  return { entries, lines: [...lines], damage: null }
}

function sumOf(before: string, text: string): string {
  return sha256(before + text).slice(0, sumLength)
}

function parse(text: string): RunEntry | null {
  try {
    return RunEntry.parse(JSON.parse(text))
  } catch {
    return null
  }
}
