/** A small shop whose last commit breaks its total, and the bundle of that commit as a review makes it. */
import { openContextTools } from '../../../src/assembly/open-context-tools.ts'
import type { IndexStore } from '../../../src/code-index/contract.ts'
import { Config, defaultConfig } from '../../../src/config/schema.ts'
import { defaultSettings } from '../../../src/config/settings/schema.ts'
import type { ReviewContext } from '../../../src/domain/review-context.ts'
import type { CollectedChange } from '../../../src/hosts/contract.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import { readChangeSet } from '../../../src/pipeline/diff/read-change-set.ts'
import { type ContextParts, freezeContext } from '../../../src/pipeline/freeze-context.ts'
import type { TestRepo } from '../../helpers/git-repo.ts'
import { changeOver } from '../../helpers/in-memory/change.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

const files = {
  'CLAUDE.md': 'Write tests.\n',
  'src/price.ts': 'export function round(cents: number): number {\n  return Math.round(cents)\n}\n',
  'src/cart.ts':
    "import { round } from './price.ts'\n\nexport function total(items: number[]): number {\n  return items.reduce((sum, item) => sum + round(item), 0)\n}\n",
  'src/page.ts':
    "import { total } from './cart.ts'\n\nexport function page(): string {\n  return String(total([1, 2]))\n}\n",
  'test/cart.test.ts':
    "import { total } from '../src/cart.ts'\n\nexport function checksTotal(): void {\n  total([1])\n}\n",
}

const cart = files['src/cart.ts']
const changed = { 'src/cart.ts': cart.replace('sum + round(item)', 'sum - round(item)') }

/** The last of three commits, in memory. */
export function shopChange(): CollectedChange {
  const commit = (at: number, paths: string[]) => ({
    commit: String(at).repeat(40),
    authorName: 'Ada',
    authorEmail: 'ada@example.org',
    time: 1_700_000_000 + 60 * at,
    subject: 'change',
    paths,
  })
  const commits = [commit(2, ['src/cart.ts', 'src/page.ts']), commit(1, Object.keys(files))]
  return { ...changeOver(files, changed), history: { recent: async () => ({ commits, complete: true }) } }
}

/** Three commits, always with the same ids. */
export function commitShop(repo: TestRepo): void {
  repo.commit({ ...files, 'src/cart.ts': '// old\n', 'src/page.ts': '// old\n' })
  repo.commit(files)
  repo.commit(changed)
}

export type FreezeWish = {
  /** Of the section `context` of the configuration. */
  context?: object
  some?: Partial<ContextParts>
  /** Kept open; without it the bundle is made with a store of its own, which knows nothing yet. */
  facts?: IndexStore
}

/** Everything it opened is closed when it returns. */
export async function freezeHead(folder: string, wish: FreezeWish = {}): Promise<ReviewContext> {
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  return await freezeChange(await collectLocal({ folder, selector, limits: defaultConfig.limits }), wish)
}

export async function freezeChange(
  change: CollectedChange,
  { context = {}, some = {}, facts: given }: FreezeWish = {},
): Promise<ReviewContext> {
  const config = Config.parse({ review: { depth: 'standard' }, context })
  const facts = given ?? sharedFacts()
  try {
    const { signal } = new AbortController()
    const { sandbox } = defaultSettings
    const parts = { change, facts, cacheFolder: null, config, journal: null, sandbox, signal }
    const { retrieveGraph } = openContextTools(parts)
    const set = await readChangeSet(await change.diff(), { ...config.paths, base: change.base })
    return await freezeContext(change, set, { config, facts, signal, retrieveGraph, ...some })
  } finally {
    await Promise.all([given ? null : facts.close(), change.close()])
  }
}
