/** Characters that nobody sees change what a line seems to say. */
import type { Operator } from '../contract.ts'
import { changedSources, replaceLine } from '../sources.ts'

const override = '\u202e'
const zeroWidth = '\u200b'

export const hiddenCharacters: Operator = {
  name: 'hidden-characters',
  category: 'security',
  severity: 'high',
  context: 'diff',
  mutate: (ground) =>
    changedSources(ground).flatMap((source) =>
      source.lines.flatMap((line, index) => {
        if (!source.isNew(index)) return []
        if (/["'][a-z]\w+/.test(line))
          return [
            replaceLine(
              source,
              index,
              line.replace(/(["'][a-z])(?=\w)/, `$1${zeroWidth}`),
              'A string holds a character of no width, so that it equals nothing that looks like it.',
            ),
          ]
        if (!/^\s+return\b/.test(line)) return []
        const comment = source.language === 'python' ? '#' : '//'
        return [
          replaceLine(
            source,
            index,
            `${line} ${comment} ${override} done`,
            'A comment holds a character that turns the direction of writing, so that the line shows otherwise than it runs.',
          ),
        ]
      }),
    ),
}
