/** Formats for machines end up before people too: in comments, on code-scanning pages, in terminals. */
import { expect, test } from 'vitest'
import { formats } from '../../../src/pipeline/publish/registry.ts'
import { sampleFinding, sampleReview } from '../../helpers/sample-review.ts'

const options = { color: false, width: 80, explain: false, maxInline: 8 }
const explanation =
  'See [this](https://evil.example) ![x](https://evil.example/p.png) <img src=x> @everyone\n/approve \\[y\\](z)'
const review = sampleReview({
  findings: [sampleFinding({ title: 'odd \u202e\u009b\u{e0041}', explanation })],
})

test('a message for reviewdog, which posts it as Markdown, shows its words and does nothing', () => {
  const [{ message }] = JSON.parse(formats.rdjson(review, options)).diagnostics
  expect(message).toContain(
    'See `[this](https://evil.example)` `![x](https://evil.example/p.png)` `<img` `src=x>` `@everyone`  \n`/approve` `\\[y\\](z)`',
  )
  expect(message).toContain('\n`/approve`')
})

test('no message of SARIF holds a link, not even behind escapes of its own', () => {
  const [run] = JSON.parse(formats.sarif(review, options)).runs
  expect(run.results[0].message.text).toContain('See [this\\](https://evil.example)')
  expect(run.results[0].message.text).toContain('\\[y\\\\\\](z)')
})

test.each(['json', 'sarif', 'rdjson'] as const)('%s spells what nobody sees, and means the same', (name) => {
  const text = formats[name](review, options)
  expect(text).not.toMatch(/[^\P{C}\n]/u)
  expect(JSON.stringify(JSON.parse(text))).toContain(
    name === 'rdjson' ? '⟦U+202E⟧⟦U+009B⟧⟦U+E0041⟧' : '\u202e\u009b\u{e0041}',
  )
})
