/** For programs: every event as one line of JSON (NDJSON). */
import { asciiJson } from '../output/ascii-json.ts'
import type { ProgressView } from './contract.ts'

export function showEvents(write: (text: string) => void): ProgressView {
  return { onEvent: (event) => write(`${asciiJson(event)}\n`), pause: () => () => {}, end: () => {} }
}
