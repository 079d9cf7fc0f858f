/**
 * The work of a review does not grow faster than n log n, whatever a large file repeats: those shapes that once did, and of
 * all others a sample. Work is counted in steps, in a process of its own so that all code is counted from its start.
 */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { seed } from '../helpers/matrix.ts'

const bench = resolve(import.meta.dirname, '../../bench/hostile/growth.ts')

function growth(...options: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bench, '--bytes', '3000', ...options], {
    encoding: 'utf8',
  })
  return { status, output: `${stdout}${stderr}` }
}

test.each([
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
])('%s', (shape) => {
  const { status, output } = growth('--only', shape)
  expect(output).toMatch(/^1 shapes, 0 failed/m)
  expect(status, output).toBe(0)
})

test('a sample of all shapes', () => {
  const { status, output } = growth('--sample', '2', '--seed', String(seed))
  expect(output).toMatch(/^2 shapes, 0 failed/m)
  expect(status, output).toBe(0)
})
