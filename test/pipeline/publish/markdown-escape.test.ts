/** Foreign words must show as they are and do nothing. The oracle is what GitHub brings to life, by its documents. */
import { describe, expect, test } from 'vitest'
import {
  codeBlock,
  codeSpan,
  escapeText,
  proseToEither,
  proseToMarkdown,
  tableCode,
  tableProse,
} from '../../../src/pipeline/publish/markdown/escape.ts'

/** What stays outside code spans. */
function outsideCode(markdown: string): string {
  return markdown.replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '')
}

describe('text', () => {
  const lively = [
    'ping @octocat and @org/team',
    'fixes #12, owner/repo#3, GH-4 and !7',
    'see https://evil.example/x and www.evil.example',
    'mail me@evil.example',
  ]
  test.each(lively)('%s', (text) => {
    expect(outsideCode(escapeText(text))).not.toMatch(/@\w|#\d|GH-\d|!\d|https?:|www\./)
  })

  test('escapes HTML, images, links, emphasis and tables', () => {
    expect(escapeText('<img src=x> ![a](b) **b** _c_ | d ~~e~~ $f$ &lt;')).toBe(
      '\\<img src=x\\> !\\[a\\](b) \\*\\*b\\*\\* \\_c\\_ \\| d \\~\\~e\\~\\~ \\$f\\$ &amp;lt;',
    )
  })

  test.each(['# heading', '- item', '+ item', '1. item', '2) item'])('%s does not begin a block', (text) => {
    expect(escapeText(text)).toMatch(/^(\\[#+-]|\d+\\[.)])|^\\/)
  })

  test.each(['0.1.0', '3.5 times', '`a` - b: c = d'])('%s stays as it is', (text) => {
    expect(proseToMarkdown(text)).toBe(text)
  })

  test.each(['/approve', '  /merge now'])('%s is no command of a bot', (text) => {
    expect(escapeText(text)).toMatch(/^\s*\\\//)
  })

  test('stays on one line and shows what is hidden', () => {
    expect(escapeText('a\nb\u202ec')).toBe('a b⟦U+202E⟧c')
    expect(escapeText('a   b')).toBe('a b')
  })
})

test.each([
  ['# see *this* and `a_b`', '`#` see `*this*` and `a_b`'],
  ['1. ask @octocat  of # a_b', '`1.` ask `@octocat` of # `a_b`'],
  ['a 1. item - here', 'a 1. item - here'],
  ['`a` # b', '`a` # b'],
  ['well-known words/signs', 'well-known words/signs'],
  ['/approve <b>', '`/approve` `<b>`'],
])('%s reads the same as plain text and as Markdown', (text, shown) => {
  expect(proseToEither(text)).toBe(shown)
})

describe('code', () => {
  test.each(['`', '``', 'a`b', '`a`', '```js', ' '])('a span cannot be left by %j', (text) => {
    const span = codeSpan(text)
    const fence = /^`+/.exec(span)?.[0] ?? ''
    expect(span.slice(fence.length, -fence.length)).not.toContain(fence)
    expect(span.endsWith(fence)).toBe(true)
  })

  test('a block cannot be closed from inside', () => {
    const block = codeBlock('```\n</details>\n`````')
    expect(block.startsWith('``````\n')).toBe(true)
    expect(block.endsWith('\n``````')).toBe(true)
  })

  test('a line that would command a bot has a margin, and a diff has its signs', () => {
    expect(codeBlock('one\n/approve')).toBe('```\n| one\n| /approve\n```')
    expect(codeBlock(' /approve', 'diff')).toBe('```diff\n /approve\n```')
    expect(codeBlock('a / b')).toBe('```\na / b\n```')
  })

  test('a span in a table keeps its row whole', () => {
    expect(tableCode('a|b')).toBe('`a\\|b`')
  })

  test('code between backticks stays code, the rest is escaped', () => {
    expect(proseToMarkdown('use `a_b` not *c*')).toBe('use `a_b` not \\*c\\*')
    expect(proseToMarkdown('an odd ` tick')).toBe('an odd \\` tick')
  })

  test('spans that would touch are kept apart, so that none ends in another', () => {
    expect(proseToMarkdown('`c`https://a`@octocat')).toBe('`c` ``https://a`@octocat``')
    expect(escapeText('@a@b')).toBe('`@a` `@b`')
  })

  test('a pipe keeps to its cell, in code and behind a backslash too', () => {
    expect(tableProse('`operator||` changed')).toBe('`operator\\|\\|` changed')
    expect(tableCode('a\\|@octocat')).toBe('`a\\⟦U+007C⟧@octocat`')
  })

  test.each(['===', ':-', '----'])('%s under a line makes no heading and no table', (text) => {
    expect(proseToMarkdown(text)).toBe(`\\${text}`)
  })

  test('ids of commits are code', () => {
    expect(escapeText('since deadbeef, see octocat@1234567')).toBe('since `deadbeef`, see `octocat@1234567`')
  })

  test('what nobody sees is shown at the ends as well', () => {
    expect(proseToMarkdown(' \ufeffa\u2028 ')).toBe('⟦U+FEFF⟧a⟦U+2028⟧')
  })

  test('nothing but backticks is shown as such', () => {
    expect(proseToMarkdown('``')).toBe('\\`\\`')
    expect(proseToMarkdown('``\n``')).toBe('\\`\\` \\`\\`')
  })
})
