/** How much of another repository may be said, for whoever may read which. */
import { expect, test } from 'vitest'
import { type OtherReaders, shownOf } from '../../src/workspace/audience.ts'

const visibilities = ['public', 'internal', 'private'] as const
type Visibility = (typeof visibilities)[number]

const on = (visibility: Visibility, host = 'git.example.org', owner = 'acme') => ({
  ...{ host, visibility },
  owner: [owner],
})

/** Rows: the reviewed one. Columns: a public, internal, private, folder, unanswered one. */
const table = {
  public: ['whole', 'nothing', 'nothing', 'nothing', 'nothing'],
  internal: ['whole', 'whole', 'nothing', 'counts', 'counts'],
  private: ['whole', 'whole', 'counts', 'counts', 'counts'],
} as const
const shared = {
  public: ['whole', 'nothing', 'nothing', 'nothing', 'nothing'],
  internal: ['whole', 'whole', 'whole', 'whole', 'counts'],
  private: ['whole', 'whole', 'whole', 'whole', 'counts'],
} as const
const others: readonly OtherReaders[] = [...visibilities.map((one) => on(one)), 'unsaid', 'unknown']

test.each(visibilities)('the review of a repository that is %s', (visibility) => {
  const seen = (isShared: boolean) => others.map((other) => shownOf(other, on(visibility), isShared))
  expect(seen(false)).toEqual(table[visibility])
  expect(seen(true)).toEqual(shared[visibility])
})

test('a change that is on no host shows everything to whoever made it', () => {
  expect(others.map((other) => shownOf(other, null, false))).toEqual(others.map(() => 'whole'))
})

test('what is internal on another server, or in another organization of a public one, is not internal here', () => {
  const reviewed = on('private', 'github.com')
  expect(shownOf(on('internal', 'github.com'), reviewed, false)).toBe('whole')
  expect(shownOf(on('internal', 'github.com', 'globex'), reviewed, false)).toBe('counts')
  expect(shownOf(on('internal', 'git.example.org'), reviewed, false)).toBe('counts')
  expect(shownOf(on('internal', 'git.example.org', 'globex'), on('private'), false)).toBe('whole')
})
