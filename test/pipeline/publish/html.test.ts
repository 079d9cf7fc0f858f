/** The HTML report: what it shows, and that no text of a review becomes markup, as a parser of HTML reads it. */
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { expect, test } from 'vitest'
import { visibleText } from '../../../src/base/visible-text.ts'
import { Review } from '../../../src/domain/review.ts'
import type { RenderOptions } from '../../../src/pipeline/publish/contract.ts'
import { linksAt } from '../../../src/pipeline/publish/links.ts'
import { formats } from '../../../src/pipeline/publish/registry.ts'
import { sampleEvidence, sampleFinding, sampleReview } from '../../helpers/sample-review.ts'

const options: RenderOptions = { color: false, width: 80, explain: true, maxInline: 1 }

type Element = DefaultTreeAdapterTypes.Element

function elementsOf(html: string): Element[] {
  const found: Element[] = []
  const waiting: DefaultTreeAdapterTypes.Node[] = [parse(html)]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if ('tagName' in node) found.push(node)
    if ('childNodes' in node) waiting.push(...node.childNodes)
  }
  return found
}

function wordsIn(html: string): string {
  const waiting: DefaultTreeAdapterTypes.Node[] = [parse(html)]
  const words: string[] = []
  for (let node = waiting.shift(); node; node = waiting.shift()) {
    if (node.nodeName === '#text' && 'value' in node) words.push(node.value)
    if ('childNodes' in node) waiting.unshift(...node.childNodes)
  }
  return words.join(' ')
}

test('one page with everything that the review says, and a policy under which nothing is loaded', () => {
  const low = sampleFinding({
    id: 'C2',
    severity: 'low',
    byModel: true,
    title: 'A small thing',
    verifiedBy: [],
  })
  const html = formats.html(sampleReview({ findings: [sampleFinding(), low] }), options)
  const words = wordsIn(html)
  for (const said of [
    'REQUEST_CHANGES',
    'Make parsing strict',
    'now needs 2 arguments; 1 caller still passes 1',
    'export function parse(text: string, strict: boolean) {',
    'It was not updated with the change.',
    'parse(input)',
    'Minor (1)',
    'A small thing',
    'the clone is shallow',
    'big.bin',
  ])
    expect(words).toContain(said)
  const policy = elementsOf(html).find(({ attrs }) =>
    attrs.some(({ value }) => /Security-Policy/.test(value)),
  )
  const content = policy?.attrs.find(({ name }) => name === 'content')?.value
  expect(content).toMatch(
    /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; base-uri 'none'; form-action 'none'$/,
  )
  expect(html).not.toContain('/tmp/')
})

test('a folder of this machine is not passed on', () => {
  const review = sampleReview()
  const html = formats.html(
    { ...review, run: { ...review.run, repository: '/home/ada/secret-client/shop' } },
    options,
  )
  expect(wordsIn(html)).toContain('shop · branch')
  expect(html).not.toContain('secret-client')
})

const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</code></td></table></body><iframe src="https://evil.example">',
  '`</style><script>`alert(1)`</script>`',
  '<!--',
  ']]>',
  '&lt;script&gt;',
  'javascript:alert(1)',
  '\u202e\u2066right to left\u2069',
  '\u0000\u001b[31m',
]
const ours = new Set(
  'html head meta title style body main header section article nav footer h1 h2 h3 p dl div dt dd ul li span strong a code pre table thead tbody tr th td details summary br meter'.split(
    ' ',
  ),
)

/** Every text that is not one of a fixed set of words. */
function poisoned(value: unknown, attack: string, key = ''): unknown {
  if (typeof value === 'string') return free.test(key) ? `${value} ${attack}` : value
  if (Array.isArray(value)) return value.map((item) => poisoned(item, attack, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, poisoned(inner, attack, name)]),
  )
}
const free =
  /^(?:title|text|explanation|remedy|path|quote|reason|summary|keyChanges|headline|notices|label|author|repository|limits|verifiedBy|example|replacement|rule|plane|reasons|instructions)$/

/** Pairs of backticks are code, whoever wrote them, and an odd path has no link. */
const shapeOf = (all: Element[]) =>
  all.map(({ tagName }) => tagName).filter((name) => name !== 'code' && name !== 'a')

test.each(attacks)('text never becomes markup: %j', (attack) => {
  const finding = sampleFinding({
    example: 'use(it)',
    places: [{ path: 'src/b.ts', side: 'new', startLine: 1, endLine: 1, quote: 'x' }],
    suggestion: { path: 'src/parse.ts', startLine: 12, endLine: 12, replacement: 'y' },
  })
  const whole = sampleReview({
    findings: [
      finding,
      sampleFinding({ id: 'C2' }),
      sampleFinding({ id: 'C3' }),
      sampleFinding({ id: 'C4' }),
    ],
    evidence: [sampleEvidence()],
    instructions: ['AGENTS.md'],
    questions: [{ plane: 'reviewer', text: 'Why?', path: 'src/a.ts', line: 1 }],
  })
  const review = Review.parse(poisoned(whole, attack))
  const link = linksAt('https://github.com/owner/name', review.request) ?? undefined
  const html = formats.html(review, { ...options, ...(link ? { link } : {}) })
  const clean = elementsOf(formats.html(whole, { ...options, ...(link ? { link } : {}) }))
  const found = elementsOf(html)
  expect(shapeOf(found)).toEqual(shapeOf(clean))
  for (const { tagName, attrs } of found) {
    expect(ours).toContain(tagName)
    for (const { name, value } of attrs) {
      expect(name).not.toMatch(/^on|^style$|^src/)
      if (name === 'href') expect(value).toMatch(/^(?:#finding-C\d+$|https:\/\/github\.com\/owner\/name\/)/)
    }
  }
  expect(visibleText(html)).toBe(html)
})

test('a line of a megabyte is cut', () => {
  const finding = sampleFinding({
    explanation: 'short',
    evidence: [{ evidence: 'E1', quote: 'x'.repeat(1_000_000) }],
  })
  const html = formats.html(sampleReview({ findings: [finding] }), options)
  expect(html.length).toBeLessThan(100_000)
})
