/** The one look-up of a judge: answered by tools, shown on top of the same prompt, and never more than one. */
import { expect, test } from 'vitest'
import { askTool } from '../../../src/agent/ask-tool.ts'
import { openEvidenceBook } from '../../../src/domain/evidence.ts'
import { callOf } from '../../../src/pipeline/refutation/look-up.ts'
import { bearsOn, ownWords } from '../../../src/pipeline/refutation/quotes.ts'
import { wordsOf } from '../../helpers/scripted-gateway.ts'
import { scriptedToolbox } from '../../helpers/scripted-toolbox.ts'
import { evidenceOf } from '../validation/world.ts'
import { answer, codeThatSays, finding, guard, refute } from './world.ts'

const wanted = {
  what: 'references',
  file: '',
  symbol: 'first',
  line_start: null,
  line_end: null,
  side: null,
} as const
const uses = 'src/b.ts:9 call (import): if (prices.length > 0) total(first(prices))'

test('its answer is asked about once more on top of the same prompt, and may be quoted', async () => {
  const code = codeThatSays(() => uses)
  const ran = await refute(
    (question) => {
      const id = /(E\d+) find_references/.exec(wordsOf(question))?.[1]
      return id === undefined
        ? answer('undecided', [], { look_up: wanted })
        : answer('refuted', [{ id, quote: 'if (prices.length > 0)', bears: 'against' }], { look_up: wanted })
    },
    [finding()],
    { code },
  )
  expect(code.calls).toEqual([{ tool: 'find_references', args: { symbol: 'first' } }])
  expect(ran.asked).toEqual(['refute/C1', 'refute/C1/look-up'])
  const [first, second] = ran.questions
  expect(second?.turns.slice(0, 1)).toEqual(first?.turns)
  expect(second?.turns.map(({ from }) => from)).toEqual(['user', 'model', 'user'])
  expect(ran.refutations[0]).toMatchObject({
    outcome: 'refuted',
    lookUp: 'find_references::{"symbol":"first"}',
  })
  const cited = ran.refutations[0]?.citations[0]?.evidence
  expect(ran.context.evidence.find(({ id }) => id === cited)?.text).toBe(uses)
  expect([...ran.costs]).toEqual([['C1', 0.02]])
})

test('what was looked up to decide it counts, whatever it names, but for a bracket', async () => {
  const code = codeThatSays(() => 'src/b.ts:9 call (import): if (basket.isOpen) total(first(prices))')
  const judged = async (quote: string) => {
    const ran = await refute(
      (question) => {
        const id = /(E\d+) find_references/.exec(wordsOf(question))?.[1]
        return id === undefined
          ? answer('undecided', [], { look_up: wanted })
          : answer('refuted', [{ id, quote, bears: 'against' }])
      },
      [finding()],
      { code },
    )
    return ran.refutations[0]?.outcome
  }
  expect(await judged('basket.isOpen')).toBe('refuted')
  expect(await judged('):')).toBe('undecided')
})

test('so does a line of a definition that the finding names, and no line of another', () => {
  const own = ownWords(finding({ explanation: '`limits` is ignored.' }), { diffs: [] }, openEvidenceBook([]))
  const lines = (text: string) => ({ ...evidenceOf('src/c.ts', 1, text), text })
  const quote = 'return most'
  expect(bearsOn(quote, lines('function limits(most) {\n  return most\n}'), own)).toBe(true)
  expect(bearsOn(quote, lines('function other(most) {\n  return most\n}'), own)).toBe(false)
})

test('where nothing can be looked up, or the second question fails, the first answer counts', async () => {
  const first = answer('refuted', [guard], { look_up: wanted })
  const without = await refute(() => first)
  expect(without.asked).toEqual(['refute/C1'])
  expect(without.refutations[0]?.outcome).toBe('refuted')
  const failed = await refute(
    (_, number) => (number === 1 ? first : { outcome: 'over-budget' }),
    [finding()],
    {
      code: codeThatSays(() => uses),
    },
  )
  expect(failed.refutations[0]?.outcome).toBe('refuted')
})

test('each kind of look-up is a call of a read-only tool, without what it does not use', () => {
  const at = { ...wanted, file: './src/a.ts', line_start: 3, line_end: 9 }
  expect(callOf({ ...at, what: 'lines' })).toEqual({
    tool: 'read_file',
    args: { path: 'src/a.ts', line_start: 3, line_end: 9, side: null },
  })
  expect(callOf({ ...at, what: 'lines', side: 'base' }).args.side).toBe('base')
  expect(callOf({ ...at, what: 'definition' })).toEqual({
    tool: 'find_definition',
    args: { symbol: 'first', path: 'src/a.ts' },
  })
  expect(callOf({ ...at, what: 'references' })).toEqual({
    tool: 'find_references',
    args: { symbol: 'first', path: 'src/a.ts' },
  })
})

test('what several findings need is asked once', async () => {
  const toolbox = scriptedToolbox((at) => at)
  const ask = (at: string) => askTool(toolbox, { tool: 'look', args: { at } }, new AbortController().signal)
  const [first, same] = await Promise.all([ask('a'), ask('a'), ask('b')])
  expect(same).toEqual(first)
  expect(toolbox.ran.map(({ args }) => args.at)).toEqual(['a', 'b'])
})

test('a text is searched for as it is written, in one place or everywhere', () => {
  const text = { ...wanted, what: 'text', symbol: ' max-age ' } as const
  expect(callOf(text)).toEqual({ tool: 'grep', args: { query: 'max-age', path: '', side: null } })
  expect(callOf({ ...text, file: './docs', side: 'base' }).args).toMatchObject({ path: 'docs', side: 'base' })
})
