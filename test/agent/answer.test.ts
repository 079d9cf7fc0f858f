/** An answer of a tool as text, as evidence and cut: what is missing is always said, to whoever reads it. */
import { expect, test } from 'vitest'
import { callKey, cutAnswer, evidenceOf, textOf } from '../../src/agent/answer.ts'
import type { CitedRange } from '../../src/agent/contract.ts'
import { toolAnswer } from '../helpers/tool-answer.ts'

const call = { tool: 'grep', args: { query: 'x' } }
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}`)

function rangeAnswer(count: number, side: 'old' | 'new' = 'new') {
  const lines = numbers(count)
  const range: CitedRange = { title: 'read a.ts', at: 0, path: 'a.ts', blob: 'b', side, startLine: 11, lines }
  const numbered = lines.map((line, at) => `${11 + at}: ${line}`)
  return toolAnswer({ tool: 'read_file', args: { path: 'a.ts' } }, numbered, { ranges: [range] })
}

test('one question has one key, whatever the order of its arguments; another question has another', () => {
  const key = callKey({ tool: 'grep', args: { query: 'x', path: 'src' } })
  expect(key).toBe('grep::{"path":"src","query":"x"}')
  expect(callKey({ tool: 'grep', args: { path: 'src', query: 'x' } })).toBe(key)
  expect(callKey({ tool: 'grep', args: { path: 'src', query: 'y' } })).not.toBe(key)
  expect(callKey({ tool: 'look', args: { path: 'src', query: 'x' } })).not.toBe(key)
})

test('a list that was cut says so in its evidence, so that nobody takes it for the whole', () => {
  const answer = toolAnswer(call, numbers(30), { total: 75, remarks: ['75 callers'] })
  expect(evidenceOf(answer)).toMatchObject([
    { source: 'tool', title: 'grep::{"query":"x"}', text: textOf(answer) },
  ])
  expect(textOf(answer)).toMatch(/\n30\n\(75 callers\)\n\(45 of 75 lines are left out; narrow it\)$/)
})

test('an empty answer is evidence when it is conclusive, and never when the call failed', () => {
  const none = { remarks: ['no match (this is conclusive): nowhere'], total: 0 }
  expect(evidenceOf(toolAnswer(call, [], { ...none, isConclusive: true }))).toMatchObject([
    { text: '(no match (this is conclusive): nowhere)' },
  ])
  expect(evidenceOf(toolAnswer(call, [], none))).toEqual([])
  expect(evidenceOf(toolAnswer(call, [], { ...none, isConclusive: true, isError: true }))).toEqual([])
})

test('a range that was cut names the next line, in its text and beside its evidence', () => {
  const cut = cutAnswer(rangeAnswer(400), 1_000)
  const shown = cut?.lines.length ?? 0
  expect(shown).toBeGreaterThan(50)
  expect(cut && Buffer.byteLength(textOf(cut))).toBeLessThanOrEqual(1_000)
  expect(cut && textOf(cut)).toContain(`go on with read_file, path a.ts, line_start ${11 + shown})`)
  expect(cut && evidenceOf(cut)).toMatchObject([
    {
      startLine: 11,
      endLine: 10 + shown,
      title: 'read a.ts',
      text: numbers(shown).join('\n'),
    },
    {
      title: 'read_file::{"path":"a.ts"}',
      startLine: null,
      text: `(${400 - shown} of 400 lines are left out; go on with read_file, path a.ts, line_start ${11 + shown})`,
    },
  ])
  const old = cutAnswer(rangeAnswer(400, 'old'), 1_000)
  expect(old && textOf(old)).toContain('side base')
})

test('beside its ranges an answer keeps lines of no file and doubts, and not its headings, gaps and a bare count', () => {
  const range: CitedRange = {
    title: 'definition of load',
    at: 1,
    heading: 0,
    path: 'a.ts',
    blob: 'b',
    side: 'new',
    startLine: 11,
    lines: ['load() {', '}'],
  }
  const lines = ['a.ts:11 function load()', '  11: load() {', '  12: }']
  const asked = { tool: 'find_definition', args: { symbol: 'load' } }
  const defined = (more: readonly string[], rest: object) =>
    evidenceOf(toolAnswer(asked, [...lines, ...more], { ranges: [range], ...rest })).map(({ text }) => text)
  expect(defined([], { remarks: ['1 definition'] })).toEqual(['load() {\n}'])
  expect(defined(['  …'], { remarks: ['1 definition'] })).toEqual(['load() {\n}'])
  expect(defined(['b.go:4 Store.load (language server)'], { remarks: ['2 definitions'] })).toEqual([
    'load() {\n}',
    'b.go:4 Store.load (language server)\n(2 definitions)',
  ])
  expect(defined([], { remarks: ['1 definition', '2 in other files'] })[1]).toBe(
    '(1 definition)\n(2 in other files)',
  )
  expect(defined([], { remarks: ['load is shown in part'], isPartial: true })[1]).toBe(
    '(load is shown in part)',
  )
  expect(defined([], { shortened: 1 })[1]).toBe('(1 long line is cut)')
})

test('what fits is left as it is, and what hardly fits is not begun', () => {
  const answer = rangeAnswer(20)
  expect(cutAnswer(answer, 10_000)).toBe(answer)
  expect(cutAnswer(answer, 60)).toBeNull()
})
