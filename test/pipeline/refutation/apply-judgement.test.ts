/** What a judgement does to a finding that stays: its severity, its text, and whether the change caused it. */
import { describe, expect, test } from 'vitest'
import type { Finding, Verdict } from '../../../src/domain/finding.ts'
import { tagAt } from '../validation/world.ts'
import { type Answer, answer, finding, guard, ownTag, refute, world } from './world.ts'

const why = 'severity capped at medium, from critical: it makes no claim that code can check'

/** As validation leaves a finding that its author called critical. */
const capped = (overrides: Partial<Finding> = {}): Finding =>
  finding({ severity: 'medium', lowered: { from: 'critical', why }, ...overrides })

async function fate(said: Answer, one: Finding): Promise<Verdict | undefined> {
  const demoted = one.lowered
    ? ({ outcome: 'demoted', step: 'claims', reason: why } as const)
    : ({ outcome: 'kept', step: 'kept', reason: '' } as const)
  const { verdicts } = await refute(() => said, [], {
    verdicts: [{ candidate: one, finding: one, ...demoted }],
  })
  return verdicts[0]
}

const beyond = { ...guard, bears: 'for' }

describe('a severity above medium', () => {
  test('comes back when words beyond its own quotes support it and the check rates it so', async () => {
    const verdict = await fate(answer('upheld', [beyond], { severity: 'critical' }), capped())
    expect(verdict).toMatchObject({ outcome: 'kept', step: 'kept', finding: { severity: 'critical' } })
    expect(verdict?.finding).not.toHaveProperty('lowered')
    expect(verdict?.reason).toContain('words beyond its own quotes support it')
  })
  test('comes back no higher than the check rates it, nor than its author did', async () => {
    const lower = await fate(answer('upheld', [beyond], { severity: 'high' }), capped())
    expect(lower).toMatchObject({ outcome: 'demoted', step: 'refutation', finding: { severity: 'high' } })
    expect(lower?.reason).toContain('severity high instead of critical')
    const high = capped({ lowered: { from: 'high', why } })
    expect((await fate(answer('upheld', [beyond], { severity: 'critical' }), high))?.finding?.severity).toBe(
      'high',
    )
  })
  test.each([
    ['only what it quotes itself', [{ id: 'E1', quote: 'first(prices)', bears: 'for' }]],
    ['more words of the line that it quotes', [{ id: 'E1', quote: 'total(first(prices))', bears: 'for' }]],
    ['the line that it is about', [{ id: ownTag, quote: 'const price = prices[1]', bears: 'for' }]],
    ['a line that is about nothing of it', [{ id: 'E3', quote: 'import { log }', bears: 'for' }]],
    ['words that are not there', [{ ...beyond, quote: 'if (prices === null)' }]],
    [
      'true words beside more that are not there',
      [beyond, { ...beyond, quote: 'prices.length > 1' }, { ...beyond, quote: 'prices.at(1)' }],
    ],
    ['words against it', [guard]],
    ['no words', []],
  ])('stays medium with %s, and says why', async (_, quotes) => {
    const verdict = await fate(answer('upheld', quotes, { severity: 'critical' }), capped())
    expect(verdict).toMatchObject({ outcome: 'demoted', step: 'claims', finding: { severity: 'medium' } })
    expect(verdict?.reason).toBe(`${why}; an independent check upheld it without words beyond its own quotes`)
  })
  test('comes back on words that are there, whatever slips beside them', async () => {
    const slip = { ...beyond, quote: 'prices.length > 1' }
    const verdict = await fate(answer('upheld', [slip, beyond], { severity: 'critical' }), capped())
    expect(verdict).toMatchObject({ outcome: 'kept', finding: { severity: 'critical' } })
  })
  test('a quote of its own that became a claim about a line is its own all the same', async () => {
    const text = '  if (prices.length === 0) return 0'
    const claims = [{ kind: 'line-contains', side: 'new', path: 'src/a.ts', line: 4, text } as const]
    const one = capped({ claims, verifiedBy: ['1 claim confirmed by the text of the line'] })
    expect((await fate(answer('upheld', [beyond], { severity: 'high' }), one))?.finding?.severity).toBe(
      'medium',
    )
  })
  test.each(['medium', null])('stays medium when the check rates it %s', async (severity) => {
    const verdict = await fate(answer('upheld', [beyond], { severity }), capped())
    expect(verdict).toMatchObject({ finding: { severity: 'medium', lowered: { from: 'critical' } } })
    expect(verdict?.reason).toContain('an independent check rates the consequence')
  })
  test('stays medium when nothing was decided', async () => {
    const verdict = await fate(answer('undecided', [beyond], { severity: 'critical' }), capped())
    expect(verdict?.finding).toMatchObject({ severity: 'medium', confidence: 'possible' })
  })
  test('is asked about by what its author called it', async () => {
    const low = finding({ id: 'C2', severity: 'medium', title: 'Another' })
    const ran = await refute(() => answer('upheld'), [low, capped({ id: 'C9' })], {
      review: { refutations: 1 },
    })
    expect(ran.asked).toEqual(['refute/C9'])
  })
})

test('what supports it beyond its own quotes is told of every finding, whatever its severity', async () => {
  const words = 'words beyond its own quotes support it'
  expect((await fate(answer('upheld', [beyond]), finding()))?.finding?.verifiedBy).toContain(words)
  const own = { id: 'E1', quote: 'first(prices)', bears: 'for' }
  expect((await fate(answer('upheld', [own]), finding()))?.finding?.verifiedBy).not.toContain(words)
})

describe('a check that rates the consequence lower', () => {
  test('lowers it', async () => {
    const verdict = await fate(answer('upheld', [beyond], { severity: 'low' }), finding())
    expect(verdict).toMatchObject({ outcome: 'demoted', step: 'refutation', finding: { severity: 'low' } })
  })
  test.each([
    ['without a quote', []],
    ['with quotes that are nowhere', [{ ...beyond, quote: 'if (prices === null)' }]],
  ])('lowers nothing %s', async (_, quotes) => {
    const verdict = await fate(answer('upheld', quotes, { severity: 'low' }), finding())
    expect(verdict).toMatchObject({ outcome: 'kept', finding: { severity: 'medium' } })
  })
  test('lowers one that its author rated high, too', async () => {
    const verdict = await fate(answer('upheld', [beyond], { severity: 'low' }), capped())
    expect(verdict?.finding?.severity).toBe('low')
    expect(verdict?.reason).toContain('an independent check rates the consequence lower')
  })
  test('never below what code confirmed', async () => {
    const proven = finding({ severity: 'high', verifiedBy: ['1 claim confirmed by the code index'] })
    expect((await fate(answer('upheld', [], { severity: 'low' }), proven))?.finding?.severity).toBe('high')
  })
})

describe('narrowing', () => {
  const explanation =
    'With no prices, `price` is undefined. The log then crashes the server.\n\nA second price is needed.'
  const side = 'The log then crashes the server.'
  const logs = { id: tagAt(world.change, 'src/a.ts', 6), quote: 'log(price)', bears: 'against' }
  const narrowed = (cut: string[], one: Partial<Finding> = {}, quotes = [logs]) =>
    fate(answer('narrowed', quotes, { cut }), finding({ explanation, ...one }))

  test('cuts the sentence of the side claim and nothing else', async () => {
    const verdict = await narrowed([side])
    expect(verdict).toMatchObject({ outcome: 'demoted', step: 'refutation' })
    expect(verdict?.finding?.explanation).toBe(
      'With no prices, `price` is undefined.\n\nA second price is needed.',
    )
    expect(verdict?.reason).toContain('an independent check cut a side claim')
    expect(verdict?.finding?.verifiedBy).toContain('an independent check could not refute its main claim')
  })
  test('cuts the whole sentence around a part of it, and a paragraph that is left empty', async () => {
    expect((await narrowed(['crashes the server']))?.finding?.explanation).not.toContain('The log')
    expect((await narrowed(['A second price is needed.']))?.finding?.explanation).toBe(
      explanation.split('\n')[0],
    )
  })
  test('may remove the suggested fix', async () => {
    const verdict = await narrowed(['Use the third price instead'], { remedy: 'Use the third price instead' })
    expect(verdict?.finding).toMatchObject({ remedy: null, explanation })
  })
  test.each([
    ['words that are not in it', ['The disk is full by then.'], [logs]],
    ['everything', explanation.split('\n\n'), [logs]],
    ['nothing', [], [logs]],
    ['a word', ['price'], [logs]],
    ['no quote against it', [side], []],
    ['with a made-up quote', [side], [{ ...logs, quote: 'log(null)' }]],
    ['with quotes for it alone', [side], [{ ...logs, bears: 'for' }]],
  ])('%s cuts nothing: the finding stays whole, and is supported as if upheld', async (name, cut, quotes) => {
    const one = capped({ explanation })
    const verdict = await fate(answer('narrowed', [...quotes, beyond], { cut, severity: 'critical' }), one)
    // Whoever would cut everything bears out nothing.
    const severity = name === 'everything' ? 'medium' : 'critical'
    expect(verdict?.finding).toMatchObject({ explanation, severity })
  })
})

describe('a finding that is older than the change', () => {
  const was = {
    id: tagAt(world.change, 'src/a.ts', 5, 'old'),
    quote: 'const price = prices[0]',
    bears: 'for',
  }

  test('is marked so by a removed or unchanged line, and keeps its text', async () => {
    for (const quote of [was, beyond]) {
      const verdict = await fate(answer('pre-existing', [quote]), finding())
      expect(verdict).toMatchObject({
        outcome: 'demoted',
        step: 'refutation',
        finding: { preExisting: true },
      })
      expect(verdict?.reason).toContain('an independent check found that it existed before this change')
    }
  })
  test.each([
    ['an added line', [{ id: ownTag, quote: 'const price = prices[1]', bears: 'for' }]],
    ['evidence of the head', [{ id: 'E1', quote: 'first(prices)', bears: 'for' }]],
    ['no quote', []],
    ['a bracket of the old side', [{ ...was, quote: '=' }]],
  ])('is not, by %s: nothing is decided, and it counts as new', async (_, quotes) => {
    const verdict = await fate(answer('pre-existing', quotes), finding())
    expect(verdict?.finding).toMatchObject({ preExisting: false, confidence: 'possible' })
  })
  test('is marked so by a line of another file that the change leaves alone and that it does not quote itself', async () => {
    const elsewhere = { id: 'E2', quote: 'unseen()', bears: 'for' }
    const shown = finding({ explanation: 'As E2 shows, `unseen` fails without prices.' })
    const citing = finding({ evidence: [{ evidence: 'E2', quote: 'unseen()' }] })
    const marks = [shown, citing].map(
      async (one) => (await fate(answer('pre-existing', [elsewhere]), one))?.finding,
    )
    expect(await Promise.all(marks)).toMatchObject([{ preExisting: true }, { preExisting: false }])
  })
  test('is not where code confirmed a claim', async () => {
    const proven = finding({ severity: 'high', verifiedBy: ['1 claim confirmed by the code index'] })
    const verdict = await fate(answer('pre-existing', [was]), proven)
    expect(verdict?.finding).toMatchObject({ preExisting: false, severity: 'high' })
  })
})

describe('true, and milder than it says', () => {
  const overstated = (severity: Answer['severity']) => answer('overstated', [guard], { severity })
  test('has the severity that it deserves, capped or not', async () => {
    const plain = await fate(overstated('low'), finding({ severity: 'high' }))
    expect(plain).toMatchObject({ outcome: 'demoted', step: 'refutation', finding: { severity: 'low' } })
    expect(plain?.reason).toContain('severity low instead of high')
    expect((await fate(overstated('low'), capped()))?.finding?.severity).toBe('low')
  })
  test('is never raised by it, and is upheld where no quote shows it', async () => {
    expect((await fate(overstated('high'), finding()))?.finding?.severity).toBe('medium')
    const unquoted = await fate(answer('overstated', [], { severity: 'low' }), finding())
    expect(unquoted).toMatchObject({ outcome: 'kept', finding: { severity: 'medium' } })
  })
})

describe('true, and nothing makes it happen today', () => {
  test('is a minor finding, with the reason', async () => {
    const verdict = await fate(answer('latent', [guard]), finding({ severity: 'high' }))
    expect(verdict).toMatchObject({ outcome: 'demoted', step: 'refutation', finding: { severity: 'low' } })
    expect(verdict?.reason).toBe(
      'an independent check finds nothing that makes it happen today: Because of the guard.',
    )
  })
  test('is not decided by words that the finding quotes itself', async () => {
    const own = { id: 'E1', quote: 'first(prices)', bears: 'against' }
    const verdict = await fate(answer('latent', [own]), finding())
    expect(verdict?.finding).toMatchObject({ severity: 'medium', confidence: 'possible' })
  })
})
