/**
 * The work of a review does not grow faster than n log n, whatever a large file repeats: one of the shapes that once did, and
 * one of the others, drawn by the seed; `node bench/hostile/growth.ts` plays all. Work is counted in steps, in a process of its
 * own so that all code is counted from its start.
 */
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { drawn, seed } from '../helpers/matrix.ts'
import { run } from '../helpers/sightline.ts'

const bench = resolve(import.meta.dirname, '../../bench/hostile/growth.ts')

/** Each once grew faster. */
const known = [
  'typescript: one name defined and called n times',
  'typescript: n calls of one name',
  'typescript: n parameters',
  'typescript: depth n',
  'typescript: n types inheriting from one, which changes',
  'python: n names, each with one parameter more',
  'go: one name defined and called n times',
  'rust: one name defined and called n times',
  'java: one name defined and called n times',
  'ruby: one name defined and called n times',
  'ruby: n names, each calling the one before',
]

test('one that once grew faster, and another one', async () => {
  const [shape = ''] = drawn(known)
  const args = [bench, '--bytes', '2000', '--only', shape, '--sample', '1', '--seed', String(seed)]
  const { code, stdout, stderr } = await run(process.execPath, args)
  expect(stdout).toMatch(/^2 shapes, 0 failed/m)
  expect(code, `${stdout}${stderr}`).toBe(0)
})
