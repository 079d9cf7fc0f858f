/**
 * Where a canary got out. Any five characters in a row of what nobody may see are a leak, and so is the first of them
 * behind what may be shown. The values are drawn so that no other text has five such characters, but for hexadecimal
 * ones, of which every hash is full: of those five count when they stand alone, and ten anywhere.
 */
import { type Canary, telling } from './kinds.ts'

const certain = 10
/** What is told of a leak, on either side. */
const around = 30
/** With hyphens, as in a UUID and in the id of a run. */
const hexadecimal = /^[0-9a-f-]+$/

/** Finds those that got out, each with the text around it. */
export function leakFinder<Planted extends Canary>(
  planted: readonly Planted[],
): (text: string, look: { beginnings: boolean }) => ReadonlyMap<Planted, string> {
  const grams = new Map<string, { one: Planted; value: string }>()
  for (const one of planted)
    for (const value of one.hidden)
      for (let at = 0; at + telling <= value.length; at++)
        grams.set(value.slice(at, at + telling), { one, value })
  const beginnings = planted.flatMap((one) => {
    const beginning = beginningOf(one)
    return beginning === null ? [] : [{ one, beginning }]
  })
  return (text, look) => {
    const found = new Map<Planted, string>()
    // Outputs show the same lines many times, and no hidden part spans two.
    for (const line of new Set(text.split('\n'))) {
      for (let at = 0; at + telling <= line.length; at++) {
        const gram = line.slice(at, at + telling)
        const hit = grams.get(gram)
        if (hit && (!hexadecimal.test(gram) || isOfIts(hit.value, line, at)))
          found.set(hit.one, line.slice(Math.max(0, at - around), at + telling + around))
      }
    }
    for (const { one, beginning } of look.beginnings ? beginnings : []) {
      const at = text.indexOf(beginning)
      if (at >= 0) found.set(one, text.slice(Math.max(0, at - around), at + beginning.length + around))
    }
    return found
  }
}

/** Not five characters in the middle of some other hash. */
function isOfIts(value: string, line: string, at: number): boolean {
  if (value.includes(line.slice(at, at + certain)) && line.length >= at + certain) return true
  let [start, end] = [at, at + telling]
  while (start > 0 && /[0-9a-f-]/.test(line[start - 1] ?? '')) start--
  while (end < line.length && /[0-9a-f-]/.test(line[end] ?? '')) end++
  return value.includes(line.slice(start, end))
}

/** The name of a token, what may be shown of it, and one character more. */
function beginningOf({ text, hidden, shown }: Canary): string | null {
  const [value = ''] = hidden
  const at = text.indexOf(value)
  const before = /[^\s"'=:/]*[="':/]*$/.exec(text.slice(Math.max(0, at - 12), at))?.[0] ?? ''
  return before.length < 3 ? null : before + value.slice(0, shown + 1)
}
