/** What is certain, what is likely and what is left unsaid, by language and construct. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contractPlane } from '../../../src/pipeline/planes/contract/plane.ts'
import { newCodePlane } from '../../../src/pipeline/planes/new-code/plane.ts'
import { constructs } from './constructs.ts'
import { reviewChange } from './review-commit.ts'

test.each(constructs)('$language: $construct', async ({ base, head, says }) => {
  const reviews = [
    await reviewChange(contractPlane, base, head),
    await reviewChange(newCodePlane, base, head),
  ]
  const found = reviews.flatMap(({ findings }) =>
    findings.map(
      ({ anchor, rule, severity, confidence }) => `${anchor.path} ${rule} ${severity} ${confidence}`,
    ),
  )
  expect(found.sort()).toEqual([...says].sort())
})

test('the page has a row for each', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/quality/witnesses.md'), 'utf8')
  const rows = constructs.map(({ language, construct, says }) => {
    const outcomes = says.map((one) => one.split(' ').slice(1).join(' '))
    return `| ${language} | ${construct} | ${outcomes.join(', ') || 'nothing'} |`
  })
  expect(rows.filter((row) => !page.includes(row))).toEqual([])
})
