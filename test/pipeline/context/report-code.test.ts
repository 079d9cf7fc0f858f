/** What a run keeps of the code that a change is about. */
import { expect, test } from 'vitest'
import type { ReviewEvent } from '../../../src/domain/events.ts'
import type { ReviewContext } from '../../../src/domain/review-context.ts'
import type { RepoHistory } from '../../../src/domain/snapshot.ts'
import { reportCode } from '../../../src/pipeline/context/report-code.ts'

const symbol = (name: string, scope: string) => ({ path: 'src/a.ts', symbol: { name, scope } })
const context = {
  symbols: [
    { before: symbol('decode', 'Tokens'), after: symbol('decode', 'Tokens') },
    { before: symbol('old', ''), after: symbol('renamed', '') },
  ],
  change: { files: [{ path: 'src/b.ts', oldPath: 'src/a.ts' }] },
} as unknown as ReviewContext

const commit = (subject: string, paths: string[]) => ({
  ...{ commit: 'f'.repeat(40), authorName: 'Ada', authorEmail: 'ada@example.com', time: 1_700_000_000 },
  ...{ subject, paths },
})

async function told(history: RepoHistory): Promise<ReviewEvent[]> {
  const events: ReviewEvent[] = []
  await reportCode(context, history, (event) => events.push(event))
  return events
}

test('symbols by their whole names, and commits that changed the same files under either name', async () => {
  const commits = [commit('Fix OPS-7 (#3)', ['src/a.ts', 'c.ts']), commit('Elsewhere', ['c.ts'])]
  expect(await told({ recent: async () => ({ commits, complete: true }) })).toEqual([
    {
      type: 'changed-code',
      code: {
        symbols: ['Tokens.decode', 'old', 'renamed'],
        commits: [
          {
            ...{ commit: 'f'.repeat(12), author: 'Ada', day: '2023-11-14', subject: 'Fix OPS-7 (#3)' },
            ...{ paths: ['src/a.ts'], mentions: ['#3', 'OPS-7'] },
          },
        ],
      },
    },
  ])
})

test('a history that cannot be read costs the commits alone', async () => {
  const [event] = await told({ recent: () => Promise.reject(new Error('not on record')) })
  expect(event).toMatchObject({ code: { symbols: ['Tokens.decode', 'old', 'renamed'], commits: [] } })
})
