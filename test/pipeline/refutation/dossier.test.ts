/** What judges are shown: the whole of what a finding is about, the same for every finding of one definition. */
import { describe, expect, test } from 'vitest'
import { openEvidenceBook } from '../../../src/domain/evidence.ts'
import type { Finding } from '../../../src/domain/finding.ts'
import type { ReviewContext } from '../../../src/domain/review-context.ts'
import type { Question } from '../../../src/llm/contract.ts'
import { gatherDossier, numberDossier } from '../../../src/pipeline/refutation/dossier.ts'
import type { CodeQuestions } from '../../../src/pipeline/refutation/sources.ts'
import { wordsOf } from '../../helpers/scripted-gateway.ts'
import {
  contextOf,
  createWorld,
  evidenceOf,
  symbol,
  symbolChange,
  tagAt,
  type World,
} from '../validation/world.ts'
import { answer, codeThatSays, finding, refute } from './world.ts'

const filler = Array.from({ length: 60 }, (_, at) => `// ${at}`).join('\n')
const cart = [
  'export function total(items: Item[]): number {',
  '  let sum = 0',
  '  for (const item of items) sum += price(item)',
  '  if (sum < 0) throw new RangeError()',
  '  return sum',
  '}',
  filler,
  'export function price(item: Item): number {',
  '  return item.cents',
  '}',
  '',
].join('\n')
const cartAfter = cart
  .replace('sum += price', 'sum -= price')
  .replace('item.cents', 'item.cents * rate(item)')
const tax = 'export function rate(item: Item): number {\n  return item.isFood ? 1.07 : 1.19\n}\n'
const page = 'show(total(cart))\n'

const totalAt = symbol('total', 1, { endLine: 6 })
const priceAt = symbol('price', 67, { endLine: 69 })
const symbols = [totalAt, priceAt]
const world = createWorld(
  { 'src/cart.ts': cart, 'src/page.ts': page, 'src/tax.ts': tax, 'src/deep/tax.ts': tax },
  {
    'src/cart.ts': cartAfter,
    'src/page.ts': page.replace('cart', 'basket'),
    'src/tax.ts': tax,
    'src/deep/tax.ts': tax,
  },
  { facts: { 'old:src/cart.ts': { symbols }, 'new:src/cart.ts': { symbols } } },
)
const context = contextOf(world.change, {
  evidence: [
    evidenceOf('src/page.ts', 1, page.trim().replace('cart', 'basket')),
    evidenceOf('src/cart.ts', 2, '  let sum = 0', { id: 'E2' }),
  ],
  symbols: [
    symbolChange({
      kind: 'body-changed',
      before: { path: 'src/cart.ts', symbol: totalAt },
      after: { path: 'src/cart.ts', symbol: totalAt },
      bodyChanged: true,
    }),
  ],
})
const sumTag = tagAt(world.change, 'src/cart.ts', 3)
const priceTag = tagAt(world.change, 'src/cart.ts', 68)

function subtracted(overrides: Partial<Finding> = {}): Finding {
  return finding({
    title: 'The total is subtracted',
    explanation: 'Every sum goes below zero and `total` throws.',
    anchor: { path: 'src/cart.ts', tags: [sumTag] },
    startLine: 3,
    endLine: 3,
    excerpt: [],
    evidence: [{ evidence: 'E1', quote: 'total(basket)' }],
    ...overrides,
  })
}

type Shown = { in?: World; context?: ReviewContext; code?: CodeQuestions }

/** What the judge of each question reads. */
async function shownOf(findings: Finding[], more: Shown = {}): Promise<string[]> {
  const { in: where = world, context: around = context, code } = more
  const { questions } = await refute(() => answer('upheld'), findings, {
    ...{ world: where, context: around },
    ...(code ? { code } : {}),
  })
  return questions.map(({ turns }) => wordsOf({ instructions: [], turns }))
}

/** What the judge reads of one finding without evidence, on a changed line of another world. */
async function shownAt(where: World, path: string, line: number, explanation: string, more: Shown = {}) {
  const anchor = { path, tags: [tagAt(where.change, path, line)] }
  const own = finding({ explanation, anchor, startLine: line, endLine: line, evidence: [] })
  const [words = ''] = await shownOf([own], { in: where, context: contextOf(where.change, {}), ...more })
  return words
}

test('every hunk that it tags and every further place is shown, not the first one alone', async () => {
  const place = { path: 'src/page.ts', side: 'new' as const, startLine: 1, endLine: 1, quote: 'show' }
  const [first] = await shownOf([subtracted({ anchor: { path: 'src/cart.ts', tags: [sumTag, priceTag] } })])
  expect(first).toContain(`[${priceTag}] +  return item.cents * rate(item)`)
  // All of it is in the diff: shown again, it would only be more to read.
  expect(first).not.toContain('around the finding')
  expect(first).not.toContain('diff of src/page.ts')
  const [second] = await shownOf([{ ...subtracted(), places: [place] } as Finding])
  expect(second).toContain('diff of src/page.ts')
  expect(second).toContain('Also at src/page.ts:1')
})

test('evidence that the text of a finding refers to by its number is shown, quoted or not', async () => {
  const rates = evidenceOf('src/tax.ts', 2, '  return item.isFood ? 1.07 : 1.19', { id: 'E3' })
  const own = subtracted({ explanation: 'As E3 shows, food has a rate of its own. E99 is nowhere.' })
  const withRates = { ...context, evidence: [...context.evidence, rates] }
  expect((await shownOf([own], { context: withRates }))[0]).toMatch(/E3\b[\s\S]*isFood \? 1\.07/)
})

test('the code before the change is shown beside the code after it', async () => {
  const beyond = Array.from({ length: 50 }, (_, at) => `  step(${at})`).join('\n')
  const code = (sign: string) => `export function sink(): void {\n${beyond}\n  sum ${sign}= 1\n}\n`
  const sinkAt = symbol('sink', 1, { endLine: 53 })
  const long = createWorld(
    { 'src/sink.ts': code('+') },
    { 'src/sink.ts': code('-') },
    { facts: { 'old:src/sink.ts': { symbols: [sinkAt] }, 'new:src/sink.ts': { symbols: [sinkAt] } } },
  )
  const side = { path: 'src/sink.ts', symbol: sinkAt }
  const symbols = [symbolChange({ kind: 'body-changed', before: side, after: side, bodyChanged: true })]
  const words = await shownAt(long, 'src/sink.ts', 52, 'It sinks.', {
    context: contextOf(long.change, { symbols }),
  })
  const [diff = '', after = '', before = ''] = words.split(/"src\/sink\.ts:1-53/)
  expect(diff).toContain('+  sum -= 1')
  expect(after).toContain(' 2|   step(0)')
  expect(before).toMatch(/^ before the change: the function `sink` before the change"/)
  // What is unchanged stands there as it is now.
  expect(before).toContain('… 1-48: unchanged, 1-48 after the change')
  expect(before).not.toContain('step(0)')
  // The lines of the diff are not repeated.
  expect(words.match(/sum [-+]= 1/g)).toHaveLength(2)
  expect(after).toContain('shown above')
})

test('of a definition that is too long, the lines before the change are those around the place, not its first ones', async () => {
  const steps = Array.from({ length: 300 }, (_, at) => `  step(${at})`)
  const code = (at: number, line: string) =>
    ['function sink() {', ...steps.with(at, line), '}', ''].join('\n')
  const sinkAt = symbol('sink', 1, { endLine: 302 })
  const long = createWorld(
    { 'src/sink.ts': code(250, '  step(old)') },
    { 'src/sink.ts': code(250, '  step(now)') },
    { facts: { 'old:src/sink.ts': { symbols: [sinkAt] }, 'new:src/sink.ts': { symbols: [sinkAt] } } },
  )
  const side = { path: 'src/sink.ts', symbol: sinkAt }
  const symbols = [symbolChange({ kind: 'body-changed', before: side, after: side, bodyChanged: true })]
  const words = await shownAt(long, 'src/sink.ts', 252, 'It steps.', {
    context: contextOf(long.change, { symbols }),
  })
  expect(words).toContain('src/sink.ts:151-302 before the change')
  expect(words).not.toContain('src/sink.ts:1-')
})

describe('functions that the explanation names', () => {
  const naming = subtracted({
    explanation: '`price(item)` calls `rate`, so `return` is wrong and applyTax too.',
  })
  test('are shown whole, from changed files first and from the rest of the tree then', async () => {
    const code = codeThatSays(() => '', [{ name: 'rate', path: 'src/tax.ts', startLine: 1, endLine: 3 }])
    const [words] = await shownOf([naming], { code })
    expect(words).toMatch(/src\/cart\.ts[^\n]*`price`, which it names/)
    expect(words).toContain('`rate`, which it names and the change leaves as it was')
    expect(words).toContain('return item.isFood ? 1.07 : 1.19')
    expect(code.located).toEqual([['item', 'rate', 'applyTax']])
  })
  test('with several definitions of a name elsewhere, none is guessed', async () => {
    const code = codeThatSays(
      () => '',
      [
        { name: 'rate', path: 'src/tax.ts', startLine: 1, endLine: 3 },
        { name: 'rate', path: 'src/deep/tax.ts', startLine: 1, endLine: 3 },
      ],
    )
    expect((await shownOf([naming], { code }))[0]).not.toContain('isFood')
  })
  test('are not looked for in other languages or in code of others', async () => {
    for (const path of ['tools/tax.py', 'vendor/tax/tax.ts']) {
      const strange = createWorld(
        { 'src/cart.ts': 'one\n', [path]: 'def rate():\n  return isFood\n' },
        { 'src/cart.ts': 'two\n', [path]: 'def rate():\n  return isFood\n' },
      )
      const code = codeThatSays(() => '', [{ name: 'rate', path, startLine: 1, endLine: 2 }])
      const words = await shownAt(strange, 'src/cart.ts', 1, '`rate` is wrong.', { code })
      expect(code.located).toEqual([['rate']])
      expect(words, path).not.toContain('isFood')
    }
  })
  test('is shown as it was where the change removed it', async () => {
    const before = 'export function load() {\n  retry(3)\n}\nexport function save() {\n  return 1\n}\n'
    const after = 'export function load() {\n}\n'
    const names = (...all: [string, number, number][]) => ({
      symbols: all.map(([name, from, endLine]) => symbol(name, from, { endLine })),
    })
    const gone = createWorld(
      { 'src/store.ts': before, 'src/use.ts': `${filler}\nload()\n` },
      { 'src/store.ts': after, 'src/use.ts': `${filler}\nload(1)\n` },
      {
        facts: {
          'old:src/store.ts': names(['load', 1, 3], ['save', 4, 6]),
          'new:src/store.ts': names(['load', 1, 2]),
        },
      },
    )
    const words = await shownAt(gone, 'src/use.ts', 61, '`save()` was removed.')
    expect(words).toContain('"src/store.ts:4-6 before the change: `save`, which it names"')
    expect(words).toContain('5|   return 1')
  })
  test.each([
    [100, 100],
    [156, 156],
    [157, 6],
    [190, 6],
  ])(
    'of one with a body of %i lines, %i are shown: a long one by its signature and by what else is named',
    async (more, count) => {
      const body = Array.from({ length: more }, (_, at) =>
        at === 40 || at === 90 ? `  audit(step${at})` : `  step${at}()`,
      )
      const app = ['export function app(', '  store: Store,', '): void {', ...body, '}', '']
      const long = createWorld(
        { 'src/a.ts': 'one\n', 'src/app.ts': app.join('\n') },
        { 'src/a.ts': 'two\n', 'src/app.ts': `${app.join('\n')}// more\n` },
        { facts: { 'new:src/app.ts': { symbols: [symbol('app', 1, { endLine: more + 4 })] } } },
      )
      const words = await shownAt(long, 'src/a.ts', 1, '`app` does not call `audit` twice.')
      expect(words).toMatch(/\| export function app\(/)
      expect(words).toMatch(/\| {3}audit\(step40\)/)
      expect(words.match(/step\d+\b/g)).toHaveLength(count)
    },
  )
  test('a namesake in another file is not taken for it, nor one of several', async () => {
    const twice = 'class A {\n  items() {}\n}\nclass B {\n  items() {}\n}\n'
    const other = createWorld(
      { 'src/a.ts': `one\n`, 'src/b.ts': twice },
      { 'src/a.ts': `two\n`, 'src/b.ts': `${twice}// more\n` },
      {
        facts: {
          'new:src/b.ts': {
            symbols: [symbol('items', 2, { endLine: 2 }), symbol('items', 5, { endLine: 5 })],
          },
        },
      },
    )
    expect(await shownAt(other, 'src/a.ts', 1, 'Of `items` the first is lost.')).not.toContain('items() {}')
  })
  test('what has no room is named', async () => {
    const book = openEvidenceBook(context.evidence)
    const { base, head, facts } = world
    const { signal } = new AbortController()
    const input = { context, book, base, head, facts, code: null, room: 60, signal }
    const dossier = numberDossier(await gatherDossier(naming, input), book)
    expect(dossier.left).toContain('`price`, which it names (src/cart.ts:67)')
    expect(dossier.evidence.map(({ id }) => id)).toContain('E1')
  })
})

describe('files that the explanation names', () => {
  const notes = [
    '# Changes',
    ...Array.from({ length: 80 }, (_, at) => `- entry ${at}`),
    '- `total` adds tax',
    '',
  ].join('\n')
  const named = createWorld(
    {
      'src/cart.ts': cart,
      'CHANGES.md': notes,
      'docs/a/setup.md': 'one\n',
      'docs/b/setup.md': 'two\n',
      'app.toml': 'tax = 1\n',
    },
    {
      'src/cart.ts': cartAfter,
      'CHANGES.md': notes,
      'docs/a/setup.md': 'one\n',
      'docs/b/setup.md': 'two\n',
      'app.toml': 'tax = 1\n',
    },
    { facts: { 'new:src/cart.ts': { symbols } } },
  )
  const shown = (explanation: string) => shownAt(named, 'src/cart.ts', 3, explanation)
  test('are shown: a short one whole, of a long one the beginning and what else is named', async () => {
    const words = await shown(
      '`total` subtracts, though CHANGES.md says that it adds and app.toml sets a tax.',
    )
    expect(words).toContain('`app.toml`, which it names')
    expect(words).toContain('1| tax = 1')
    expect(words).toContain('82| - `total` adds tax')
    expect(words).toContain('12| - entry 10')
    expect(words).not.toContain('- entry 40')
  })
  test('of several by one name none, nor what is not there, nor the file of the finding', async () => {
    const words = await shown('`total` of cart.ts is not as setup.md and missing.md say.')
    expect(words).not.toMatch(/`(?:setup\.md|missing\.md|cart\.ts)`, which it names/)
  })
})

describe('what is said to be unused, uncalled or untested', () => {
  const none =
    '(0 uses of src/cart.ts:1, from the index)\n(no match (this is conclusive): no file mentions it)'
  test.each([
    ['No test reaches `total`', 'total'],
    ['`price` is never called', 'price'],
    ['Nothing uses it any more', 'total'],
  ])('%s: its references are shown, with an empty answer as evidence', async (title, name) => {
    const code = codeThatSays(() => none)
    const [words] = await shownOf([subtracted({ title })], { code })
    expect(code.calls.map(({ tool, args }) => [tool, args.symbol])).toContainEqual(['find_references', name])
    expect(words).toContain('no match (this is conclusive): no file mentions it')
  })
  test('a judge refutes it with a line of that answer', async () => {
    const code = codeThatSays(() => 'test/cart.test.ts:4 call (import): expect(total([])).toBe(0)')
    const idIn = (question: Question<unknown>) => /(E\d+) find_references/.exec(wordsOf(question))?.[1] ?? ''
    const { verdicts } = await refute(
      (question) =>
        answer('refuted', [{ id: idIn(question), quote: 'expect(total([])).toBe(0)', bears: 'against' }]),
      [subtracted({ title: 'No test reaches `total`' })],
      { world, context, code },
    )
    expect(verdicts[0]).toMatchObject({ outcome: 'dropped', step: 'refutation' })
  })
  test('what is found is not shown where nothing of the kind is said', async () => {
    const code = codeThatSays(() => none)
    const [words] = await shownOf([subtracted()], { code })
    expect(words).not.toContain('no match (this is conclusive)')
  })
})

describe('calls of the function around a finding', () => {
  const uses = [
    'src/page.ts:1 import (import): import { total }',
    'src/page.ts:1 call (import): show(total(basket))',
    'src/gone.ts:7 call (import): total([])',
  ].join('\n')
  test('are shown whatever the finding says, those that are there', async () => {
    const code = codeThatSays(() => uses)
    const explanation = 'The sum is subtracted instead of added.'
    const [words] = await shownOf([subtracted({ explanation, evidence: [] })], { code })
    expect(words).toContain('a call of `total`')
    expect(words).toContain('1| show(total(basket))')
    expect(words).toContain('calls of `total`: 2 in code, 0 tests; shown: src/page.ts:1, src/gone.ts:7')
    expect(code.calls.map(({ tool, args }) => [tool, args])).toEqual([
      ['find_references', { symbol: 'total', path: 'src/cart.ts', line: 1 }],
    ])
  })
  test('are shown with the whole of a short function that has them', async () => {
    const caller = [
      'function pay() {',
      '  if (closed) return',
      '  step()',
      '  step()',
      '  total(all)',
      '}',
      '',
    ]
    const filler = Array.from({ length: 30 }, () => 'other()')
    const file = [...filler, ...caller, ...filler].join('\n')
    const own = { symbols: [symbol('pay', 31, { endLine: 36 })] }
    const short = createWorld(
      { 'src/cart.ts': cart, 'src/use.ts': file },
      { 'src/cart.ts': cartAfter, 'src/use.ts': file },
      { facts: { 'new:src/cart.ts': { symbols }, 'new:src/use.ts': own } },
    )
    const code = codeThatSays(() => 'src/use.ts:35 call (import): total(all)')
    const [words] = await shownOf([subtracted()], { in: short, context: contextOf(short.change, {}), code })
    expect(words).toContain('31| function pay() {')
    expect(words).toContain('36| }')
    expect(words).not.toContain('30| other()')
  })
  test('are three at most, the lines above each with it', async () => {
    const lines = Array.from({ length: 200 }, (_, at) => `${at % 40 === 39 ? 'total(all)' : `step(${at})`}`)
    const many = createWorld(
      { 'src/cart.ts': cart, 'src/use.ts': lines.join('\n') },
      { 'src/cart.ts': cartAfter, 'src/use.ts': lines.join('\n') },
      { facts: { 'new:src/cart.ts': { symbols } } },
    )
    const calls = [40, 80, 120, 160].map((line) => `src/use.ts:${line} call (import): total(all)`).join('\n')
    const own = subtracted({ explanation: 'If items are missing, it throws.', evidence: [] })
    const code = codeThatSays(() => calls)
    const [words] = await shownOf([own], { in: many, context: contextOf(many.change, {}), code })
    expect(words?.match(/\d+\| total\(all\)/g)).toEqual([
      '40| total(all)',
      '80| total(all)',
      '120| total(all)',
    ])
    expect(words).toContain(' 28| step(27)')
    expect(words).not.toContain('| step(26)')
    expect(words).not.toContain('| total(all)\n160')
  })
})

describe('what code looks for that would speak against a finding', () => {
  const lines = [
    'function pay(order) {',
    '  if (!order) return null',
    '  const total = sum(order.items)',
    '  try {',
    '    charge(order, total * 2)',
    '  } catch (error) {',
    '    log(error)',
    '  }',
    '}',
  ]
  const lookedFor = async (
    after: readonly string[],
    before: readonly string[],
    line: number,
    say = '',
    start = 1,
  ) => {
    const payAt = symbol('pay', start, { endLine: after.length })
    const others = { 'test/pay.test.js': '\npay(null)\n', 'src/page.js': 'onClick(pay)\n' }
    const where = createWorld(
      { ...others, 'src/pay.js': before.join('\n') },
      { ...others, 'src/pay.js': after.join('\n') },
      { facts: { 'new:src/pay.js': { symbols: [payAt] } } },
    )
    return await shownAt(where, 'src/pay.js', line, 'It pays twice.', { code: codeThatSays(() => say) })
  }
  const old = lines.map((line) => line.replace(' * 2', ''))

  test('guards above it and handlers around it, by their lines', async () => {
    const words = await lookedFor(lines, old, 5)
    expect(words).toContain('guards above it in `pay` that name `charge`, `order`, `total`: line 2')
    expect(words).toContain('handlers in `pay` (catch, except, rescue, recover): line 6')
  })
  test('that there are none', async () => {
    const plain = lines.map((line, at) => (at === 1 ? '  start()' : at === 5 ? '  } finally {' : line))
    const words = await lookedFor(plain, old, 5)
    expect(words).toContain('that name `charge`, `order`, `total`: none')
    expect(words).toContain('calls of `pay`: none found by name and import')
    expect(words).toContain('the same line in `src/pay.js` before the change: none')
    // A line that the change leaves alone is there before, which says nothing of the change.
    expect(await lookedFor(plain, old, 3)).not.toContain('the same line')
  })
  test('calls that may be of another, and what hands it on', async () => {
    const say = 'src/till.js:4 call (by name alone): it.pay(all)\ntest/pay.test.js:2 call (name): pay(null)'
    expect(await lookedFor(lines, old, 5, say)).toContain(
      'calls of `pay`: 1 in code, 1 test, 1 of them by name alone, which may call another; shown: src/till.js:4, test/pay.test.js:2',
    )
    const handed = 'src/page.js:1 read (import): onClick(pay)\nsrc/pay.js:2 import (import): pay'
    const words = await lookedFor(lines, old, 5, handed)
    expect(words).toContain('other uses of `pay` in code: src/page.js:1 (read), src/pay.js:2 (import)')
    // With the code around it, for want of a call; an import shows nothing.
    expect(words.match(/a use of `pay`/g)).toHaveLength(1)
    expect(words).toContain('1| onClick(pay)')
  })
  test('tests that call it, and the same line before the change', async () => {
    const filled = ['charge(order, total)', ...filler.split('\n'), ...old]
    const moved = [...filler.split('\n'), ...lines.slice(0, 8), '  charge(order, total)', '}']
    const words = await lookedFor(moved, filled, 69, 'test/pay.test.js:2 call (name): pay(null)', 61)
    expect(words).toContain('calls of `pay`: 0 in code, 1 test; shown: test/pay.test.js:2')
    expect(words).toContain('other uses of `pay` in code: none')
    expect(words).toMatch(/2\| pay\(null\)/)
    expect(words).toContain('the same line in `src/pay.js` before the change: line 1')
    expect(words).toContain('"src/pay.js:1-3 before the change: the same line before the change"')
  })
  test('of a long function, a guard far above is shown with its neighbours', async () => {
    const steps = Array.from({ length: 300 }, (_, at) => `  step(${at})`)
    const long = ['function pay(order) {', '  if (!order) return null', ...steps, '  charge(order)', '}']
    const where = createWorld(
      { 'src/pay.js': long.join('\n').replace('charge(order)', 'charge()') },
      { 'src/pay.js': long.join('\n') },
      { facts: { 'new:src/pay.js': { symbols: [symbol('pay', 1, { endLine: 304 })] } } },
    )
    const words = await shownAt(where, 'src/pay.js', 303, 'It fails without an order.')
    expect(words).toMatch(/ 2\| {3}if \(!order\) return null/)
    expect(words).not.toContain('step(10)')
  })
})

describe('one defect reported twice', () => {
  const again = subtracted({
    id: 'C2',
    title: 'Items lower the sum',
    explanation: 'The sum sinks.',
    evidence: [{ evidence: 'E2', quote: 'let sum = 0' }],
  })
  test('is judged by the same evidence, in one question', async () => {
    const { questions } = await refute(() => answer('upheld'), [subtracted(), again], { world, context })
    expect(questions.map(({ address }) => address)).toEqual(['refute/C1+C2'])
    const [dossier, findings] = questions[0]?.turns[0]?.parts ?? []
    expect(dossier).toMatchObject({ stable: true })
    expect(dossier?.text).toMatch(/total\(basket\)[\s\S]*\bE2\b/)
    expect(findings?.text).toMatch(/Finding F1:[\s\S]*Every sum[\s\S]*Finding F2:[\s\S]*The sum sinks/)
  })
  test('gets the same decision from a judge that decides by what it is shown', async () => {
    const guard = { id: tagAt(world.change, 'src/cart.ts', 4), quote: 'if (sum < 0) throw', bears: 'for' }
    const { refutations } = await refute(
      (question) =>
        wordsOf(question).includes('total(basket)') ? answer('upheld', [guard]) : answer('undecided'),
      [subtracted(), { ...again, explanation: 'The sum sinks.' }],
      { world, context },
    )
    expect(refutations.map(({ outcome }) => outcome)).toEqual(['upheld', 'upheld'])
  })
  test('a finding in another function shares the question too, with all that it would be judged by alone', async () => {
    const other = subtracted({
      id: 'C3',
      explanation: '`rate` is not rounded.',
      anchor: { path: 'src/cart.ts', tags: [priceTag] },
      startLine: 68,
      endLine: 68,
    })
    const [one, two, both] = await Promise.all(
      [[subtracted()], [other], [other, subtracted()]].map((all) => shownOf(all)),
    )
    const codeIn = (words = '') => words.split('\n').filter((line) => /^(\s*\d+\| |\[[LO]\d)/.test(line))
    expect(both).toHaveLength(1)
    expect(codeIn(both?.[0]).length).toBeGreaterThan(codeIn(one?.[0]).length)
    for (const line of [...codeIn(one?.[0]), ...codeIn(two?.[0])]) expect(codeIn(both?.[0])).toContain(line)
  })
})
