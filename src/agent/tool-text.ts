/**
 * An answer of a tool as evidence, without the code that its reader has in front of him: of hits and uses the places
 * remain, of an outline the definitions that are not shown. Whoever quotes what is left out finds it in the evidence.
 */
import { count } from '../base/count.ts'
import type { Evidence } from '../domain/evidence.ts'

export type IsShown = (side: Evidence['side'], path: string, line: number) => boolean

/** With so few definitions that are not shown, and with so small a share of them, an outline says nothing more. */
const leastLeft = 3
const leastShare = 0.25

/** Null for an answer that says nothing more. */
export function withoutShownLines({ source, path, title, text }: Evidence, isShown: IsShown): string | null {
  if (source !== 'tool' || path !== null) return text
  const side = title.includes('"side":"base"') ? 'old' : 'new'
  const outlined = outlineOf(title)
  if (outlined !== null) return restOfOutline(text, (line) => isShown('new', outlined, line))
  return placesOfShown(text, (file, line) => isShown(side, file, line))
}

function outlineOf(title: string): string | null {
  return /^outline_symbols::\{"path":"([^"\\]*)"\}$/.exec(title)?.[1] ?? null
}

function restOfOutline(text: string, isShown: (line: number) => boolean): string | null {
  const lines = text.split('\n')
  const entries = lines.filter((line) => startOf(line) !== null)
  const left = lines.filter((line) => !isShown(startOf(line) ?? 0))
  const missing = lines.length - left.length
  const named = entries.length - missing
  if (missing === 0) return text
  if (named < leastLeft || named < leastShare * entries.length) return null
  return [
    ...left,
    `(${missing} of ${count(entries.length, 'definition')} begin in the code above and are left out)`,
  ].join('\n')
}

/** `  12-30 method load()` begins at 12. */
function startOf(line: string): number | null {
  const [, start] = /^\s*(\d+)-\d+ /.exec(line) ?? []
  return start === undefined ? null : Number(start)
}

/** `src/a.ts:12: code`, or `src/a.ts:12 call (import): code`. */
const hit = /^(\S+?):(\d+)(?: (\w+ \([^)]*\)))?: ./

/** Neighboring hits of one file become one line: `src/a.ts:12, 15: shown above`. */
function placesOfShown(text: string, isShown: (path: string, line: number) => boolean): string {
  const told: (string | { path: string; places: string[] })[] = []
  for (const line of text.split('\n')) {
    const [, path = '', number = '', how] = hit.exec(line) ?? []
    if (path === '' || !isShown(path, Number(number))) {
      told.push(line)
      continue
    }
    const place = how === undefined ? number : `${number} ${how}`
    const last = told.at(-1)
    if (typeof last === 'object' && last.path === path) last.places.push(place)
    else told.push({ path, places: [place] })
  }
  return told
    .map((one) => (typeof one === 'string' ? one : `${one.path}:${one.places.join(', ')}: shown above`))
    .join('\n')
}
