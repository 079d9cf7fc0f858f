/** The three walks through the product stay short, and ARCHITECTURE.md says how long they may be. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesOf } from '../../scripts/count-walks.ts'
import { walks } from '../../scripts/walks.ts'

const architecture = readFileSync(join(import.meta.dirname, '../../ARCHITECTURE.md'), 'utf8')

test.each(walks)('$name: at most $most files', (walk) => {
  const files = filesOf(walk)
  expect(new Set(files).size).toBe(files.length)
  // A walk that lost its way would count little more than its own stops.
  expect(files.length).toBeGreaterThan(walk.most / 2)
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(walk.most)
  expect(architecture).toContain(`| ${walk.name} | ${walk.most} |`)
})

test('ARCHITECTURE fits on three screens of fifty lines', () => {
  expect(architecture.split('\n').length).toBeLessThanOrEqual(150)
})

test('a stop must exist, and an earlier one must call it', () => {
  const start = 'src/pipeline/validation/validate.ts#validateCandidates'
  const walk = (stop: string) => () => filesOf({ name: 'walk', most: 9, stops: [start, stop] })
  expect(walk('src/pipeline/validation/settle.ts#nothing')).toThrow(
    'walk: no src/pipeline/validation/settle.ts#nothing',
  )
  expect(walk('src/pipeline/review.ts#review')).toThrow(
    'walk: no earlier stop calls src/pipeline/review.ts#review',
  )
})

test('files between two stops count, and so do neighbors that a stop calls, except at a hand-over', () => {
  const stops = [
    'src/pipeline/validation/validate.ts#validateCandidates',
    'src/pipeline/validation/anchor/anchor-candidate.ts#anchorCandidate',
  ]
  const files = filesOf({ name: 'walk', most: 9, stops })
  expect(files).toContain('src/pipeline/validation/steps.ts')
  expect(files).toContain('src/pipeline/validation/anchor/anchor-step.ts')
  expect(files).toContain('src/pipeline/validation/anchor/locate-tag.ts')
  const [, last = ''] = stops
  const handedOver = filesOf({ name: 'walk', most: 9, stops, handOvers: [last] })
  expect(handedOver).not.toContain('src/pipeline/validation/anchor/locate-tag.ts')
})
