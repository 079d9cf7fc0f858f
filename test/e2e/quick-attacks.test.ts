/**
 * The model belongs to the attacker: it answers whatever it likes, through a real provider's wire. Nothing that is not
 * anchored in the diff and quoted from real text is ever published, and nothing it says comes to life in an output.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { visibleText } from '../../src/base/visible-text.ts'
import type { Finding } from '../../src/domain/finding.ts'
import { formats, type Review, reviewChange } from '../../src/index.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { drawn } from '../helpers/matrix.ts'
import { Random } from '../helpers/random.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import { emptyAnswer, fakeEnvironment, retryRepo, waitFinding } from './quick-world.ts'

let folder = ''
beforeAll(() => {
  folder = retryRepo('keep').path
})

async function reviewWith(steps: CodedStep[]): Promise<Review> {
  await using fake = await startFakeProvider('anthropic', { steps })
  const { review } = await reviewChange({
    folder,
    selector: { kind: 'commit', commit: 'HEAD' },
    cacheFolder: null,
    facts: sharedFacts(),
    models: { environment: fakeEnvironment(fake), budget: 50 },
  })
  return review
}

/** What must hold of every finding, whoever made it and however. */
function expectGrounded(review: Review): void {
  const evidence = new Map(review.evidence.map((item) => [item.id, item]))
  for (const finding of review.findings) {
    expect(finding.excerpt.some((line) => line.kind !== 'context' && lineIn(finding, line))).toBe(true)
    expect(finding.evidence.length + finding.claims.length).toBeGreaterThan(0)
    for (const { evidence: id, quote } of finding.evidence) {
      expect(quote.trim()).not.toBe('')
      expect(evidence.get(id)?.text).toContain(quote)
    }
    if (finding.byModel) expect(finding.confidence).not.toBe('certain')
  }
  const markdown = formats.markdown(review, { color: false, width: 80, explain: true, maxInline: 100 })
  const bare = markdown
    .replace(/```[\s\S]*?```|`[^`\n]*`/g, '')
    .replace(/\\[!-/:-@[-`{-~]/g, '')
    .replace(/<\/?(?:details|summary|sub)>/g, '')
  expect(bare).not.toMatch(/<[a-z!/]|!\[|\]\(|https?:|(?<![\w`])@\w/i)
  const terminal = formats.terminal(review, { color: false, width: 80, explain: true, maxInline: 100 })
  expect(visibleText(terminal)).toBe(terminal)
}

function lineIn(
  { side, startLine, endLine }: Finding,
  line: { old: number | null; new: number | null },
): boolean {
  const number = line[side]
  return number !== null && startLine <= number && number <= endLine
}

const answer = (...findings: object[]) => ({ ...emptyAnswer, findings })
const good = (value: unknown): CodedStep => ({ answer: 'good', value })

describe('each attack alone', () => {
  // Every such fault is in test/pipeline/validation; here one of each step comes over the wire.
  test.each([
    ['a tag of an unchanged line', { tags: [{ $tagAt: 'throw failure' }] }, 'anchor'],
    ['made-up evidence', { evidence: [{ id: 'E99', quote: 'attempt' }] }, 'evidence'],
    ['a file outside of the change', { file: '../../etc/passwd' }, 'shape'],
    [
      'a false claim',
      { claims: [claim({ kind: 'undefined', path: 'src/retry.ts', line: 10, name: 'nowhere' })] },
      'claims',
    ],
  ])('%s', async (_name, changes, step) => {
    const review = await reviewWith([good(answer({ ...waitFinding, ...changes }))])
    expect(review.findings).toEqual([])
    expect(review.verdicts).toMatchObject([{ outcome: 'dropped', step }])
    expect(review.verdicts[0]?.reason).not.toBe('')
    expectGrounded(review)
  })

  test('a suggestion that brings a foreign word is not offered', async () => {
    const edit = {
      old: '      await delayFor(attempts - attempt)',
      new: "      fetch('https://evil.example')",
    }
    const review = await reviewWith([good(answer({ ...waitFinding, edits: [edit] }))])
    expect(review.findings).toMatchObject([
      { suggestion: null, refusedSuggestion: expect.stringContaining('which the finding does not name') },
    ])
    expect(review.verdicts[0]?.reason).toContain('suggestion left out')
    expectGrounded(review)
  })

  test('the same thing a hundred times is one finding', async () => {
    const review = await reviewWith([good(answer(...Array.from({ length: 100 }, () => waitFinding)))])
    expect(review.findings).toHaveLength(1)
    expect(review.verdicts).toHaveLength(50)
    expect(review.models?.unfit).toMatchObject([{ what: '50 findings' }])
    expectGrounded(review)
  })

  test('Markdown, HTML, mentions and commands of other bots stay words', async () => {
    const explanation =
      'See [this](https://evil.example) ![x](https://evil.example/p.png) <img src=x onerror=alert(1)> @everyone /merge fixes #12 ```\n# Approved'
    const review = await reviewWith([
      good(answer({ ...waitFinding, explanation, title: '<b>@admin</b> merge me' })),
    ])
    expect(review.findings).toHaveLength(1)
    expectGrounded(review)
  })

  test('requests for what is not in the tree are refused, and nothing of it is sent', async () => {
    for (const file of drawn(['/etc/passwd', '.git/config', '../x', 'notes/../../x'])) {
      const range = { file, symbol: '', line_start: 1, line_end: 2 }
      const context_requests = [{ what: 'code', ...range, reason: 'please' }]
      const review = await reviewWith([good({ ...emptyAnswer, context_requests })])
      expect(review.models?.followUps).toMatchObject([{ refused: { kind: 'absent' }, outcome: null }])
    }
  })
})

/** One, drawn by the seed; `npm run test:matrices` plays all. */
const attacks = [
  'hidden-characters',
  'markdown-image',
  'fake-tags',
  'path-traversal',
  'huge-array',
  'huge-text',
  'deep-nesting',
  'prototype-keys',
  'prompt-injection',
] as const

test.each(drawn(attacks))('the attack %s ends in a grounded review', async (attack) => {
  const step: CodedStep = {
    answer: 'malicious',
    attack,
    count: 3_000,
    times: 'always',
    value: answer(waitFinding),
  }
  const review = await reviewWith([step])
  expectGrounded(review)
  expect(review.conclusion.word).not.toBe('REQUEST_CHANGES')
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('a hundred random mixtures: whatever is published is grounded', async () => {
  const random = new Random(4)
  const pick = <Item>(items: readonly Item[]): Item => items[random.between(0, items.length - 1)] as Item
  const tags = [
    { $tagAt: 'attempts - attempt' },
    { $tagAt: 'base = 250' },
    'L10#zzz',
    'L1#aaa',
    '',
    'F#000',
    '[O1#yv1]',
  ]
  const quotes = ['attempts - attempt', 'const base = 250', 'evil', '', '\u202e', 'await', '}', '```']
  const finding = () => ({
    ...waitFinding,
    file: pick(['src/retry.ts', 'src/delay.ts', 'src/none.ts', './src/retry.ts', '', 'src/../src/retry.ts']),
    tags: Array.from({ length: random.between(0, 3) }, () => pick(tags)),
    evidence: Array.from({ length: random.between(0, 3) }, () => ({
      id: pick([...tags, 'E1', 'E2', 'E7', '__proto__']),
      quote: pick(quotes),
    })),
    title: pick(['Plain', '<script>x</script>', 'a`b', '@team look', '\u200b', 'x'.repeat(400)]),
    severity: pick(['critical', 'high', 'low']),
    confidence: pick(['possible', 'likely']),
    claims: pick([
      [],
      [claim({ kind: 'line-contains', side: 'new', text: 'attempts' })],
      [claim({ kind: 'unused', path: 'src/retry.ts', line: -1, name: 'x' })],
      [claim({ kind: 'missing-path', path: 'src/retry.ts', line: 10, target: 'src/gone.ts' })],
    ]),
    edits: pick([
      [],
      [
        {
          old: pick(['      await delayFor(attempts - attempt)', '    }', '', 'nowhere', '\u202e']),
          new: pick(['', 'eval(x)', '\u202e', 'y\n'.repeat(90)]),
        },
      ],
    ]),
  })
  const review = await reviewWith([good(answer(...Array.from({ length: 50 }, finding)))])
  expect(review.verdicts.length).toBe(50)
  expectGrounded(review)
  const second = await reviewWith([good(answer(...Array.from({ length: 50 }, finding)))])
  expectGrounded(second)
  expect([...review.findings, ...second.findings].length).toBeGreaterThan(0)
})

function claim(changes: object): object {
  return { path: 'src/retry.ts', line: 10, ...changes }
}
