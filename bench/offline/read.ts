/**
 * Reads what a survey found.
 *
 *   node bench/offline/read.ts --sheet findings.md bench/out/offline.jsonl        each finding with its code, to be read
 *   node bench/offline/read.ts --readings bench/offline/readings/DRAW.jsonl bench/out/offline.jsonl      the table
 *
 * A reading is a line of JSON: `id` as the sheet gives it, `verdict` (right, wrong, arguable) and `why`. The table gives the
 * share that is right with Wilson's interval at 95 %; what is arguable counts as wrong. Exits with 1 when a finding was
 * not read.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sha256 } from '../../src/base/canonical-json.ts'
import type { Finding } from '../../src/index.ts'
import { wilson } from '../../src/ledger/outcomes.ts'
import { describeSurvey, readReviewed } from './reviewed.ts'

type Found = { id: string; repository: string; commit: string; finding: Finding }
type Reading = { id: string; verdict: 'right' | 'wrong' | 'arguable'; why: string }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sheet: { type: 'string' }, readings: { type: 'string' } },
})
const reviewed = positionals.flatMap(readReviewed)
const found = reviewed.flatMap(({ repository, commit, rows }) =>
  rows.map(({ finding }): Found => ({ id: idOf(commit, finding), repository, commit, finding })),
)
if (values.sheet !== undefined) writeFileSync(values.sheet, found.map(describeFound).join('\n'))
console.log(describeSurvey(reviewed))
if (values.readings !== undefined) {
  const readings = new Map(
    readFileSync(values.readings, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Reading)
      .map((reading) => [reading.id, reading]),
  )
  const unread = found.filter(({ id }) => !readings.has(id))
  for (const { id, finding } of unread) console.log(`NOT READ: ${id} ${finding.title}`)
  const planes = [...new Set(found.map(({ finding }) => finding.plane))].sort()
  const groups: [string, (finding: Finding) => boolean][] = [
    ['certain', ({ confidence }) => confidence === 'certain'],
    ['high and critical', ({ severity }) => severity === 'high' || severity === 'critical'],
    ...planes.map((plane): [string, (finding: Finding) => boolean] => [
      plane,
      (finding) => finding.plane === plane,
    ]),
    ['all', () => true],
  ]
  console.log(
    '| findings | number | right | wrong | arguable | share right | 95 % |\n| --- | ---: | ---: | ---: | ---: | ---: | --- |',
  )
  for (const [name, isIn] of groups) {
    const verdicts = found.flatMap(({ id, finding }) =>
      isIn(finding) ? (readings.get(id)?.verdict ?? []) : [],
    )
    const number = (verdict: Reading['verdict']) => verdicts.filter((one) => one === verdict).length
    const share = verdicts.length === 0 ? null : wilson(number('right'), verdicts.length)
    console.log(
      `| ${name} | ${verdicts.length} | ${number('right')} | ${number('wrong')} | ${number('arguable')} | ${share ? (number('right') / verdicts.length).toFixed(2) : '–'} | ${share ? `${share.low.toFixed(2)} to ${share.high.toFixed(2)}` : '–'} |`,
    )
  }
  process.exitCode = unread.length > 0 ? 1 : 0
}

/** Short, and the same as long as the finding is. */
function idOf(commit: string, { rule, anchor, startLine, title }: Finding): string {
  return sha256([commit, rule, anchor.path, startLine, title].join('\n')).slice(0, 12)
}

function describeFound({ id, repository, commit, finding }: Found): string {
  const { rule, severity, confidence, title, explanation, anchor, startLine, excerpt, claims } = finding
  const signs = { added: '+', removed: '-', context: ' ' }
  return [
    `## ${id} ${rule}, ${severity}, ${confidence}`,
    `${repository} ${commit} ${anchor.path}:${startLine}`,
    title,
    explanation,
    ...claims.slice(0, 10).map((claim) => JSON.stringify(claim)),
    ...excerpt.map(({ kind, text }) => `    ${signs[kind]}${text.slice(0, 200)}`),
    '',
  ].join('\n')
}
