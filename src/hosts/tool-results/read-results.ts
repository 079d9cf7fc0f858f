/** Reads a file of results, whatever the tool. The format is recognized by the content. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import type { ToolResult } from '../../domain/tool-result.ts'
import { checkstyle } from './checkstyle.ts'
import type { ResultFormat } from './contract.ts'
import { rdjson } from './rdjson.ts'
import { sarif } from './sarif.ts'

export const resultFormats: readonly ResultFormat[] = [sarif, rdjson, checkstyle]

/**
 * `name` is for messages, and `wanted` the only format that will do, when given. Throws `usage` for another format and for a
 * damaged file; an empty file has no results.
 */
export function readToolResults(content: string, name: string, wanted?: string): ToolResult[] {
  const text = content.replace(/^\ufeff/, '').trimStart()
  if (text === '') return []
  const format = resultFormats.find((one) => one.matches(text))
  if (!format)
    throw new UserError(
      'usage',
      `the format of ${name} is not supported; use ${resultFormats.map((one) => one.name).join(', ')}`,
    )
  if (wanted !== undefined && format.name.toLowerCase() !== wanted)
    throw new UserError('usage', `${name} is ${format.name}, not ${wanted}`)
  try {
    return format.read(text)
  } catch (error) {
    throw new UserError('usage', `${name} is not valid ${format.name}: ${wordsOf(error)}`, { cause: error })
  }
}

/** The first problem of a schema, with its place. */
function wordsOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues
    return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`
  }
  return error instanceof Error ? error.message : String(error)
}
