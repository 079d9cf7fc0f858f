/** A published page never says `/lgtm` or the like at the start of a line, wherever the words come from. */
import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../../../src/pipeline/publish/markdown/render.ts'
import { renderRdjson } from '../../../src/pipeline/publish/rdjson.ts'
import { sampleEvidence, sampleFinding, sampleReview } from '../../helpers/sample-review.ts'

const commands = [
  '/lgtm',
  '/approve',
  '/ok-to-test',
  '/merge',
  '/assign @me',
  '  /label kind/bug',
  '\t/close',
  '/LGTM',
]
const page = { color: false, width: 80, explain: true, maxInline: 10, committable: true }

/** As a bot reads a comment: line by line, blind to Markdown. */
function commandsIn(markdown: string): string[] {
  return markdown.split(/\r\n|[\r\n\u2028\u2029]/).filter((line) => /^\s*\/[a-z]/i.test(line))
}

function reviewThatSays(words: string) {
  const text = `first\n${words}\r${words}`
  const finding = sampleFinding({
    title: words,
    explanation: `${words}\n\n${text}`,
    remedy: words,
    example: text,
  })
  const suggestion = { path: finding.anchor.path, startLine: 12, endLine: 12, replacement: text }
  const { example: _example, ...rest } = finding
  return sampleReview({
    summary: text,
    findings: [finding, { ...rest, suggestion }],
    evidence: [sampleEvidence({ text, title: words })],
    keyChanges: [words],
  })
}

describe.each(commands)('%j', (words) => {
  test('in Markdown', () => {
    const markdown = renderMarkdown(reviewThatSays(words), page)
    expect(markdown).toContain(words.trim().split(' ')[0])
    expect(commandsIn(markdown)).toEqual([])
  })

  test('in what reviewdog posts', () => {
    const { diagnostics } = JSON.parse(renderRdjson(reviewThatSays(words)))
    const posted = diagnostics.flatMap((one: { message: string; suggestions?: { text: string }[] }) => [
      one.message,
      ...(one.suggestions ?? []).map(({ text }) => text),
    ])
    expect(posted).toHaveLength(2)
    expect(commandsIn(posted.join('\n'))).toEqual([])
  })
})

test('code without such a line stays as it is, and can be committed', () => {
  const replacement = 'a / b\n// lgtm\n/* approve */\n</p>'
  const suggestion = { path: 'src/parse.ts', startLine: 12, endLine: 12, replacement }
  const review = sampleReview({ findings: [sampleFinding({ suggestion })] })
  expect(renderMarkdown(review, page)).toContain(`\`\`\`suggestion\n${replacement}\n\`\`\``)
  expect(JSON.parse(renderRdjson(review)).diagnostics[0].suggestions[0].text).toBe(replacement)
})
