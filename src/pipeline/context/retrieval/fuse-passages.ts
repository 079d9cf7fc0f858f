/** Fuses the lists into one order by reciprocal ranks; passages of one place become one. */
import {
  type Passage,
  type PassageList,
  type PassageLists,
  passageLists,
  type RankedPassage,
} from './contract.ts'

/** Chosen by the ablations of docs/quality/context.md; 0 leaves a list out. */
export const usualWeights: Readonly<Record<PassageList, number>> = {
  enclosing: 1.5,
  used: 2,
  callers: 1.5,
  tests: 0.7,
  neighbours: 1,
  'look-alikes': 0.7,
  partners: 0.4,
}

const damping = 20

/** Best first, then by path and line. */
export function fusePassages(
  lists: PassageLists,
  weights: Readonly<Record<PassageList, number>> = usualWeights,
): RankedPassage[] {
  const fused: RankedPassage[] = []
  const byFile = new Map<string, RankedPassage[]>()
  for (const list of passageLists) {
    if (weights[list] === 0) continue
    for (const [at, passage] of lists[list].entries()) {
      const here = byFile.get(passage.path) ?? []
      const known = here.find((one) => covers(one, passage))
      const gain = weights[list] / (damping + at + 1)
      if (known) {
        if (known.ranks[list] === undefined) known.score += gain
        known.ranks[list] ??= at + 1
        continue
      }
      const added = { ...passage, score: gain, ranks: { [list]: at + 1 } }
      fused.push(added)
      byFile.set(passage.path, [...here, added])
    }
  }
  return fused.sort(
    (a, b) => b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.startLine - b.startLine),
  )
}

/** Most of the one lies inside the other. */
function covers(known: Passage, { startLine, endLine }: Passage): boolean {
  const common = Math.min(known.endLine, endLine) - Math.max(known.startLine, startLine) + 1
  return common >= 0.7 * (endLine - startLine + 1)
}
