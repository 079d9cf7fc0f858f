/**
 * The work of a review does not grow faster than n log n, whatever a large file repeats: those shapes that once did, and of
 * all others a sample. Work is counted in steps, in a process of its own so that all code is counted from its start.
 */
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { seed } from '../helpers/matrix.ts'
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

test('those that once grew faster, and two others', { timeout: 900_000 }, async () => {
  const only = known.flatMap((shape) => ['--only', shape])
  const args = [bench, '--bytes', '2000', ...only, '--sample', '2', '--seed', String(seed)]
  const { code, stdout, stderr } = await run(process.execPath, args)
  expect(stdout).toMatch(new RegExp(`^${known.length + 2} shapes, 0 failed`, 'm'))
  expect(code, `${stdout}${stderr}`).toBe(0)
})
