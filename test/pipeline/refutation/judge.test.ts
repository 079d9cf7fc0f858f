/** What a judge can do to a finding: with words that stand there, much; with lies, nothing but lose its own say. */
import { describe, expect, test } from 'vitest'
import { answer, context, finding, guard, importTag, ownTag, refute } from './world.ts'

const against = (id: string, quote: string) => ({ id, quote, bears: 'against' })
const fate = async (...args: Parameters<typeof refute>) => {
  const { verdicts, refutations } = await refute(...args)
  return { verdict: verdicts[0], refutation: refutations[0] }
}

describe('a cited refutation', () => {
  test('drops the finding, with the reason and what it rests on', async () => {
    const ran = await refute(() => answer('refuted', [guard]))
    expect(ran.verdicts[0]).toMatchObject({
      outcome: 'dropped',
      step: 'refutation',
      reason: 'An independent check refuted it: Because of the guard.',
      finding: null,
    })
    const [citation] = ran.refutations[0]?.citations ?? []
    expect(ran.context.evidence.find(({ id }) => id === citation?.evidence)).toMatchObject({
      source: 'diff',
      path: 'src/a.ts',
      startLine: 4,
      text: '  if (prices.length === 0) return 0',
    })
    expect(ran.events).toContainEqual({ type: 'refutation', finding: 'C1', outcome: 'refuted' })
  })
  test('may quote with the marks of the diff, several lines, and evidence by its number', async () => {
    const marked = against(guard.id, `[${guard.id}]   ${guard.quote}`)
    const lines = against(guard.id, `${guard.quote}\n  const price = prices[1]`)
    const byNumber = against('E3', 'if (prices.length === 0)')
    for (const quote of [marked, lines, byNumber, { ...guard, id: `[${guard.id}]` }])
      expect((await fate(() => answer('refuted', [quote]))).refutation?.outcome).toBe('refuted')
  })
})

describe('everything else leaves the finding standing', () => {
  test.each([
    ['no quote', []],
    ['a made-up quote', [against(guard.id, 'if (prices === null) throw new Error()')]],
    ['one made-up quote among true ones', [guard, against(guard.id, 'prices.length > 1')]],
    ['a made-up tag', [against('L4#zzz', guard.quote)]],
    ['a true quote under another tag', [against(ownTag, guard.quote)]],
    ['evidence that does not exist', [against('E99', guard.quote)]],
    ['evidence that it was not shown', [against('E2', 'unseen()')]],
    ['blank quotes', [against(guard.id, '  ')]],
    ['a true and irrelevant line', [against(importTag, '')]],
    ['a bracket', [against('E3', '}')]],
    ['a name that has nothing to do with it', [against('E3', 'export function')]],
    ['only the quote of the finding', [against('E1', 'first(prices)')]],
    ['the quote of the finding, with a bracket more', [against('E1', '(first(prices))')]],
    ['only quotes for it', [{ ...guard, bears: 'for' }]],
  ])('refuted with %s', async (_name, quotes) => {
    const { verdict, refutation } = await fate(() => answer('refuted', quotes))
    expect(refutation?.outcome).toBe('undecided')
    expect(refutation?.reason).toContain('The judge called it refuted (Because of the guard.), but')
    expect(verdict).toMatchObject({
      outcome: 'demoted',
      step: 'refutation',
      finding: { severity: 'medium', confidence: 'possible' },
    })
  })
  test.each(['refused', 'truncated', 'unusable'] as const)(
    'a judge that is %s decides nothing',
    async (outcome) => {
      const { verdict, refutation } = await fate(() => ({ outcome }))
      expect(refutation).toMatchObject({ outcome: 'undecided', citations: [] })
      expect(verdict?.finding?.confidence).toBe('possible')
    },
  )
  test.each(['failed', 'over-budget'] as const)('a judge that is %s was not asked', async (outcome) => {
    const { verdict, refutation } = await fate(() => ({ outcome }))
    expect(refutation?.outcome).toBe('not-asked')
    expect(verdict).toMatchObject({ outcome: 'kept', finding: { confidence: 'likely' } })
  })
  test('no quote at all is told as such', async () => {
    const { refutation } = await fate(() => answer('refuted'))
    expect(refutation?.reason).toMatch(/but without a quote$/)
  })
  test('only citations that hold are told', async () => {
    const { refutation } = await fate(() => answer('undecided', [guard, against('E1', 'made up')]))
    expect(refutation?.citations).toHaveLength(1)
  })
})

describe('what code confirmed', () => {
  const proven = (words: string) =>
    finding({
      severity: 'high',
      verifiedBy: ['every cited line is in the diff as cited', `1 claim confirmed by ${words}`],
    })
  test.each(['the code index', 'the tree', 'pyright 1.1.400'])(
    'by %s does not fall by the word of a judge, and keeps its severity',
    async (words) => {
      const { verdict, refutation } = await fate(() => answer('refuted', [guard]), [proven(words)])
      expect(refutation).toMatchObject({
        outcome: 'undecided',
        reason: expect.stringContaining('code confirmed one of its claims'),
        citations: [expect.anything()],
      })
      expect(verdict).toMatchObject({
        outcome: 'demoted',
        finding: { severity: 'high', confidence: 'possible' },
      })
    },
  )
  test('that a text stands on the line is true of any line, and saves nothing', async () => {
    const { verdict } = await fate(() => answer('refuted', [guard]), [proven('the text of the line')])
    expect(verdict?.finding).toBeNull()
  })
  test('what nobody confirmed and nobody could decide is medium at most', async () => {
    const { verdict } = await fate(
      () => answer('undecided'),
      [finding({ severity: 'critical', verifiedBy: [] })],
    )
    expect(verdict).toMatchObject({
      reason: expect.stringContaining('severity capped at medium, from critical'),
      finding: { severity: 'medium' },
    })
  })
})

test('upheld is told among what was checked, and changes nothing else', async () => {
  const { verdict } = await fate(() => answer('upheld', [{ ...guard, bears: 'for' }]))
  expect(verdict).toMatchObject({
    outcome: 'kept',
    step: 'kept',
    reason:
      '1 quote stands word for word in the evidence; an independent check could not refute it; words beyond its own quotes support it',
    finding: { severity: 'medium', confidence: 'likely' },
  })
})

test('the reason of a judge is one line without hidden characters, and not too long', async () => {
  const reason = `a\nb\u202e${'x'.repeat(2000)}`
  const { verdict } = await fate(() => ({ ...answer('refuted', [guard]), reason }))
  expect(verdict?.reason).toMatch(/^An independent check refuted it: a b⟦U\+202E⟧x+$/)
  expect(verdict?.reason.length).toBeLessThan(560)
})

test('a bundle is added to and never changed', async () => {
  const size = context.evidence.length
  const ran = await refute(() => answer('refuted', [guard]))
  expect(context.evidence).toHaveLength(size)
  expect(ran.context.evidence.slice(0, size)).toEqual(context.evidence)
  expect(new Set(ran.context.evidence.map(({ id }) => id)).size).toBe(ran.context.evidence.length)
})
