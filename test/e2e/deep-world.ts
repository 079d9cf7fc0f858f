/** A small shop with a change in it, and a provider that answers each of two readers by the words it was told. */

import type { Call } from '../helpers/fakes/contract.ts'
import type { FakeProvider } from '../helpers/fakes/provider.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { createRepo, type TestRepo } from '../helpers/git-repo.ts'
import { judging } from '../helpers/judge-answer.ts'
import { plainFinding } from '../helpers/reviewer-answer.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment } from './quick-world.ts'

export type Reader = 'first' | 'second'

/** The words that only whoever wrote the change knows. */
export const authorsWords = 'Adds all items, and is perfectly safe.'

/** The change subtracts instead of adding; another file shows who relies on it. */
export function shopRepo(): TestRepo {
  const repo = createRepo()
  const files = {
    'src/price.ts': 'export function round(cents: number): number {\n  return Math.round(cents)\n}\n',
    'src/cart.ts':
      "import { round } from './price.ts'\n\nexport function total(items: number[]): number {\n  return items.reduce((sum, item) => sum + round(item), 0)\n}\n",
    'src/page.ts':
      "import { total } from './cart.ts'\n\nexport function page(): string {\n  return String(total([1, 2]))\n}\n\nexport function foot(): string {\n  return page()\n}\n",
    'test/cart.test.ts':
      "import { total } from '../src/cart.ts'\n\nexport function checksTotal(): void {\n  if (total([1]) !== 1) throw new Error('wrong')\n}\n",
  }
  repo.commit(files, 'first')
  repo.commit(
    {
      'src/cart.ts': files['src/cart.ts'].replace('sum + round(item)', 'sum - round(item)'),
      'src/page.ts': files['src/page.ts'].replace('total([1, 2])', 'total([1, 2, 3])'),
    },
    `Total over all items\n\n${authorsWords}`,
  )
  return repo
}

/** What a reader answers who has nothing to say. */
export const quiet = emptyAnswer

export const wrongSum = {
  ...plainFinding,
  file: 'src/cart.ts',
  tags: [{ $tagAt: 'sum - round(item)' }],
  evidence: [{ id: { $tagAt: 'sum - round(item)' }, quote: 'sum - round(item)' }],
  title: 'The total is subtracted',
  explanation: 'For any item above zero the sum goes below zero.',
  category: 'correctness',
  severity: 'medium',
  confidence: 'likely',
  claims: [],
  remedy: null,
}

export const tooMany = {
  ...wrongSum,
  file: 'src/page.ts',
  tags: [{ $tagAt: 'total([1, 2, 3])' }],
  evidence: [{ id: { $tagAt: 'total([1, 2, 3])' }, quote: 'total([1, 2, 3])' }],
  title: 'The page has three items',
  explanation: 'A page shows two items.',
}

/** Whether this is the question with which the conversation with this reader begins. */
export const asks = (reader: Reader) => (call: Call) =>
  call.lastTurn.includes('Review these files.') && readerOf(call) === reader

/** Whom a call was of, the only reader of depth standard among the first ones. */
export function readerOf({ prompt }: Call): Reader {
  return prompt.includes('You are the second of two readers') ? 'second' : 'first'
}

/** What scouts and judges are asked is answered by an empty look, readers that no step speaks of by silence. */
export function withQuietRest(steps: readonly CodedStep[]): CodedStep[] {
  const done = { reasoning: 'enough', tools: [], done: true }
  const undecided = { quotes: [], reason: 'nothing tells', judgement: 'undecided' }
  return [
    ...steps,
    { answer: 'good', value: done, if: answersWith('tools'), times: 'always' },
    { answer: 'good', value: quiet, if: answersWith('author_questions'), times: 'always' },
    judging({}, undecided, { times: 'always' }),
  ]
}

/** Not every provider is told what a shape is called, but each of them what is in it. */
export function answersWith(key: string): (call: Call) => boolean {
  return ({ schema }) => Object.hasOwn(Object(schema?.schema.properties), key)
}

export type DeepWorld = Awaited<ReturnType<typeof deepWorld>>

export async function deepWorld(fake: FakeProvider, more: Parameters<typeof fakeEnvironment>[1] = {}) {
  const repo = shopRepo()
  const env = { ...fakeEnvironment(fake, more), ...ownFolders() }
  const review = (...args: string[]) =>
    sightline(['review', 'HEAD', '--repo', repo.path, '--depth', 'deep', '--json', '--quiet', ...args], {
      env,
    })
  return { repo, env, review }
}

/** The calls that readers were asked in, in the order in which they came in. */
export function readerCalls({ calls }: Pick<FakeProvider, 'calls'>): Call[] {
  return calls.flatMap(({ call }) => (answersWith('author_questions')(call) ? [call] : []))
}
