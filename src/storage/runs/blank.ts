/** Takes secrets out of all that is written of a run: keys of this machine by their value, all others by their form. */
import { redactStrings } from '../../base/secrets/redact.ts'

/** Plain JSON values only; keys of objects stay. The very same value when nothing is found. */
export type Blanker = <Value>(value: Value) => Value

export function createBlanker(keys: readonly string[]): Blanker {
  const withoutKeys = (text: string) => keys.reduce((rest, key) => rest.replaceAll(key, '…'), text)
  return (value) => redactStrings(mapStrings(value, withoutKeys))
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
