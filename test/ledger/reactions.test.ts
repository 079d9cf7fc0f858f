/** What people show of findings: whose word counts, what it counts as, and that the same word is written once. */
import { expect, test } from 'vitest'
import type { HostReaction, LedgerEvent } from '../../src/ledger/contract.ts'
import { foldLedger } from '../../src/ledger/fold.ts'
import { countOutcomes } from '../../src/ledger/outcomes.ts'
import { type ReactionScope, type ReadThread, reactionEvents } from '../../src/ledger/reactions.ts'
import { sampleSeen } from '../contracts/ledger-suite.ts'

const seen = sampleSeen(1)
const at = new Date('2026-11-23T03:00:00.000Z')
const scope: ReactionScope = {
  change: seen.change,
  author: { id: '7', trust: 'member' },
  head: seen.head,
  at,
}
const reviewed: LedgerEvent = {
  ...{ id: 'r', at: seen.at, change: seen.change, type: 'reviewed' },
  ...{ head: seen.head, run: null, bundle: 'b', basis: '', files: {} },
}

type Said = ReadThread['reactions'][number]

function said(name: string, says: Said['says'], more: Partial<Said['by']> = {}): Said {
  return {
    says,
    by: { id: name, login: name as Said['by']['login'], isBot: false, trust: 'member', ...more },
  }
}

/** The words that reading these threads adds, in an order of names. */
function read(
  events: readonly LedgerEvent[],
  reactions: readonly Said[],
  { isResolved = false, ...more }: Partial<ReactionScope> & { isResolved?: boolean } = {},
) {
  const thread = { record: seen.record.id, reactions, isResolved }
  const found = reactionEvents(foldLedger(events), [thread], { ...scope, ...more })
  const words = found.flatMap((event) => (event.type === 'reacted' ? [[event.by.name, event.reaction]] : []))
  return { found, words: words.sort() }
}

test('whoever may dismiss findings counts, and the author who agrees; programs and strangers do not', () => {
  const none = { trust: 'none' } as const
  const { words } = read(
    [seen],
    [
      said('ada', 'down'),
      said('eve', 'down', none),
      said('eve', 'up', none),
      said('bot', 'up', { isBot: true }),
      said('author', 'up', { id: '7', ...none }),
    ],
  )
  expect(words).toEqual([
    ['ada', 'down'],
    ['author', 'up'],
  ])
  expect(read([seen], [said('author', 'down', { id: '7', ...none })]).words).toEqual([])
})

test('the same words are written once; what is taken back and said again is', () => {
  const first = read([seen], [said('ada', 'down')])
  expect(read([seen, ...first.found], [said('ada', 'down')]).words).toEqual([])
  const back = read([seen, ...first.found], [])
  expect(back.words).toEqual([['ada', 'none']])
  const again = read([seen, ...first.found, ...back.found], [said('ada', 'down')])
  expect(again.words).toEqual([['ada', 'down']])
  expect(again.found[0]?.id).not.toBe(first.found[0]?.id)
})

test('a thread that was resolved counts where its code was reviewed as it is, and its author may write', () => {
  const isResolved = true
  const there = [['resolved on the host', 'resolved']]
  expect(read([seen, reviewed], [], { isResolved }).words).toEqual(there)
  // A fix was pushed, and is not reviewed yet.
  expect(read([seen, reviewed], [], { isResolved, head: 'f'.repeat(40) }).words).toEqual([])
  const stranger = { id: '7', trust: 'none' } as const
  expect(read([seen, reviewed], [], { isResolved, author: stranger }).words).toEqual([])
  const fixed: LedgerEvent = {
    ...{ id: 'f', at: seen.at, change: seen.change, finding: seen.finding },
    ...{ type: 'fixed', head: seen.head, why: 'gone' },
  }
  expect(read([seen, reviewed, fixed], [], { isResolved }).words).toEqual([])
})

test('they decide no state, and count as outcomes', () => {
  const outcome = (...words: [string, HostReaction][]) => {
    const events = words.map(
      ([name, reaction], nth): LedgerEvent => ({
        ...{ id: `x${nth}`, at: seen.at, change: seen.change, finding: seen.finding },
        ...{ type: 'reacted', by: { kind: 'person', name }, reaction },
      }),
    )
    const ledger = foldLedger([seen, ...events])
    expect(ledger.findings.get(seen.finding)?.state).toBe('open')
    const [all] = countOutcomes(new Map([['r', ledger]]))
    return Object.entries(all?.tally ?? {}).find(([, count]) => count > 0)?.[0]
  }
  expect(outcome(['ada', 'up'])).toBe('right')
  expect(outcome(['ada', 'up'], ['ada', 'down'])).toBe('wrong')
  expect(outcome(['ada', 'up'], ['bob', 'down'])).toBe('undecided')
  expect(outcome(['ada', 'up'], ['bob', 'resolved'])).toBe('right')
  expect(outcome(['ada', 'confused'])).toBe('unimportant')
  expect(outcome(['ada', 'down'], ['ada', 'none'], ['x', 'resolved'])).toBe('unimportant')
})
