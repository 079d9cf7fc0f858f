/** JSON as tsconfig.json has it: comments, trailing commas and a byte order mark allowed. */
import { type ParseError, parse } from 'jsonc-parser'

/** Null for anything that is no JSON object, or is nested too deep to be read. */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  const errors: ParseError[] = []
  try {
    const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true })
    return errors.length === 0 && isObject(value) ? value : null
  } catch {
    return null
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
