/** Small files, each with a name of its own, for stores that several processes write. */
import { sha256 } from '../../../src/base/canonical-json.ts'

/** Big enough that a few of them fill a pack. */
export function source(number: number): { path: string; blob: string; text: string } {
  const lines = Array.from(
    { length: 60 },
    (_, at) => `def f${number}_${at}(a, b=${at}):\n    return g${number}(a, ${at})\n`,
  )
  const text = lines.join('')
  return { path: `f${number}.py`, blob: sha256(text), text }
}
