/** Early exits: a condition, one line that leaves, and what closes it. */
import type { Ground, Mutation } from '../contract.ts'
import { changedSources, removeLines, type Source } from '../sources.ts'

type Guard = { source: Source; index: number; count: number; condition: string }

/** Guards that the change introduced and whose condition is of the kind asked for. */
export function withoutGuards(
  ground: Ground,
  isWanted: (condition: string) => boolean,
  describe: (condition: string) => string,
): Mutation[] {
  return changedSources(ground)
    .flatMap(guardsOf)
    .filter(({ condition }) => isWanted(condition))
    .map(({ source, index, count, condition }) =>
      removeLines(ground, source, index, count, describe(condition)),
    )
}

function guardsOf(source: Source): Guard[] {
  return source.lines.flatMap((line, index) => {
    const condition = /^\s*if \(?(.*?)\)?(?: \{|:)$/.exec(line)?.[1]
    if (condition === undefined || condition.includes(';') || !source.isNew(index)) return []
    const leaves = /^\s*(?:return|throw|raise|continue)\b/.test(source.lines[index + 1] ?? '')
    const closes = /^\s*\}$/.test(source.lines[index + 2] ?? '')
    if (!leaves) return []
    if (source.language === 'python') return [{ source, index, count: 2, condition }]
    return closes ? [{ source, index, count: 3, condition }] : []
  })
}
