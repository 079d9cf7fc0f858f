/**
 * The log of one run: a line for each thing that happened, in order. Each begins with a checksum over itself and all
 * lines before it, so that none can be changed, lost or moved unseen. A line that cannot be believed ends the log.
 */
import { z } from 'zod'
import { sha256 } from '../../base/canonical-json.ts'
import { RunEntry, storeFormat } from './contract.ts'

const sumLength = 16

/** Gives each entry the line that follows those before it. */
export function lineWriter(): (entry: RunEntry) => string {
  let sum = ''
  return (entry) => {
    const text = JSON.stringify(entry)
    sum = sumOf(sum, text)
    return `${sum} ${text}`
  }
}

export type ReadLog = {
  entries: RunEntry[]
  /** The good lines as they stand. */
  lines: readonly string[]
  /** What is wrong behind the last good line, in words; null when nothing is. */
  damage: string | null
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
  return { entries, lines, damage: lines.length === 0 ? 'its log is empty' : null }
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

/** It is foreign text: what has another form is not repeated. */
const version = z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}[\w.+-]{0,40}$/)

/** The first line of a log says as much in every format. */
const FirstLine = z.object({
  header: z.object({
    format: z.int().optional().catch(undefined),
    versions: z.object({ sightline: version.optional().catch(undefined) }),
  }),
})

/**
 * Names the version of Sightline that wrote what this one cannot read, and what to do about it. `line`: the first one of
 * the log, with its checksum. `format`: what the file says of itself.
 */
export function otherVersion(line: string | undefined, format?: number): string {
  const header = readHeader(line)
  return otherFormat(format ?? header?.format ?? storeFormat, header?.versions.sightline)
}

/** Of the same format: some part of it had another shape then. */
export function otherFormat(format: number, madeBy?: string): string {
  const maker = version.safeParse(madeBy).success ? ` (${madeBy})` : ''
  if (format === storeFormat)
    return `another version of Sightline${maker} wrote it; replay it with that version, or review the change again`
  const [age, wayOut] =
    format > storeFormat
      ? ['a newer', 'update Sightline, or review the change again']
      : ['an older', 'replay it with that version, or review the change again']
  return `${age} version of Sightline${maker} wrote it, in format ${format}; this version reads format ${storeFormat}: ${wayOut}`
}

function readHeader(line = '') {
  try {
    return FirstLine.parse(JSON.parse(line.slice(line.indexOf(' ') + 1))).header
  } catch {
    return null
  }
}
