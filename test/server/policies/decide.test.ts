/** What is reviewed, how, and who decided it: every rule of a policy, and what a command of a maintainer lifts. */
import { expect, test } from 'vitest'
import { type Allowance, type ChangeFacts, decide } from '../../../src/server/policies/decide.ts'
import { effectivePolicy } from '../../../src/server/policies/effective.ts'
import { ServerSettings } from '../../../src/server/settings/schema.ts'
import { Random } from '../../helpers/random.ts'

const facts: ChangeFacts = {
  isDraft: false,
  isFork: false,
  author: { login: 'ada', isBot: false, trust: 'member' },
  labels: [],
  baseBranch: 'main',
  files: { paths: ['src/a.ts', 'docs/a.md'], lines: 10, isWhole: true },
}
const free: Allowance = { leftUsd: null, ended: null }

function decideWith(
  settings: Record<string, unknown>,
  change: Partial<ChangeFacts>,
  { allowance = free, isOrdered = false } = {},
) {
  const parsed = ServerSettings.parse(settings)
  const of = { tenant: 'acme', connection: 'github', repository: 'acme/shop' }
  return decide({ ...facts, ...change }, effectivePolicy(parsed, of), allowance, { isOrdered })
}

const byServer = 'the policy of this server'
const review = { kind: 'review', depth: 'auto', budgetUsd: null, notice: null }
const checksOnly = (why: string) => ({
  kind: 'review',
  depth: 'offline',
  budgetUsd: null,
  notice: `Code checks only: ${why}.`,
})
const skip = (why: string, by = byServer) => ({ kind: 'skip', why, by })
/** By somebody of the change itself. */
const held = (why: string) => ({ ...skip(why), isHeld: true })

const stranger = { login: 'eve', isBot: false, trust: 'first-time' } as const
const bot = { login: 'bump', isBot: true, trust: 'none' } as const

const rules: readonly [
  what: string,
  settings: Record<string, unknown>,
  change: Partial<ChangeFacts>,
  then: object,
][] = [
  ['nothing special', {}, {}, review],
  ['a draft', {}, { isDraft: true }, skip('draft')],
  ['drafts wanted', { policy: { drafts: 'review' } }, { isDraft: true }, review],
  [
    'drafts offline',
    { policy: { drafts: 'offline' } },
    { isDraft: true },
    checksOnly(`draft, by ${byServer}`),
  ],
  ['a bot', {}, { author: bot }, checksOnly(`by a bot, by ${byServer}`)],
  ['bots unwanted', { policy: { bots: 'skip' } }, { author: bot }, skip('by a bot')],
  ['a newcomer', {}, { author: stranger }, checksOnly(`by a newcomer, by ${byServer}`)],
  [
    'trust that is not known',
    {},
    { author: { ...stranger, trust: 'unknown' } },
    checksOnly(`by a newcomer, by ${byServer}`),
  ],
  ['a fork', { policy: { forks: 'skip' } }, { isFork: true }, skip('from a fork')],
  ['a label that skips', {}, { labels: ['no-review'] }, held('label no-review')],
  ['a label that is missing', { policy: { onlyLabels: ['ready'] } }, {}, held('none of the labels ready')],
  ['a label that is there', { policy: { onlyLabels: ['ready'] } }, { labels: ['ready'] }, review],
  [
    'only files that are skipped',
    { policy: { skipPaths: ['docs/**', 'src/**'] } },
    {},
    skip('only files that are not reviewed'),
  ],
  ['one file that is not skipped', { policy: { skipPaths: ['docs/**'] } }, {}, review],
  ['no wanted file', { policy: { onlyPaths: ['lib/**'] } }, {}, skip('no file that is reviewed')],
  [
    'a list of files that is not whole proves nothing',
    { policy: { onlyPaths: ['lib/**'] } },
    { files: { paths: ['a'], lines: 1, isWhole: false } },
    checksOnly(`more files than 1, by ${byServer}`),
  ],
  ['many files', { policy: { largestFiles: 1 } }, {}, checksOnly(`more files than 1, by ${byServer}`)],
  [
    'many lines',
    { policy: { largestLines: 9 } },
    {},
    checksOnly(`more changed lines than 9, by ${byServer}`),
  ],
  [
    'another branch',
    { policy: { baseBranches: ['main', 'release/*'] } },
    { baseBranch: 'dev' },
    skip('changes for the branch dev'),
  ],
  ['a depth', { policy: { depth: 'deep' } }, {}, { ...review, depth: 'deep' }],
  [
    'skip wins over offline',
    { policy: { bots: 'skip' } },
    { author: { ...bot, isBot: true }, isDraft: false, files: null },
    skip('by a bot'),
  ],
  [
    'the tenant overrides the server',
    { tenants: { acme: { policy: { drafts: 'review' } } } },
    { isDraft: true },
    review,
  ],
  [
    'the repository overrides the tenant',
    {
      tenants: {
        acme: { policy: { drafts: 'review' }, repositories: { 'acme/shop': { policy: { drafts: 'skip' } } } },
      },
    },
    { isDraft: true },
    skip('draft', 'the policy of acme/shop'),
  ],
  [
    'a tenant that says nothing of a key keeps that of the server',
    { policy: { drafts: 'offline' }, tenants: { acme: { policy: { bots: 'skip' } } } },
    { isDraft: true },
    checksOnly(`draft, by ${byServer}`),
  ],
]

test.for(rules)('%s', ([, settings, change, then]) => {
  expect(decideWith(settings, change)).toEqual(then)
})

test('a maintainer’s command lifts what is held back, but neither labels nor budgets', () => {
  const ordered = { isOrdered: true }
  expect(decideWith({}, { isDraft: true, author: stranger }, ordered)).toEqual(review)
  expect(decideWith({}, { labels: ['no-review'] }, ordered)).toEqual(held('label no-review'))
  const ended: Allowance = { leftUsd: 0, ended: { name: 'the daily budget of acme', until: 'tomorrow' } }
  expect(decideWith({}, {}, { ...ordered, allowance: ended })).toEqual(
    checksOnly('the daily budget of acme is used up until tomorrow'),
  )
})

test('a review costs no more than its own limit and what is left', () => {
  const settings = { budget: { perReview: 3 }, tenants: { acme: { budget: { perReview: 2, daily: 10 } } } }
  expect(decideWith(settings, {}, { allowance: { leftUsd: 10, ended: null } })).toEqual({
    ...review,
    budgetUsd: 2,
  })
  expect(decideWith(settings, {}, { allowance: { leftUsd: 0.5, ended: null } })).toEqual({
    ...review,
    budgetUsd: 0.5,
  })
})

test('a flood of 10,000 changes spends the budget and no more, and nothing for strangers', () => {
  const random = new Random(20_261_123)
  const daily = 50
  /** A model's last call may cost more than what was left for it. */
  const oneCall = 0.2
  let spent = 0
  let reviews = 0
  for (let at = 0; at < 10_000; at++) {
    const trust = random.pick(['owner', 'member', 'contributor', 'first-time', 'none', 'unknown'] as const)
    const change: Partial<ChangeFacts> = {
      author: { login: `flood-${random.between(0, 50)}`, isBot: random.chance(0.3), trust },
      isFork: random.chance(0.5),
      isDraft: random.chance(0.2),
      files: random.pick([
        null,
        { paths: ['src/a.ts'], lines: random.pick([1, 10_000_000]), isWhole: random.chance(0.9) },
      ]),
    }
    const left = daily - spent
    const allowance =
      left > 0.01 ? { leftUsd: left, ended: null } : { leftUsd: 0, ended: { name: 'it', until: 'tomorrow' } }
    const decision = decideWith({ budget: { perReview: 2 } }, change, { allowance })
    if (decision.kind === 'skip' || decision.depth === 'offline') continue
    reviews++
    expect(['owner', 'member', 'contributor']).toContain(trust)
    expect(change.author?.isBot).toBe(false)
    expect(decision.budgetUsd).toBeLessThanOrEqual(Math.min(2, left))
    spent += (decision.budgetUsd ?? Number.POSITIVE_INFINITY) + (left <= 2 ? oneCall : 0)
  }
  expect(reviews).toBeGreaterThanOrEqual(25)
  expect(spent).toBeLessThanOrEqual(daily + oneCall)
})

test('globs of a connection choose repositories, and the settings turn one off', () => {
  const offBy = (settings: Record<string, unknown>, repository = 'acme/shop') =>
    effectivePolicy(ServerSettings.parse(settings), { tenant: 'acme', connection: 'github', repository })
      .offBy
  const chosen = (globs: string[]) => ({ connections: { github: { kind: 'github', repositories: globs } } })
  expect(offBy({})).toBeNull()
  expect(offBy(chosen(['acme/*', '!acme/shop']))).toBe('the settings of the connection')
  expect(offBy(chosen(['acme/*', '!acme/shop']), 'acme/api')).toBeNull()
  expect(offBy(chosen(['other/*']))).toBe('the settings of the connection')
  const off = { tenants: { acme: { repositories: { 'acme/shop': { enabled: false } } } } }
  expect(offBy(off)).toBe('the settings of this repository')
})
