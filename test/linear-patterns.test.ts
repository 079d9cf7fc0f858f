/**
 * No pattern of the program may take more than linear time on what strangers write. Two looks: `scslre` reasons about
 * the pattern, and our own step counter tries the texts that make it start over. Patterns of rules are not meant here:
 * those run on engines that are linear by themselves (`src/tools/grep.ts`, ast-grep).
 */
import { resolve } from 'node:path'
import { analyse } from 'scslre'
import { expect, test } from 'vitest'
import { attacksOn, attackText } from './helpers/patterns/attack-texts.ts'
import { collectPatterns, patternsOf, type WrittenPattern } from './helpers/patterns/collect-patterns.ts'
import { readPattern, stepCounter } from './helpers/patterns/count-steps.ts'

/** Super-linear, on a text that is short by construction. Each with its bound. */
const bounded: Record<string, string> = {
  '[^ \\t]*$': 'pipeline/planes/hidden-text/plane.ts: a slice of 40 characters',
  '"(?:[^"\\\\\\n]|\\\\.)*"|\'(?:[^\'\\\\\\n]|\\\\.)*\'|`(?:[^`\\\\]|\\\\[\\s\\S])*`':
    'pipeline/validation/suggestion/literals.ts: 10,000 characters, in harmless.ts',
}

const patterns = collectPatterns(resolve(import.meta.dirname, '../src'))

test('no pattern of src takes more than linear time', () => {
  expect(patterns.length).toBeGreaterThan(700)
  const suspects = [...new Map(patterns.map((one) => [`/${one.source}/${one.flags}`, one])).values()].filter(
    (one) => !(one.source in bounded),
  )
  expect(suspects.flatMap(complaint)).toEqual([])
})

test('the table of bounded patterns has no row that is no longer needed', () => {
  const written = new Set(patterns.map(({ source }) => source))
  expect(Object.keys(bounded).filter((source) => !written.has(source))).toEqual([])
})

test.each([
  ['spaces before a line end', String.raw`/\s*\n\s*/g`],
  ['a run at the end', String.raw`/\/+$/`],
  ['two repeats that share characters', String.raw`/^\w*[A-Za-z]\w*$/`],
  ['a start within its own rest', String.raw`/(?:^|\/)dist\/.*\.js$/`],
  ['strings with escapes', String.raw`/"(?:[^"\\]|\\.)*"/g`],
  ['a rest that ends at a line end', String.raw`/^(?:(?:esm|cjs)\/)*(.*)$/`],
  ['exponential', '/^(?:a|a)*$/'],
  ['line starts that are in the class', String.raw`/^([^\S\n]*):(?=:)/gm`],
  ['what is built from a constant', 'new RegExp(ending)\nconst ending = "\\\\s+$"'],
])('the check itself sees %s', (_, code) => {
  expect(patternsOf('sample.ts', `export const sample = ${code}\n`).flatMap(complaint)).toHaveLength(1)
})

function complaint(pattern: WrittenPattern): string[] {
  const why = reasoned(pattern) ?? counted(pattern)
  return why === null ? [] : [`${pattern.file}:${pattern.line} /${pattern.source}/${pattern.flags}: ${why}`]
}

function reasoned({ source, flags }: WrittenPattern): string | null {
  const { reports } = analyse({ source, flags }, { assumeRejectingSuffix: false })
  return reports.length === 0 ? null : reports.map(({ type }) => type).join(', ')
}

const times = 16

/** Twice the text costs twice the steps when a pattern is linear, and four times when it is quadratic. */
function counted({ source, flags }: WrittenPattern): string | null {
  const pattern = readPattern(source, flags)
  const count = stepCounter(pattern, flags)
  for (const attack of attacksOn(pattern, flags)) {
    const twice = count(attackText(attack, 2 * times))
    if (twice <= 10 * times) continue
    const once = count(attackText(attack, times))
    if (twice >= 3 * once) return `${once} steps become ${twice} on twice ${JSON.stringify(attack.again)}`
  }
  return null
}
