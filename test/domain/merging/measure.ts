/**
 * How well merging tells the same problem from two: precision and recall over labelled pairs of findings.
 *
 *   node test/domain/merging/measure.ts [--errors]
 *
 * Pairs and their labels are in `pairs.jsonl`, the texts in `findings.jsonl`; docs/quality/merging.md says where both come
 * from. `--errors` lists the pairs that it gets wrong. Deterministic; asks no model.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type FindingText, isSameProblem } from '../../../src/domain/same-problem.ts'

type Row = {
  id: string
  path: string
  side: 'left' | 'right'
  startLine: number
  endLine: number
  /** What an annotator wrote; the first sentence serves as title. */
  text?: string
  title?: string
  explanation?: string
  remedy?: string | null
}

type Pair = { a: string; b: string; label: 'same' | 'different'; half: 'tune' | 'held-out' }

export type Score = {
  pairs: number
  same: number
  merged: number
  right: number
  precision: number
  recall: number
  errors: Pair[]
}

export function measureMerging(which: (pair: Pair) => boolean): Score {
  const tellings = new Map(readLines<Row>('findings.jsonl').map((row) => [row.id, textOf(row)]))
  const pairs = readLines<Pair>('pairs.jsonl').filter(which)
  const isMerged = ({ a, b }: Pair) => {
    const [left, right] = [tellings.get(a), tellings.get(b)]
    if (!left || !right) throw new Error(`A pair names a finding that does not exist: ${a}, ${b}`)
    return isSameProblem(left, right)
  }
  const merged = pairs.filter(isMerged)
  const same = pairs.filter(({ label }) => label === 'same')
  const right = merged.filter(({ label }) => label === 'same').length
  return {
    pairs: pairs.length,
    same: same.length,
    merged: merged.length,
    right,
    precision: merged.length === 0 ? 1 : right / merged.length,
    recall: same.length === 0 ? 1 : right / same.length,
    errors: [
      ...merged.filter(({ label }) => label === 'different'),
      ...same.filter((pair) => !isMerged(pair)),
    ],
  }
}

/** Finding ids of twins end in `#w` and a number. */
export const isTwin = ({ b }: Pair): boolean => /#w\d+$/.test(b)

function readLines<T>(name: string): T[] {
  const text = readFileSync(join(import.meta.dirname, name), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line): T => JSON.parse(line))
}

function textOf(row: Row): FindingText {
  const { path, startLine, endLine, text = '', remedy = null } = row
  const [, first = text, rest = ''] = /^(.{20,}?[.!?:;])\s+(.*)$/s.exec(text.replaceAll('**', '')) ?? []
  return {
    title: row.title ?? first,
    explanation: row.explanation ?? rest,
    remedy,
    claims: [],
    suggestion: null,
    anchor: { path, tags: [] },
    side: row.side === 'left' ? 'old' : 'new',
    startLine,
    endLine,
  }
}

function main(): void {
  const { values } = parseArgs({ options: { errors: { type: 'boolean', default: false } } })
  const halves = ['tune', 'held-out'] as const
  console.log('| Half | Pairs | Same | Merged | Right | Precision | Recall |\n|---|---|---|---|---|---|---|')
  for (const half of halves)
    for (const [name, twins] of [
      [half, true],
      [`${half}, without twins`, false],
    ] as const) {
      const score = measureMerging((pair) => pair.half === half && (twins || !isTwin(pair)))
      const { pairs, same, merged, right, precision, recall } = score
      console.log(
        `| ${name} | ${pairs} | ${same} | ${merged} | ${right} | ${precision.toFixed(3)} | ${recall.toFixed(3)} |`,
      )
      if (values.errors && twins)
        for (const { a, b, label } of score.errors) console.log(`${label}: ${a} ${b}`)
    }
}

if (import.meta.main) main()
