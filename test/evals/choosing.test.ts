/** What is learned from judged findings: weights that keep their sense, held to repositories that were left out. */
import { describe, expect, test } from 'vitest'
import { rowOf } from '../../evals/desk/judged-findings.ts'
import { choiceTables, senses } from '../../evals/scores/choice-tables.ts'
import {
  calibrationError,
  chanceOf,
  fitLogistic,
  holdOut,
  type Row,
  reliabilityOf,
} from '../../evals/scores/logistic.ts'
import { importanceModel } from '../../src/index.ts'
import { sampleFinding, sampleReview } from '../helpers/sample-review.ts'

const before = { start: 0, weights: { severe: 0, vague: 0, odd: 0 } }
const options = { before, strength: 0.1, senses: { severe: 'raises', vague: 'lowers' } } as const

/** So many of these features, of which so many are important, in as many repositories. */
const rows = (features: string[], number: number, important: number): Row[] =>
  Array.from({ length: number }, (_, at) => ({
    features,
    isImportant: at < important,
    group: `repo ${at % 5}`,
  }))

describe('the fit', () => {
  test('says of each kind how often it was important', () => {
    const model = fitLogistic([...rows([], 100, 20), ...rows(['severe'], 100, 90)], options)
    expect(chanceOf({ features: [] }, model)).toBeCloseTo(0.2, 1)
    expect(chanceOf({ features: ['severe'] }, model)).toBeCloseTo(0.9, 1)
    expect(model.weights).toMatchObject({ vague: 0, odd: 0 })
  })
  test('no weight loses its sense, whatever the cases show', () => {
    const contrary = [
      ...rows(['severe'], 50, 5),
      ...rows(['vague'], 50, 45),
      ...rows(['odd'], 50, 5),
      ...rows([], 50, 25),
    ]
    const { weights } = fitLogistic(contrary, options)
    expect(weights.severe).toBe(0)
    expect(weights.vague).toBe(0)
    expect(weights.odd).toBeLessThan(-1)
  })
  test('a few cases move a weight little, and none of what they do not have', () => {
    const held = {
      ...options,
      before: { start: 0, weights: { severe: 2, vague: -1, odd: 0.5 } },
      strength: 1,
    }
    const { weights } = fitLogistic(rows(['severe'], 2, 0), held)
    expect(weights.severe).toBeGreaterThan(0.8)
    expect(weights).toMatchObject({ vague: -1, odd: 0.5 })
  })
})

test('a row is judged by a model that saw nothing of its repository', () => {
  // In one repository all is important that nowhere else is.
  const odd = rows(['odd'], 20, 20).map((row) => ({ ...row, group: 'other' }))
  const held = holdOut([...odd, ...rows(['odd'], 100, 0)], options)
  expect(held).toHaveLength(120)
  for (const { chance, group } of held) if (group === 'other') expect(chance).toBeLessThan(0.1)
})

test('calibration: by how much what is said misses what is seen', () => {
  const held = (chance: number, number: number, important: number) =>
    rows([], number, important).map(({ isImportant, group }) => ({
      chance,
      fitted: chance,
      isImportant,
      group,
    }))
  expect(calibrationError([...held(0.25, 100, 25), ...held(0.85, 100, 85)])).toBeCloseTo(0)
  expect(calibrationError([...held(0.25, 100, 25), ...held(0.95, 100, 55)])).toBeCloseTo(0.2)
  expect(reliabilityOf(held(1, 3, 3))).toEqual([{ from: 0.9, to: 1, rows: 3, said: 1, seen: 1 }])
})

test('which repository is left out does not decide the band, and so not by what was seen there', () => {
  // Three of ten are important in all, in some repositories none and in others most.
  const all = Array.from({ length: 40 }, (_, at) =>
    rows([], 5, at % 4 === 0 ? 5 : at % 4 === 1 ? 1 : 0).map((row) => ({ ...row, group: `${at}` })),
  ).flat()
  expect(calibrationError(holdOut(all, options))).toBeLessThan(0.05)
})

test('the weights in use keep their sense, and name what a finding can have', () => {
  for (const [name, sense] of Object.entries(senses)) {
    const weight: number | undefined = Object.entries(importanceModel.weights).find(
      ([one]) => one === name,
    )?.[1]
    expect([name, weight === undefined ? null : sense === 'raises' ? weight >= 0 : weight <= 0]).toEqual([
      name,
      true,
    ])
  }
})

test('the tables count what was judged, and draw the line among rows that were held out', () => {
  const review = sampleReview({ findings: [sampleFinding({ severity: 'high', byModel: true })] })
  const [finding] = review.findings
  if (!finding) throw new Error('no finding')
  const judged = { case: 'a', repo: 'o/n', ...rowOf(finding, review), truth: 'important' as const }
  expect(judged.features).toEqual(expect.arrayContaining(['medium', 'high']))
  const held = [{ chance: 0.8, fitted: 0.8, isImportant: true, group: 'o/n' }]
  const [counted, , line] = choiceTables([judged], held, importanceModel)
  expect(counted?.rows.find(([severity]) => severity === 'high')).toEqual([
    'high',
    '1',
    '100.0 % (1 of 1)',
    '0',
  ])
  expect(line?.rows.map(([from, shown]) => `${from}: ${shown}`)).toEqual(
    expect.arrayContaining(['0.80: 1', '0.85: 0']),
  )
})
