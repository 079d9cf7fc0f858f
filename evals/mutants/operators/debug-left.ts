/** A statement for debugging was left in. */
import type { Language, Operator } from '../contract.ts'
import { changedSources, editLines } from '../sources.ts'

const statement: Readonly<Partial<Record<Language, string>>> = {
  typescript: 'debugger',
  python: 'breakpoint()',
}

export const debugLeft: Operator = {
  name: 'debug-left',
  category: 'maintainability',
  severity: 'medium',
  context: 'diff',
  mutate: (ground) =>
    changedSources(ground).flatMap((source) => {
      const words = statement[source.language]
      if (words === undefined) return []
      return source.lines.flatMap((line, index) =>
        source.isNew(index) && /^\s+return\b/.test(line)
          ? [
              editLines(
                source,
                index,
                0,
                [`${/^\s*/.exec(line)?.[0] ?? ''}${words}`],
                `\`${words}\` was left in; the program stops there when it is run.`,
              ),
            ]
          : [],
      )
    }),
}
