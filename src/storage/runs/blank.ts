/** Takes secrets out of all that is written of a run: keys of this machine by their value, all others by their form. */
import { findByOwnPatterns } from '../../base/secrets/find-secrets.ts'
import { redactStrings } from '../../base/secrets/redact.ts'

export type Blanker = {
  /** The thorough way, for what goes over the wire. */
  thoroughly<Value>(value: Value): Promise<Value>
  /** For the trace, whose lines cannot wait: without the library's rules. */
  atOnce<Value>(value: Value): Value
}

/** Plain JSON values only; keys of objects stay. */
export function createBlanker(keys: readonly string[]): Blanker {
  const withoutKeys = (text: string) => keys.reduce((rest, key) => rest.replaceAll(key, '…'), text)
  return {
    thoroughly: async (value) => await redactStrings(mapStrings(value, withoutKeys)),
    atOnce: (value) => mapStrings(value, (text) => withoutForms(withoutKeys(text))),
  }
}

function withoutForms(text: string): string {
  let clean = ''
  let at = 0
  for (const { start, end } of findByOwnPatterns(text)) {
    clean += `${text.slice(at, start)}…`
    at = end
  }
  return clean + text.slice(at)
}

/** The very same value when no string changes. */
function mapStrings<Value>(value: Value, change: (text: string) => string): Value {
  let isChanged = false
  const text = JSON.stringify(value, (_key, inner) => {
    if (typeof inner !== 'string') return inner
    const changed = change(inner)
    isChanged ||= changed !== inner
    return changed
  })
  return isChanged ? JSON.parse(text) : value
}
