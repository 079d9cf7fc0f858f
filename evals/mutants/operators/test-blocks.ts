/** Tests that were there before the change, found by how each language writes them. */
import type { Ground, Language } from '../contract.ts'
import { allSources, oldPlace, type Source } from '../sources.ts'

export type TestBlock = { source: Source; index: number; count: number }

const starts: Readonly<Record<Language, RegExp>> = {
  typescript: /^test\(/,
  python: /^def test_/,
  go: /^func Test/,
  rust: /^ {4}#\[test\]$/,
  java: /^ {2}@Test$/,
}
const ends: Readonly<Record<Language, RegExp>> = {
  typescript: /^\}\)$/,
  python: /^\S/,
  go: /^\}$/,
  rust: /^ {4}\}$/,
  java: /^ {2}\}$/,
}

export function oldTests(ground: Ground): TestBlock[] {
  return allSources(ground).flatMap((source) =>
    source.lines.flatMap((line, index) => {
      if (!starts[source.language].test(line)) return []
      const count = lengthOf(source, index)
      return oldPlace(ground, source, index, count) ? [{ source, index, count }] : []
    }),
  )
}

/** Lines up to and with the closing one; a Python test ends before the next line at the margin. */
function lengthOf({ lines, language }: Source, from: number): number {
  let at = from + 1
  while (at < lines.length && !ends[language].test(lines[at] ?? '')) at++
  if (language !== 'python') return at - from + 1
  while ((lines[at - 1] ?? '').trim() === '') at--
  return at - from
}

const assertions: Readonly<Record<Language, RegExp>> = {
  typescript: /^\s+(?:await )?expect\(.*\)$/,
  python: /^\s+assert /,
  go: /^\s+if .*\{$/,
  rust: /^\s+assert(?:_eq)?!\(.*\);$/,
  java: /^\s+assert\w+\(.*\);$/,
}

/** Indexes of assertions of a test, with the number of lines of each. */
export function assertionsOf({ source, index, count }: TestBlock): { index: number; count: number }[] {
  return source.lines.slice(index, index + count).flatMap((line, step) => {
    const at = index + step
    if (!assertions[source.language].test(line)) return []
    if (source.language !== 'go') return [{ index: at, count: 1 }]
    return /^\s+t\.Error/.test(source.lines[at + 1] ?? '') && /^\s+\}$/.test(source.lines[at + 2] ?? '')
      ? [{ index: at, count: 3 }]
      : []
  })
}
