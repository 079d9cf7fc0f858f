/** What a comment shows without a click fits into ten seconds: what, why in two sentences, the one quote, the fix. */
import { expect, test } from 'vitest'
import type { Finding } from '../../../src/domain/finding.ts'
import { commentBody, overviewBody } from '../../../src/pipeline/publish/sync/bodies.ts'
import { Random } from '../../helpers/random.ts'
import { sampleEvidence, sampleFinding, sampleReview } from '../../helpers/sample-review.ts'
import { hostileText } from './page/hostile-text.ts'

const mostShown = 1200

/** Without what is behind a click. */
function shownOf(body: string): string {
  let text = body
  for (;;) {
    const less = text.replace(/<details><summary>((?!<details>)[\s\S])*?<\/details>/, '')
    if (less === text) return text
    text = less
  }
}

function bodyOf(overrides: Partial<Finding>): string {
  const finding = sampleFinding(overrides)
  const evidence = [sampleEvidence(), sampleEvidence({ id: 'E2', text: 'x'.repeat(5000) })]
  const review = sampleReview({ findings: [finding], evidence })
  return commentBody(review, finding, { fence: 'suggestion', link: undefined, room: 60_000 })
}

test('headline, why, quote and fix are seen; evidence, checks and the task for an agent are a click away', () => {
  const body = bodyOf({})
  const shown = shownOf(body)
  expect(shown).toContain('now needs 2 arguments')
  expect(shown).toContain('fails to compile. It was not updated')
  expect(shown).toContain('parse(input)')
  expect(shown).toContain('**Fix:** Pass `strict`')
  expect(shown).toContain('Finding `ffffffff`')
  expect(shown).not.toMatch(/Evidence|confirmed by|agent/)
  expect(body).toContain('Evidence (1) and how it was verified')
  expect(body).toContain('Ask an agent to fix this')
})

const sentence = 'It reads a value that was freed, as `free(a.b)` and `use(a.b)` show. '
const edit = { path: 'src/parse.ts', startLine: 12, endLine: 12, replacement: 'return strict\n'.repeat(300) }

test.each([
  ['a long explanation', { explanation: sentence.repeat(50) }],
  ['one endless sentence', { explanation: 'and then '.repeat(400).trim() }],
  ['one endless word', { explanation: 'x'.repeat(4000) }],
  ['a long fix', { remedy: 'Pass `strict`. '.repeat(60) }],
  ['a long suggestion', { suggestion: edit }],
  ['a long quote', { evidence: [{ evidence: 'E2', quote: 'x'.repeat(5000) }] }],
  ['markup', { title: '*_'.repeat(150), explanation: `${'*_'.repeat(200)} end.`, remedy: '[a](b)' }],
  ['everything', { explanation: sentence.repeat(50), remedy: sentence.repeat(13), suggestion: edit }],
] as [string, Partial<Finding>][])('%s is cut to what is read, and whole behind a click', (_, overrides) => {
  const body = bodyOf(overrides)
  expect(shownOf(body).length).toBeLessThanOrEqual(mostShown)
  const words = overrides.explanation?.trim().split(/\s+/).at(-1) ?? ''
  expect(body.replaceAll('\\', '')).toContain(words.replaceAll('`', ''))
})

/** Characters that Markdown acts on take more room as text than as they were written. */
test('whatever words a finding has, as much is shown, and the rest is a click away', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = new Random(seed)
    const words = (most: number) =>
      // Folds are counted by their name.
      Array.from({ length: random.between(1, 60) }, () => hostileText(random).replaceAll('details', 'd'))
        .join(random.pick([' ', '. ', '']))
        .slice(0, random.between(1, most)) || 'x'
    const finding = sampleFinding({ title: words(300), explanation: words(4000), remedy: words(1000) })
    const review = sampleReview({ findings: [finding], evidence: [sampleEvidence()] })
    const body = commentBody(review, finding, { fence: 'suggestion', link: undefined, room: 60_000 })
    expect(shownOf(body).length, `seed ${seed}`).toBeLessThanOrEqual(mostShown)
  }
})

test('an overview of few findings shows them; of many, they are a click away, and so are longer words', () => {
  const overview = (count: number, step: string) => {
    const findings = Array.from({ length: count }, (_, at) => sampleFinding({ id: `C${at}` }))
    const review = { ...sampleReview({ findings, evidence: [sampleEvidence()] }), keyChanges: [step] }
    const tally = { open: count, fixed: 1, dismissed: 2, posted: count, listed: 0 }
    const half = Math.ceil(count / 2)
    return overviewBody(review, {
      ...{ tally, onLines: findings.slice(0, half), listed: findings.slice(half), lacks: ['checks (write)'] },
      ...{ link: undefined, room: 60_000 },
    })
  }
  const few = shownOf(overview(2, 'It parses strictly.'))
  expect(few).toMatch(/It parses strictly[\s\S]*On lines of the change[\s\S]*Not on a line of the diff/)
  expect(few).toContain('2 findings, 1 fixed, 2 dismissed')
  const many = overview(60, 'It parses strictly. '.repeat(60))
  expect(shownOf(many).length).toBeLessThanOrEqual(mostShown)
  expect(shownOf(many)).toContain('60 findings, 1 fixed, 2 dismissed')
  for (const words of [
    'On lines of the change',
    '30 findings without a comment',
    'It parses strictly',
    'What was reviewed',
  ])
    expect(many).toContain(words)
})

test('an overview says that part of the change was not reviewed, and does not say it of a whole review', () => {
  const overview = (complete: boolean) => {
    const review = sampleReview({ findings: [], evidence: [] })
    review.coverage.complete = complete
    const tally = { open: 0, fixed: 0, dismissed: 0, posted: 0, listed: 0 }
    return overviewBody(review, {
      ...{ tally, onLines: [], listed: [], lacks: [] },
      ...{ link: undefined, room: 60_000 },
    })
  }
  expect(overview(false)).toContain('Part of the change was not reviewed; the check lists it.')
  expect(overview(true)).not.toContain('Part of the change was not reviewed')
})
