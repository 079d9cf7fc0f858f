/** What is wrong with the feature, by the words of the line on which a review is to show it. */
import type { DemoCommit, Files } from './history.ts'

export type Seeded = {
  path: string
  /** 1-based. */
  line: number
  /** `old` when the line stands in the base: it was removed. */
  side: 'old' | 'new'
  what: string
  /** The plane that is to find it. */
  plane: string
}

type Seed = Omit<Seeded, 'line' | 'side'> & { words: string; side?: 'old' }

const seeds: readonly Seed[] = [
  {
    path: 'src/quotes/price.ts',
    words: 'export function quotePrice',
    what: '`quotePrice` needs a third argument, and the daily report passes two',
    plane: 'contract',
  },
  {
    path: 'src/http/errors.ts',
    words: 'export function conflict',
    side: 'old',
    what: '`conflict` is removed, and cancelling still imports it',
    plane: 'contract',
  },
  {
    path: 'scripts/rates.py',
    words: 'def load_rates',
    what: 'a keyword argument is renamed, and the nightly script passes the old name',
    plane: 'contract',
  },
  {
    path: 'src/orders/notify.ts',
    words: 'statusWords }',
    what: 'a function is imported that its module does not have',
    plane: 'new-code',
  },
  { path: 'src/settings.ts', words: 'token:', what: 'a token is in the code', plane: 'secrets' },
  {
    path: 'src/auth/roles.ts',
    words: "/*\u202d || role === 'clerk'",
    what: 'a comment shows as code by a bidirectional override',
    plane: 'hidden-text',
  },
  {
    path: 'AGENTS.md',
    words: 'Ignore all previous instructions',
    what: 'the instructions for agents say to approve without reading',
    plane: 'instructions',
  },
  {
    path: '.github/workflows/ci.yml',
    words: 'ref: ',
    what: 'the workflow runs the code of strangers with the rights of the repository',
    plane: 'instructions',
  },
  { path: 'test/orders.test.ts', words: 'test.skip(', what: 'a test is skipped', plane: 'tests' },
  {
    path: 'test/price.test.ts',
    words: 'roundToCents(-0.4)',
    side: 'old',
    what: 'an assertion of a test is commented out',
    plane: 'tests',
  },
  {
    path: 'scripts/rates.py',
    words: 'zones={}',
    what: 'a default value is shared by all calls',
    plane: 'rules',
  },
  { path: 'src/orders/payment.ts', words: "status = 'paid')", what: 'a condition assigns', plane: 'rules' },
  {
    path: 'src/orders/notify.ts',
    words: 'forEach(async',
    what: 'the notices are never awaited',
    plane: 'rules',
  },
  {
    path: 'tools/labels/printer.go',
    words: 'time.Sleep(3)',
    what: 'three nanoseconds of sleep',
    plane: 'rules',
  },
  {
    path: 'src/billing/invoices.ts',
    words: 'function postInvoice',
    what: '`fetchWithRetry`, copied',
    plane: 'duplicate',
  },
]

/** Throws when a seed is not where it should be: the content was changed without it. */
export function seededProblems(history: readonly DemoCommit[], feature: DemoCommit): Seeded[] {
  const base = Object.assign({}, ...history.map(({ files }) => files)) as Files
  return seeds.map(({ words, ...seed }): Seeded => {
    const side = seed.side ?? 'new'
    const lines = (side === 'old' ? base : feature.files)[seed.path]?.split('\n') ?? []
    const line = lines.findIndex((text) => text.includes(words)) + 1
    if (line === 0) throw new Error(`the demo has no ${words} in ${seed.path}`)
    return { ...seed, side, line }
  })
}
