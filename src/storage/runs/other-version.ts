/** Names the version of Sightline that wrote what this one cannot read, and what to do about it. */
import { z } from 'zod'
import { storeFormat } from '../contract.ts'

/** It is foreign text: what has another form is not repeated. */
const version = z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}[\w.+-]{0,40}$/)

/** The first line of a log says as much in every format. */
const FirstLine = z.object({
  header: z.object({
    format: z.int().optional().catch(undefined),
    versions: z.object({ sightline: version.optional().catch(undefined) }),
  }),
})

/** `line`: the first one of the log, with its checksum. `format`: what the file says of itself. */
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
