/** Reads a set: a file of JSON lines (or one JSON list), each record in any of the known formats. */
import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { visibleLine } from '../../src/index.ts'
import { EvaluationError } from '../base/errors.ts'
import type { EvalCase } from './eval-case.ts'
import { caseFormats } from './formats/registry.ts'

const mostBytes = 256 * 1024 * 1024
const mostProblems = 5

/** Throws `cases-invalid` with the first problems when a record cannot be read, or when an id occurs twice. */
export async function readCases(file: string): Promise<EvalCase[]> {
  return parseCases(await readSet(file), file)
}

/** The text of a set. Throws `cases-invalid` for a file that cannot be read. */
export async function readSet(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > mostBytes) throw new Error(`it is larger than ${mostBytes} bytes`)
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new EvaluationError('cases-invalid', `${file}: ${error instanceof Error ? error.message : error}`)
  }
}

/** As `readCases`, from text; `name` is for the messages. */
export function parseCases(text: string, name: string): EvalCase[] {
  return parseSet(text, name, readCase)
}

/** Each record of a set, as `read` has it. Throws `cases-invalid`, as `readCases` does; so does whatever `read` throws. */
export function parseSet<Read extends { id: string }>(
  text: string,
  name: string,
  read: (record: unknown) => Read,
): Read[] {
  const problems: string[] = []
  const cases: Read[] = []
  const seen = new Set<string>()
  for (const { place, record } of recordsOf(text, name)) {
    try {
      const one = read(record)
      if (seen.has(one.id)) throw new Error(`the id ${one.id} occurs twice`)
      seen.add(one.id)
      cases.push(one)
    } catch (error) {
      problems.push(`${place}: ${visibleLine(wordsOf(error))}`)
      if (problems.length >= mostProblems) break
    }
  }
  if (problems.length > 0) throw new EvaluationError('cases-invalid', problems.join('\n'))
  if (cases.length === 0) throw new EvaluationError('cases-invalid', `${name} holds no case`)
  return cases
}

function readCase(record: unknown): EvalCase {
  const fields = z.record(z.string(), z.unknown()).parse(record)
  const format = caseFormats.find((one) => one.recognises(fields))
  if (!format) throw new Error(`it is of no known format (${caseFormats.map((one) => one.name).join(', ')})`)
  return format.read(fields)
}

type Numbered = { place: string; record: unknown }

function recordsOf(text: string, name: string): Numbered[] {
  if (text.trimStart().startsWith('[')) {
    const list = z.array(z.unknown()).safeParse(parse(text, name))
    if (!list.success) throw new EvaluationError('cases-invalid', `${name}: it is not a list`)
    return list.data.map((record, at) => ({ place: `${name}, record ${at + 1}`, record }))
  }
  return text.split('\n').flatMap((line, at) => {
    const place = `${name}:${at + 1}`
    return line.trim() === '' ? [] : [{ place, record: parse(line, place) }]
  })
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new EvaluationError('cases-invalid', `${place}: it is not JSON`)
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => `${path.join('.') || 'record'}: ${message}`).join('; ')
  return error instanceof Error ? error.message : String(error)
}
