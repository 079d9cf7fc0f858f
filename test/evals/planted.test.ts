/** Findings of known truth: the set that comes with the project, what a draw takes, and what becomes of them in a review. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { nextQuestions } from '../../evals/desk/next-question.ts'
import { changesOf, drawPlanted, parsePlanted, readPlanted } from '../../evals/planted/draw.ts'
import { PlantedKind } from '../../evals/planted/planted-finding.ts'
import { readPlaces } from '../../evals/planted/question-places.ts'
import { mirrorOf } from '../../evals/repositories/mirror.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { evals } from './run-evals.ts'

const set = join(import.meta.dirname, '../../evals/sets/planted.jsonl')
const signal = new AbortController().signal

test('the set holds about as many true as false findings, every kind, and no two titles alike on one file', async () => {
  const all = await readPlanted(set)
  const kinds = new Set(all.map(({ kind }) => kind))
  expect(PlantedKind.options.filter((kind) => !kinds.has(kind))).toEqual([])
  const share = all.filter(({ truth }) => truth).length / all.length
  expect(Math.abs(share - 0.5)).toBeLessThan(0.1)
  expect(changesOf(all).length).toBeGreaterThanOrEqual(10)
  expect(new Set(all.map(({ language }) => language)).size).toBeGreaterThanOrEqual(5)
  const titles = all.map(({ head, finding }) => [head, finding.file, finding.title].join(' '))
  expect(new Set(titles).size).toBe(all.length)
  const ids = new Set(all.map(({ id }) => id))
  for (const { id, same_as: same, finding } of all) {
    expect(same === null || (ids.has(same) && same !== id), id).toBe(true)
    expect(finding.evidence.length, id).toBeGreaterThan(0)
  }
})

// The repositories are not part of the project: set MIRRORS to a folder that has them.
test('quotes of witnesses and findings are where they say, as far as the repository is at hand', async () => {
  const wrong: string[] = []
  for (const { id, repo, base, head, witness, finding } of await readPlanted(set)) {
    const mirror = mirrorOf(repo, process.env.MIRRORS ?? null)
    if (mirror === null) continue
    const holds = (commit: string, path: string, line: number, quote: string) =>
      linesOf(mirror, commit, path)
        .slice(line - 1)
        .join('\n')
        .split(quote)[0]
        ?.includes('\n') === false
    if (witness.how === 'quote') {
      const { side, path, line, quote } = witness
      if (!holds(side === 'new' ? head : base, path, line, quote)) wrong.push(`${id}: its witness`)
    }
    for (const { id: place, quote } of finding.evidence) {
      const [, path = finding.file, line] = /^(?:(.+):|[LO])(\d+)$/.exec(place) ?? []
      const commit = place.startsWith('O') ? base : head
      if (!holds(commit, path, Number(line), quote)) wrong.push(`${id}: ${place}`)
    }
  }
  expect(wrong).toEqual([])
})

const known = new Map<string, string[]>()

function linesOf(mirror: string, commit: string, path: string): string[] {
  const key = `${mirror} ${commit} ${path}`
  const lines =
    known.get(key) ??
    execFileSync('git', ['-c', 'safe.directory=*', '-C', mirror, 'show', `${commit}:${path}`], {
      maxBuffer: 64 * 1024 * 1024,
    })
      .toString()
      .split('\n')
  known.set(key, lines)
  return lines
}

const lines = ['export function half(n) {', '  return n / 0', '}', 'export const one = 1', '']

/** A change of one file, as three findings about it. */
function smallSet(): { mirrors: string; planted: string } {
  const repo = createRepo()
  const base = repo.commit({ 'a.js': 'export const one = 1\n' })
  const head = repo.commit({ 'a.js': lines.join('\n') })
  const mirrors = temporaryFolder()
  mkdirSync(join(mirrors, 'owner+name'))
  execFileSync('git', ['clone', '--quiet', '--bare', repo.path, join(mirrors, 'owner+name', 'repo')])
  const about = (id: string, words: object, finding: object) => ({
    id,
    repo: 'owner/name',
    base,
    head,
    language: 'JavaScript',
    kind: 'true',
    truth: true,
    witness: {
      how: 'quote',
      side: 'new',
      path: 'a.js',
      line: 2,
      quote: 'n / 0',
      shows: 'It divides by zero.',
    },
    ...words,
    finding: {
      file: 'a.js',
      tags: ['L2'],
      evidence: [{ id: 'L2', quote: 'return n / 0' }],
      documented: null,
      category: 'correctness',
      severity: 'medium',
      confidence: 'likely',
      remedy: null,
      ...finding,
    },
  })
  const records = [
    about(
      'zero',
      {},
      { title: '`half` divides by zero', explanation: 'It returns infinity for every number.' },
    ),
    about(
      'throws',
      { kind: 'documented-otherwise', truth: false },
      { title: 'A call of `half` throws a RangeError', explanation: 'The engine refuses such a division.' },
    ),
    about(
      'shadow',
      { kind: 'other-change', truth: false },
      {
        title: 'The constant `one` is exported twice',
        explanation: 'Another module exports the same name.',
        tags: ['L1'],
        evidence: [{ id: 'L1', quote: 'export function half' }],
      },
    ),
  ]
  const planted = join(temporaryFolder(), 'small.jsonl')
  writeFileSync(planted, records.map((one) => JSON.stringify(one)).join('\n'))
  return { mirrors, planted }
}

/** Refutes what speaks of an error, with words that are there, and upholds the rest. */
function judgeAll(request: string): void {
  const text = readFileSync(request, 'utf8')
  const tag = /\[(L4#[0-9a-z]{3})\]/.exec(text)?.[1] ?? ''
  const labels = [...text.matchAll(/^Finding (F\d+):\n\n<<<foreign[^\n]*\n([^\n]*)/gm)]
  const judgements = labels.map(([, finding, title = '']) => {
    const isFalse = title.includes('exported twice')
    return {
      finding,
      quotes: isFalse ? [{ id: tag, quote: 'export const one = 1', bears: 'against' }] : [],
      reason: 'As the code shows.',
      judgement: isFalse ? 'refuted' : 'upheld',
      cut: [],
      severity: 'medium',
    }
  })
  writeFileSync(join(dirname(request), 'answer.json'), JSON.stringify({ judgements, look_ups: [] }))
}

test('planted findings go through validation and judge, and the tables say what became of them', async () => {
  const { mirrors, planted } = smallSet()
  const out = join(temporaryFolder(), 'run')
  const call = ['judge-test', planted, '--out', out, '--mirrors', mirrors, '--seed', '7']
  let done = false
  const running = evals(call).finally(() => {
    done = true
  })
  while (!done) {
    const reader = { role: 'refuter', reader: 'bert', waitMs: 200, signal } as const
    const open = await nextQuestions(join(out, 'desk'), reader)
    for (const question of Array.isArray(open) ? open : []) judgeAll(join(question, 'request.md'))
    if (open === 'finished') await pause(50)
  }
  const first = await running
  expect(first.code).toBe(0)
  const row = (kind: string) => first.stdout.split('\n').find((line) => line.startsWith(`| ${kind} `))
  // Judged, stopped, refuted, called older, line put right, published, at medium or above.
  expect(row('documented-otherwise')).toContain('| 1 | 0 | 0 | 0 | 0 | 1 | 1 |')
  expect(row('other-change')).toContain('| 1 | 0 | 1 | 0 | 0 | 0 | 0 |')
  expect(row('true')).toContain('| 1 | 0 | 0 | 0 | 1 |')

  // All is kept: nobody is asked again.
  const again = await evals(call)
  expect(again.stdout).toBe(first.stdout)
  const other = await evals([...call.slice(0, -1), '8', '--count', '1'])
  expect(other.code).toBe(2)
})

test('a draw takes every second finding true, and never two that say the same', async () => {
  const all = await readPlanted(set)
  const draw = drawPlanted(all, 5, 30)
  expect(draw).toEqual(drawPlanted(all, 5, 30))
  expect(draw).not.toEqual(drawPlanted(all, 6, 30))
  expect(draw).toHaveLength(30)
  expect(draw.filter(({ kind }) => kind === 'true').length).toBeGreaterThanOrEqual(12)
  const claims = draw.map(({ id, same_as: same }) => same ?? id)
  expect(new Set(claims).size).toBe(claims.length)
})

test('a record that contradicts itself is refused with the reason', async () => {
  const [line = ''] = readFileSync(set, 'utf8').split('\n')
  const record = JSON.parse(line)
  const read = (words: object) => () => parsePlanted(JSON.stringify({ ...record, ...words }), 'set')
  expect(read({})).not.toThrow()
  expect(read({ kind: 'guarded' })).toThrow('a finding of kind guarded is not true')
  expect(read({ kind: 'half-true' })).toThrow('`false_part`')
  expect(read({ kind: 'overstated' })).toThrow('`deserves`')
  expect(read({ finding: { ...record.finding, tags: ['L5#abc'] } })).toThrow('lines of the diff')
})

test('places of a question: tags by file, and evidence by its lines', () => {
  const block = (origin: string, text: string) =>
    `<<<foreign t0ken ${JSON.stringify(origin)}\n${text}\n>>>end t0ken`
  const question = [
    block('diff of src/a.ts', '@@ -1 +1,2 @@\n[L1#abc]  one\n[L2#def] +two'),
    `E3:\n${block('src/b.ts:10-12: the caller', '10| x\n11| y\n12| z')}`,
    `E4:\n${block('src/c.ts', ' 5| x\n… 20-30: shown above')}`,
    `E6:\n${block('src/d.ts:1-9 before the change', '1| x')}`,
  ].join('\n\n')
  const places = readPlaces(question)
  expect([places.showsDiff('src/a.ts'), places.showsDiff('src/b.ts')]).toEqual([true, false])
  expect([places.tagOf('src/a.ts', 'L2'), places.tagOf('src/a.ts', 'L3')]).toEqual(['L2#def', null])
  expect(places.evidenceAt('src/b.ts', 11)).toBe('E3')
  expect(places.evidenceAt('src/c.ts', 25)).toBe('E4')
  expect(places.evidenceAt('src/c.ts', 6)).toBeNull()
  expect(places.evidenceAt('src/d.ts', 2)).toBeNull()
})
