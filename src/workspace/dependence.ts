/**
 * Which of two open changes of different repositories has to be merged first, by what one takes away or adds and the other stops or
 * begins to use. Only what both change is compared: what neither touches is no reason to wait.
 */
import { oncePer } from '../base/remembered.ts'
import type { FactStore } from '../code-index/contract.ts'
import type { Break } from './contract.ts'
import { type ChangedSides, findBreaks, type KindBreaks } from './find-breaks.ts'
import { findBrokenUses } from './find-uses.ts'

/** `name`: of its repository, `acme/ci`; null where nothing says so. */
export type Half = ChangedSides & { name: string | null }

/** What the `user` stops to use, since the other change takes it away, and what it begins to use, since the other one adds it. */
export type Need = { stops: readonly Break[]; begins: readonly Break[] }

export async function needOf(user: Half, provider: Half, facts: FactStore): Promise<Need> {
  const { taken, added } = await findChanges(provider)
  const [wasTaken, isTaken] = await usedIn(user, taken, provider, facts)
  const [wasAdded, isAdded] = await usedIn(user, added, provider, facts)
  return {
    stops: [...wasTaken].filter((one) => !isTaken.has(one)),
    begins: [...isAdded].filter((one) => !wasAdded.has(one)),
  }
}

type Changes = { taken: readonly KindBreaks[]; added: readonly KindBreaks[] }

/** Of each half once, however many others it is compared with. */
const findChanges = oncePer(async ({ base, head, before, after }: Half): Promise<Changes> => {
  const taken = await findBreaks({ base, head, before, after })
  return { taken, added: await findBreaks({ base: head, head: base, before: after, after: before }) }
})

/** Which of these the changed files use, before the change and after it. */
async function usedIn(
  user: Half,
  found: readonly KindBreaks[],
  { name }: Half,
  facts: FactStore,
): Promise<[Set<Break>, Set<Break>]> {
  const used = async ({ snapshot }: Half['base'], paths: readonly string[]) => {
    const mayUse = (kind: KindBreaks['kind']) => paths.filter((path) => kind.mayUse(path))
    const uses = found.length === 0 ? [] : await findBrokenUses(found, mayUse, snapshot, facts, name)
    return new Set(uses.map(({ broken }) => broken))
  }
  return [await used(user.base, user.before), await used(user.head, user.after)]
}
