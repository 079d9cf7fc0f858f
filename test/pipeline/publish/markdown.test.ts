/** The parts of a finding and of a page as Markdown, to the letter. */
import { expect, test } from 'vitest'
import type { DiffLine } from '../../../src/domain/change-set.ts'
import type { Evidence } from '../../../src/domain/evidence.ts'
import type { Finding } from '../../../src/domain/finding.ts'
import type { Review } from '../../../src/domain/review.ts'
import type { RenderOptions } from '../../../src/pipeline/publish/contract.ts'
import { findingAsComment } from '../../../src/pipeline/publish/markdown/finding.ts'
import { renderMarkdown } from '../../../src/pipeline/publish/markdown/render.ts'
import { sampleEvidence, sampleFinding, sampleReview } from '../../helpers/sample-review.ts'

const options: RenderOptions = {
  color: false,
  width: 80,
  explain: false,
  maxInline: 1,
  link: ({ path, side, startLine, endLine }) => `https://h/${side}/${path}#${startLine}-${endLine}`,
}

function line(kind: DiffLine['kind'], at: number, text: string): DiffLine {
  return { kind, old: kind === 'added' ? null : at, new: kind === 'removed' ? null : at, text, hash: 'abc' }
}

const rich = sampleFinding({
  excerpt: [line('context', 11, 'one'), line('removed', 12, 'two'), line('added', 12, 'three')],
  contested: 'not so',
  byModel: true,
  claims: [{ kind: 'missing-path', target: 'lib.ts', path: 'src/a.ts', line: 4 }],
  places: [{ path: 'src/b.ts', side: 'new', startLine: 3, endLine: 4, quote: 'parse()' }],
  evidence: [
    { evidence: 'E1', quote: 'parse(input)' },
    { evidence: 'E2', quote: 'said so' },
    { evidence: 'E3', quote: 'parse(it)' },
    { evidence: 'E4', quote: 'parse(that)' },
  ],
  documented: { name: 'Lib', behaviour: 'It *throws*.' },
  wrongIf: 'nobody calls it',
  example: 'parse(a, b)',
  refusedSuggestion: 'it does not *parse*',
})
const plain = sampleFinding({
  id: 'C2',
  title: 'Plain',
  excerpt: [],
  remedy: '',
  verifiedBy: [],
  evidence: [],
  explanation: 'Short.',
})
const elsewhere = { repository: 'o/other', commit: 'c'.repeat(40), path: 'x.ts', line: 7, endLine: 8 }
const review = sampleReview({
  findings: [rich, plain, { ...plain, id: 'C3', title: 'Third' }],
  evidence: [
    sampleEvidence(),
    sampleEvidence({
      id: 'E2',
      path: null,
      blob: null,
      side: null,
      startLine: null,
      endLine: null,
      title: 'the title',
      text: 'said so',
    }),
    sampleEvidence({
      id: 'E3',
      path: null,
      text: 'parse(it)',
      elsewhere: { ...elsewhere, url: 'https://o/x' },
    }),
    sampleEvidence({ id: 'E4', path: null, text: 'parse(that)', elsewhere: { ...elsewhere, url: null } }),
  ] as Review['evidence'],
})

/** The task for an agent has tests of its own. */
const withoutTasks = (text: string) =>
  text.replace(/<details><summary>Ask an agent to fix this<\/summary>[\s\S]*?<\/details>/g, 'TASK')

const proof = `<details><summary>Evidence (4) and how it was verified</summary>

- E1 [\`src/app.ts:4\`](<https://h/new/src/app.ts#4-4>): caller of \`parse\`

  \`\`\`
  parse(input)
  \`\`\`

- E2 \`the title\`

  \`\`\`
  said so
  \`\`\`

- E3 [\`o/other x.ts:7\`](<https://o/x>): caller of \`parse\`

  \`\`\`
  parse(it)
  \`\`\`

- E4 \`o/other x.ts:7\`: caller of \`parse\`

  \`\`\`
  parse(that)
  \`\`\`

Claimed:

- \`src/a.ts:4\` refers to \`lib.ts\`, which does not exist

Verified:

- 1 claim confirmed by the code index

\`contract\`, reported by the reviewer model · \`contract/signature-arity\` · certain · \`ffffffffffff\`

</details>`
const noProof = `<details><summary>Evidence (0) and how it was verified</summary>

\`contract\` · \`contract/signature-arity\` · certain · \`ffffffffffff\`

</details>`
const richTitle =
  '🔴 **high** · contract · `parse` now needs 2 arguments; 1 caller still passes 1 (contested by a model)'
const example = `For example:

\`\`\`
parse(a, b)
\`\`\`

The suggested code is not offered for committing: it does not \\*parse\\*`
const also = `**Also at:** [\`src/b.ts:3-4\`](<https://h/new/src/b.ts#3-4>)

**Based on:** Lib, as documented (not checked here): It \\*throws\\*.`
const place = '[`src/parse.ts:12`](<https://h/new/src/parse.ts#12-12>)'
const remedy = 'Pass `strict` in `src/app.ts:4`, or give it a default.'

test('a comment on the lines: what decides is read, the rest is a click away', () => {
  expect(withoutTasks(findingAsComment(review, rich, options))).toBe(`${richTitle}

The call in \`src/app.ts\` fails to compile. It was not updated with the change.

[\`src/app.ts:4\`](<https://h/new/src/app.ts#4-4>):

\`\`\`
parse(input)
\`\`\`

${example}

**Fix:** ${remedy}

**Wrong if** nobody calls it

<details><summary>Details</summary>

${also}

</details>

${proof}

TASK`)
  expect(withoutTasks(findingAsComment(review, plain, options))).toBe(
    `🔴 **high** · contract · Plain\n\nShort.\n\n${noProof}\n\nTASK`,
  )
})

const folded = (title: string) => `🔴 **high** · contract · ${title} · ${place}

<details><summary>Details</summary>

Short.

${noProof}

TASK

</details>`

test('a page: the first in full, the others folded', () => {
  expect(withoutTasks(renderMarkdown(review, options))).toContain(`## Issues

### ${richTitle} · ${place}

\`\`\`diff
 one
-two
+three
\`\`\`

The call in \`src/app.ts\` fails to compile.

It was not updated with the change.

${also}

**Suggested fix:** ${remedy}

**Wrong if** nobody calls it

${example}

${proof}

TASK

<details><summary>2 more findings</summary>

${folded('Plain')}

${folded('Third')}

</details>

## Important Files Changed
`)
  const brief = renderMarkdown(review, { ...options, headlines: true })
  expect(brief).toContain(
    `<details><summary>2 more findings</summary>\n\n- 🔴 **high** · contract · Plain · ${place}\n- 🔴`,
  )
})

const commented = (overrides: Partial<Finding>, evidence = review.evidence) =>
  findingAsComment({ ...review, evidence }, sampleFinding(overrides), options)
const explained = (explanation: string) => commented({ explanation, evidence: [] }).split('\n\n')[1]

test.each([
  ['One. Two. Three.', 'One. Two.'],
  ['Use `a. b` here. Then `c`. Three.', 'Use `a. b` here. Then `c`.'],
  [`Whole. ${'x'.repeat(472)}.b, no end. Three.`, 'Whole.'],
  ['x'.repeat(480), 'x'.repeat(480)],
  [`${'word '.repeat(100)}end`, `${'word '.repeat(96).trim()} …`],
])('of the explanation two sentences are read at most (%#)', (explanation, why) => {
  expect(explained(explanation)).toBe(why)
})

test.each<[string, Partial<Evidence>, boolean]>([
  ['on the line itself', { startLine: 12, endLine: 12 }, false],
  ['that begins on it', { startLine: 12, endLine: null }, false],
  ['around it', { startLine: 10, endLine: 12 }, false],
  ['above it', { startLine: 10, endLine: 11 }, true],
  ['below it', { startLine: 13, endLine: 13 }, true],
  ['on its line before the change', { startLine: 12, endLine: 12, side: 'old' }, true],
  ['on no line of the file', { startLine: null, endLine: null }, true],
  ['of 300 characters', { text: 'q'.repeat(300), path: 'src/c.ts' }, true],
  ['of more', { text: 'q'.repeat(301), path: 'src/c.ts' }, false],
])('a quote %s', (_, overrides, isShown) => {
  const item = sampleEvidence({ path: 'src/parse.ts', text: 'quoted()', ...overrides })
  const body = commented({ evidence: [{ evidence: 'E1', quote: item.text }] }, [item])
  const [shown = ''] = body.split('<details>', 1)
  expect(shown.includes(item.text)).toBe(isShown)
  expect(body).toContain(item.text)
})

test('long lists say what they leave out', () => {
  const files = Array.from({ length: 22 }, (_, at) => ({
    ...{ path: `f${at}.ts`, status: 'modified' as const, added: at, removed: 1, summary: '' },
  }))
  const page = (overrides: Partial<Review>) => renderMarkdown({ ...review, ...overrides }, options)
  expect(page({ files })).toContain('| `f19.ts` | +19 −1 |  |\n\n… and 2 more files.\n')
  expect(page({ files: files.slice(0, 20) })).not.toContain('more file')
  const skipped = Array.from({ length: 203 }, (_, at) => ({
    ...{ path: `s${at}.ts`, state: 'excluded' as const, reason: 'binary' },
  }))
  const coverage = { ...review.coverage, files: skipped }
  expect(page({ coverage })).toContain('- `s199.ts`: excluded, binary\n- … and 3 more files\n')
  const few = { ...coverage, files: skipped.slice(0, 200) }
  expect(page({ coverage: few })).not.toContain('more file')
})

test('a page without findings is short, unless a criterion is open', () => {
  const criterion = (state: 'covered' | 'not-covered') => ({
    ...{
      ticket: 'T-1',
      id: 'AC1',
      text: 'It parses',
      state,
      lines: [],
      reason: 'seen',
      by: 'model' as const,
    },
  })
  const page = (state: 'covered' | 'not-covered') =>
    renderMarkdown({ ...review, findings: [], criteria: [criterion(state)] }, options)
  expect(page('covered')).toMatch(/<details>[\s\S]*## Acceptance criteria\n\n- 🟢 .*It parses/)
  expect(page('covered')).not.toContain('## Issues')
  expect(page('not-covered')).toMatch(/## Issues\n\nNone\.\n\n## Acceptance criteria\n\n- 🔴 /)
})

test('what nobody looked at twice, or dropped, has no list', () => {
  const page = renderMarkdown(review, { ...options, explain: true })
  expect(page).toContain('## Dropped candidates\n\nNone.\n\n<sub>')
})

test('a change without files has no table of them', () => {
  const review = sampleReview({ findings: [], evidence: [] })
  expect(renderMarkdown({ ...review, files: [] }, options)).not.toContain('Important Files Changed')
})
