/** A bound is one too far, or one too near. */
import type { Operator } from '../contract.ts'
import { atNewLines } from '../sources.ts'

const other: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

export const offByOne: Operator = {
  name: 'off-by-one',
  category: 'correctness',
  severity: 'high',
  context: 'diff',
  mutate: (ground) =>
    atNewLines(
      ground,
      (line) => {
        if (/ [<>]=? /.test(line))
          return line.replace(/ ([<>]=?) /, (_all, sign) => ` ${other[sign] ?? sign} `)
        return / [+-] 1\b/.test(line) ? line.replace(/ [+-] 1\b/, '') : null
      },
      (line) => `The bound in \`${line}\` is off by one: the value at the end is now taken in, or left out.`,
    ),
}
