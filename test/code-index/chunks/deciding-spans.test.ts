import { expect, test } from 'vitest'
import { decidingSpans } from '../../../src/code-index/chunks/deciding-spans.ts'

const filler = Array.from({ length: 30 }, (_, at) => `  step(${at})`)

test('of a long definition: its signature, and what it returns or throws, with a line on each side', () => {
  const lines = [
    'function pay(order) {',
    ...filler,
    '  if (!order.id)',
    '    throw new Error()',
    ...filler,
    '  return total',
    '}',
  ]
  const spans = decidingSpans(lines, { startLine: 1, endLine: lines.length })
  expect(spans).toEqual([
    { startLine: 1, endLine: 1 },
    { startLine: 32, endLine: 34 },
    { startLine: 63, endLine: 65 },
  ])
  expect(decidingSpans(lines, { startLine: 40, endLine: 65 })).toEqual([{ startLine: 40, endLine: 65 }])
})

test('what a component draws is not told by its outermost element; what it returns instead is', () => {
  const lines = [
    'function Page(props) {',
    ...filler,
    '  if (!props.id) return null',
    ...filler,
    '  return (',
    '    <div className="page">',
    '  )',
    '}',
  ]
  expect(decidingSpans(lines, { startLine: 1, endLine: lines.length })).toEqual([
    { startLine: 1, endLine: 1 },
    { startLine: 31, endLine: 33 },
  ])
})
