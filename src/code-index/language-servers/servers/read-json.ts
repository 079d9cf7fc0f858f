/** JSON as people write it in configurations, with comments and trailing commas. */
import { jsonrepair } from 'jsonrepair'

const longest = 64 * 1024

/** Null for what cannot be read, or is no object. */
export function readObject(text: string | null): Readonly<Record<string, unknown>> | null {
  if (text === null || text.length > longest) return null
  try {
    const value: unknown = JSON.parse(jsonrepair(text))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
