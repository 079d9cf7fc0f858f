/** Reports: the same numbers in both forms, and nothing foreign that works. */
import { expect, test } from 'vitest'
import { matrixOf } from '../../evals/ablation/ablate.ts'
import { compareSheets } from '../../evals/compare/compare-sheets.ts'
import { reportAsHtml } from '../../evals/report/html.ts'
import { reportAsMarkdown, tableAsMarkdown } from '../../evals/report/markdown.ts'
import { formatDifference, formatScore } from '../../evals/report/numbers.ts'
import { comparisonTable } from '../../evals/report/tables.ts'
import type { ScoreSheet } from '../../evals/scores/case-score.ts'
import { faultScore, findingScore, scoreOf } from './case-of.ts'

const hostile = '<script>alert(1)</script>|`x`[a](http://evil.example)\u202e'

function sheetOf(hits: boolean[]): ScoreSheet {
  const scores = hits.map((hit, at) =>
    scoreOf({
      id: `${hostile}${at}`,
      language: hostile,
      source: `s${at % 2}`,
      faults: [faultScore({ hit, category: hostile })],
      findings: hit ? [findingScore({ correct: true, rule: hostile })] : [],
    }),
  )
  return {
    format: 1,
    set: hostile,
    cases: 'c',
    about: hostile,
    tolerance: 3,
    scores: [...scores, scoreOf({ id: 'c', kind: 'clean' })],
  }
}

test('a page loads nothing, runs nothing and shows foreign words as words', () => {
  const page = reportAsHtml(sheetOf([true, false]))
  expect(page).not.toContain('<script')
  expect(page).not.toContain('\u202e')
  expect(page).toContain('&lt;script&gt;')
  expect(page).not.toMatch(/\b(?:src|href)=/)
  expect(page).toContain("default-src 'none'")
  expect(page).toContain('<svg')
  expect(page).toContain('50.0 %')
})

test('Markdown keeps its table whole', () => {
  const text = reportAsMarkdown(sheetOf([true, false]))
  expect(text).not.toContain('<script>')
  expect(text).not.toMatch(/[^\\]\]\(http/)
  for (const table of text.split('## ').slice(1)) {
    const rows = table.split('\n').filter((line) => line.startsWith('|'))
    const cells = rows.map((row) => row.replaceAll('\\|', '').split('|').length)
    expect(new Set(cells).size).toBe(1)
  }
  expect(text).toContain('| Faults hit, by line | 50.0 % | 0.0 % – 100.0 % |')
  expect(text).toContain('2 changes with 2 known faults, 1 clean change;')
})

test('contests are counted by the rule of the check, the most contested first', () => {
  const contested = (rule: string, outcome: 'dropped' | 'open') => ({ rule, outcome })
  const sheet = sheetOf([true])
  const text = reportAsMarkdown({
    ...sheet,
    scores: [
      ...sheet.scores,
      scoreOf({ id: 'd', contests: [contested('js/a', 'open'), contested('js/b', 'dropped')] }),
      scoreOf({ id: 'e', contests: [contested('js/b', 'open')] }),
    ],
  })
  expect(text).toContain('| js/b | 1 | 1 | 0 | 0 |\n| js/a | 0 | 1 | 0 | 0 |')
  expect(reportAsMarkdown(sheet)).not.toContain('Contested')
})

test('a comparison says what is more than chance', () => {
  const a = sheetOf(Array.from({ length: 30 }, (_, at) => at < 15))
  const b = sheetOf(Array.from({ length: 30 }, (_, at) => at < 16))
  const c = sheetOf(Array.from({ length: 30 }, () => true))
  const row = (of: ScoreSheet) =>
    tableAsMarkdown(comparisonTable(compareSheets(a, of)))
      .split('\n')
      .find((line) => line.startsWith('| Faults hit, by line'))
  expect(row(b)).toContain('| +3.3 % |')
  expect(row(b)).toContain('| even |')
  expect(row(c)).toContain('| better |')
})

test('numbers', () => {
  expect(formatScore(null, 'share')).toBe('–')
  expect(formatScore(0.1234, 'share')).toBe('12.3 %')
  expect(formatScore(0.0123, 'usd')).toBe('$0.0123')
  expect(formatScore(1234.5, 'number')).toBe('1235')
  expect(formatDifference(-0.5, 'number')).toBe('−0.50')
  expect(formatDifference(0, 'number')).toBe('0.00')
})

test('a matrix of nothing is a head alone', () => {
  expect(matrixOf([]).rows).toEqual([])
})
