/**
 * Three findings with their tests, as the body of a comment on a pull request shows them: for `docs/proving-examples.md`.
 *
 *     node bench/prove/examples.ts
 */
import { rmSync } from 'node:fs'
import { Review } from '../../src/domain/review.ts'
import { findingAsComment } from '../../src/pipeline/publish/markdown/finding.ts'
import { startFakeProvider } from '../../test/helpers/fakes/registry.ts'
import { emptyAnswer } from '../../test/helpers/reviewer-answer.ts'
import { sightline } from '../../test/helpers/sightline.ts'
import type { Claimed } from './cases.ts'
import { environmentFor, foundAt, removeKept } from './settings.ts'
import { createWorld, listWorlds } from './worlds.ts'

const shown = [
  ['node:test', 'query'],
  ['node:test', 'options'],
  ['unittest', 'strip'],
] as const

for (const [world, name] of shown) await show(world, name)
removeKept()

async function show(worldName: string, name: string): Promise<void> {
  const world = listWorlds(null).find((one) => one.name === worldName)
  const one = world?.cases.find((known) => known.name === name)
  if (!world || !one) throw new Error(`there is no case ${name} of ${worldName}`)
  const folder = createWorld({ ...world, cases: [one] })
  const claim: Claimed = one.broken
  const found = foundAt(world.fileOf(one), claim.after, claim.title, claim.why, 'correctness')
  const words = claim.title.replaceAll('`', '')
  const test = world.testOf(one, claim, words)
  await using provider = await startFakeProvider('anthropic', {
    steps: [
      {
        answer: 'good',
        value: {
          ...emptyAnswer,
          findings: [{ ...found, edits: [{ old: claim.after, new: claim.before }] }],
        },
      },
      { answer: 'good', value: { test, predicted: words, because: claim.why, cannot: '' } },
    ],
  })
  const { stdout } = await sightline(
    ['review', 'HEAD', '--repo', folder, '--depth', 'quick', '--json', '-q', '--no-agent'],
    { env: environmentFor(provider.baseUrl, 'anthropic', { inReviews: true }) },
  )
  const review = Review.parse(JSON.parse(stdout))
  const [finding] = review.findings
  if (!finding) throw new Error('the review dropped its finding')
  const options = { color: false, width: 100, explain: false, maxInline: 10, committable: true } as const
  console.log(`## ${world.name}: ${claim.title}\n\n${findingAsComment(review, finding, options)}\n`)
  rmSync(folder, { recursive: true, force: true })
}
