/** The sets of real changes that come with the project. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCases } from '../../evals/cases/read-cases.ts'
import { Category, Severity } from '../../src/domain/severity.ts'

const setOf = (name: string) => readCases(join(import.meta.dirname, '../../evals/sets', name))

test('at least 50 real faults, each with lines, a category and our own words', async () => {
  const cases = await setOf('real-faults.jsonl')
  expect(cases.length).toBeGreaterThanOrEqual(50)
  const descriptions = cases.flatMap(({ expected }) => expected.map(({ description }) => description))
  expect(new Set(descriptions).size).toBe(cases.length)
  for (const { id, kind, base, head, url, expected } of cases) {
    expect([
      id,
      kind,
      /^[0-9a-f]{40}$/.test(base + head.slice(40)),
      head.length,
      url?.startsWith('https://'),
    ]).toEqual([id, 'fault', true, 40, true])
    for (const { place, severity, category, context, description } of expected) {
      expect(place, id).not.toBeNull()
      expect(Severity.safeParse(severity).success, id).toBe(true)
      expect(Category.safeParse(category).success, id).toBe(true)
      expect(['diff', 'file', 'repo']).toContain(context)
      // A sentence or two; neither a commit's subject nor an issue number was copied.
      expect(description.length, id).toBeGreaterThan(60)
      expect(description, id).not.toMatch(/#\d|[0-9a-f]{9}|https?:/)
    }
  }
})

test('at least 30 real changes that stood, none of which is known to be faulty', async () => {
  const clean = await setOf('real-clean.jsonl')
  expect(clean.length).toBeGreaterThanOrEqual(30)
  expect(clean.every(({ kind, expected }) => kind === 'clean' && expected.length === 0)).toBe(true)
  const faulty = new Set((await setOf('real-faults.jsonl')).map(({ head }) => head))
  expect(clean.filter(({ head }) => faulty.has(head))).toEqual([])
})
