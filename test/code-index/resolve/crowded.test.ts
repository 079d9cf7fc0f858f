/** Names with more definitions than anybody compares: nothing is certain of them, and the coverage says so. */
import { expect, test } from 'vitest'
import { factsInProcess } from '../../helpers/in-memory/facts.ts'
import { reviewTexts } from '../../helpers/in-memory/review.ts'

const define = (times: number) => 'export function f(a: string) { return a }\n'.repeat(times)
const call = "export const wrong = f('a', 'b', 'c')\n"

const review = (times: number) => reviewOf({ 'src/many.ts': define(times) + call })

async function reviewOf(added: Record<string, string>) {
  const base = { 'src/other.ts': 'export const a = 1\n' }
  const { verdicts, limits } = await reviewTexts({ base, head: { ...base, ...added } }, factsInProcess())
  return { rules: verdicts.flatMap(({ finding }) => finding?.rule ?? []), limits: limits.join('\n') }
}

test('a few definitions are compared with the call', async () => {
  const { rules, limits } = await review(3)
  expect(rules).toContain('new-code/argument-count')
  expect(limits).not.toContain('were not judged')
})

test('of 200 it is not said that the call fits none, and the limit is told', async () => {
  const { rules, limits } = await review(200)
  expect(rules).not.toContain('new-code/argument-count')
  expect(limits).toContain('uses of `f`, defined 200 times or more in src/many.ts, were not judged')
})

test('wildcards and nesting that are too many are told', async () => {
  const stars = Array.from({ length: 61 }, (_, at) => `from m${at} import *\n`).join('')
  const deep = `${'class C {\n'.repeat(65)}${'}\n'.repeat(65)}`
  const { limits } = await reviewOf({
    'src/stars.py': stars,
    'src/Deep.java': deep,
    'src/Flat.java': 'class D {}\n',
  })
  expect(limits).toContain('wildcards of src/stars.py, more than 60, were not looked up')
  expect(limits).toContain('definitions in src/Deep.java that are nested deeper than 64 were not read')
  expect(limits).not.toContain('Flat')
})
