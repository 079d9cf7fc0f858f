/** Reads a set of planted findings, and draws some of it by a seed: as many true as false ones, and every kind. */

import type { EvalCase } from '../cases/eval-case.ts'
import { parseSet, readSet } from '../cases/read-cases.ts'
import { seededRandom } from '../scores/random.ts'
import { PlantedFinding, type PlantedKind } from './planted-finding.ts'

/** Throws `cases-invalid`. */
export async function readPlanted(file: string): Promise<PlantedFinding[]> {
  return parsePlanted(await readSet(file), file)
}

/** As `readPlanted`, from text; `name` is for the messages. */
export function parsePlanted(text: string, name: string): PlantedFinding[] {
  return parseSet(text, name, (record) => PlantedFinding.parse(record))
}

/**
 * At most `count`, in an order that tells nothing: every second one is true as it stands, the others take turns by kind. Of
 * findings that say the same of one change, one is drawn. The same set, seed and count give the same draw.
 */
export function drawPlanted(all: readonly PlantedFinding[], seed: number, count: number): PlantedFinding[] {
  const random = seededRandom(seed)
  const waiting = new Map<PlantedKind, PlantedFinding[]>()
  for (const one of shuffled(all, random)) waiting.set(one.kind, [...(waiting.get(one.kind) ?? []), one])
  const falsehoods = [...waiting.keys()].filter((kind) => kind !== 'true').sort()
  const drawn: PlantedFinding[] = []
  const said = new Set<string>()
  const take = (kind: PlantedKind): boolean => {
    for (let one = waiting.get(kind)?.shift(); one; one = waiting.get(kind)?.shift()) {
      const claim = one.same_as ?? one.id
      if (said.has(claim)) continue
      said.add(claim)
      drawn.push(one)
      return true
    }
    return false
  }
  for (let turn = 0, tookAny = true; tookAny && drawn.length < count; turn++) {
    const kind = falsehoods[turn % Math.max(1, falsehoods.length)]
    const tookFalse = kind !== undefined && take(kind)
    const tookTrue = drawn.length < count && take('true')
    tookAny = tookFalse || tookTrue || falsehoods.some((one) => (waiting.get(one)?.length ?? 0) > 0)
  }
  return shuffled(drawn, random)
}

/** The changes that they are of, each once, in the order of the draw. */
export function changesOf(planted: readonly PlantedFinding[]): EvalCase[] {
  const byId = new Map(planted.map((one) => [changeOf(one), one]))
  return [...byId].map(([id, { repo, url, base, head, language }]) => ({
    id,
    repo,
    url,
    base,
    head,
    kind: 'fault',
    source: 'planted',
    language,
    expected: [],
    rejected: [],
    twin: null,
  }))
}

/** The id of its change among the cases of an evaluation. */
export function changeOf({ repo, base, head }: Pick<PlantedFinding, 'repo' | 'base' | 'head'>): string {
  return `${repo}@${base.slice(0, 12)}..${head.slice(0, 12)}`
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const keyed = items.map((item) => ({ item, key: random() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
}
