/**
 * Does a back-test accept the right notes and refuse the wrong ones, and what do the accepted ones do to precision?
 *
 *   node bench/memory/run.ts --out FILE [--reviews 10] [--seed 1] REPOSITORY…
 *
 * In each repository (bare, or with a work tree), changes are made of its last commit: functions with a fault in files of
 * the product, which are findings that are right, and the same in files of examples that are faulty on purpose, which are
 * findings that are wrong. Each change is reviewed and recorded, and people decide about what was found, as they know it by
 * construction. Then notes are proposed from these decisions, and bad ones are written by hand; each is back-tested on the
 * recorded reviews. What became of right and wrong findings is counted from what was planted, not from the ledger.
 * Each repository is a line of FILE; those that are there already are not measured again. Prints the table of all.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { openLedgerOf } from '../../src/assembly/ledgers.ts'
import { acceptNote, openMemory, proposeFor, testNote } from '../../src/assembly/memory.ts'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import type { MemoryNote } from '../../src/domain/memory.ts'
import { replayRun, reviewChange } from '../../src/sightline.ts'
import { Random } from '../../test/helpers/random.ts'
import { plant, rules } from './plants.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    reviews: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
})
if (!values.out) throw new Error('see the head of this file for its options')

type Tried = {
  kind: 'proposed' | 'minor' | 'everywhere' | 'product' | 'mixed' | 'elsewhere'
  verdict: 'good' | 'unproven' | 'bad'
  accepted: boolean
  /** Findings that the note removed or lowered in the reviews, by what was planted. */
  right: number
  wrong: number
}

type Row = {
  repository: string
  reviews: number
  /** Planted findings that the reviews reported. */
  right: number
  wrong: number
  /** The same after all accepted notes that dismiss; of right ones none may be missing. */
  rightAfter: number
  wrongAfter: number
  tried: Tried[]
}

const signal = new AbortController().signal
const measured = existsSync(values.out) ? readRows(values.out) : []
console.error(`seed ${values.seed}`)
for (const repository of positionals) {
  const name = nameOf(repository)
  if (measured.some((row) => row.repository === name)) continue
  const row = await measure(repository, name)
  measured.push(row)
  appendFileSync(values.out, `${JSON.stringify(row)}\n`)
  console.error(JSON.stringify(row))
}
print(measured)

function nameOf(repository: string): string {
  const folder = basename(repository) === 'repo' ? dirname(repository) : repository
  return basename(folder).replace('+', '/')
}

async function measure(repository: string, name: string): Promise<Row> {
  const work = mkdtempSync(join(tmpdir(), 'sightline-memory-'))
  const facts = createFactStore({ cacheFolder: null, signal })
  try {
    const folder = join(work, 'repo')
    execFileSync('git', ['clone', '--quiet', '--bare', '--local', repository, folder])
    const environment = {
      ...process.env,
      XDG_STATE_HOME: join(work, 'state'),
      XDG_CACHE_HOME: join(work, 'cache'),
    }
    const random = new Random(
      Number(values.seed) + [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7),
    )
    const truth = new Map<string, 'right' | 'wrong'>()
    const count = Number(values.reviews)
    for (let number = 0; number < count; number++) {
      const { commit, base, planted } = plant(folder, number, random)
      for (const [path, is] of planted) truth.set(path, is)
      await reviewChange({
        folder,
        selector: { kind: 'range', range: `${base}..${commit}` },
        overrides: { depth: 'offline' },
        record: { fresh: false },
        models: { environment },
        cacheFolder: null,
        facts,
        signal,
      })
      await decide(folder, environment, truth)
    }
    return await tryNotes(name, { folder, environment, truth, facts })
  } finally {
    await facts.close()
    rmSync(work, { recursive: true, force: true })
  }
}

/** People dismiss what they know to be wrong, and accept what is right. */
async function decide(
  folder: string,
  environment: NodeJS.ProcessEnv,
  truth: ReadonlyMap<string, 'right' | 'wrong'>,
) {
  const { store, repository, ledger } = await openLedgerOf({ folder, environment })
  const events = [...ledger.findings.values()]
    .filter(({ dismissal, record }) => dismissal === null && truth.has(record.path))
    .map(({ id, change, record }) => ({
      id: randomUUID(),
      at: new Date().toISOString(),
      change,
      finding: id,
      type: 'dismissed' as const,
      by: { kind: 'person' as const, name: 'a reviewer' },
      because: truth.get(record.path) === 'right' ? 'a bug' : 'an example that is faulty on purpose',
      kind: truth.get(record.path) === 'right' ? ('accepted' as const) : ('wrong' as const),
      reach: { kind: 'here' as const },
    }))
  await store.append(repository, events)
}

type World = {
  folder: string
  environment: NodeJS.ProcessEnv
  truth: ReadonlyMap<string, 'right' | 'wrong'>
  facts: ReturnType<typeof createFactStore>
}

async function tryNotes(name: string, { folder, environment, truth, facts }: World): Promise<Row> {
  const opened = await openMemory({ folder, environment, files: [] })
  const proposals = proposeFor(opened, ['dismissals']).map(({ note }) => note)
  const [sample] = proposals
  if (!sample) throw new Error(`${name}: nothing was proposed`)
  const rights = [...truth].flatMap(([path, is]) => (is === 'right' ? [path] : []))
  const [one, other] = rules
  const written: readonly (readonly [Tried['kind'], MemoryNote])[] = [
    ['minor', { ...sample, path: 'minor.md', effect: { kind: 'minor', rule: one.id } }],
    ['everywhere', { ...sample, path: 'all.md', paths: ['**'], effect: { kind: 'dismiss', rule: one.id } }],
    [
      'product',
      { ...sample, path: 'product.md', paths: rights, effect: { kind: 'dismiss', rule: other.id } },
    ],
    [
      'mixed',
      {
        ...sample,
        path: 'mixed.md',
        paths: [...sample.paths, ...rights.slice(0, 3)],
        effect: { kind: 'minor', rule: other.id },
      },
    ],
    [
      'elsewhere',
      {
        ...sample,
        path: 'elsewhere.md',
        paths: ['no/such/folder/**'],
        effect: { kind: 'dismiss', rule: one.id },
      },
    ],
  ]
  const notes = [...proposals.map((note) => ['proposed', note] as const), ...written]
  const without = new Map<string, ReturnType<typeof replay>>()
  const replay = async (run: string, memory: { path: string; note: MemoryNote | null }) =>
    (await replayRun({ run, memory, environment, facts, cacheFolder: null, signal })).review
  const tried: Tried[] = []
  const gone = new Set<string>()
  for (const [kind, note] of notes) {
    const result = await testNote(opened, note, {
      replay: (run, memory) => {
        if (memory.note) return replay(run, memory)
        // No recorded review knows a note, so without one they are all the same.
        const known = without.get(run) ?? replay(run, memory)
        without.set(run, known)
        return known
      },
    })
    const of = (is: 'right' | 'wrong') => result.findings.filter(({ path }) => truth.get(path) === is).length
    const accepted = isAccepted(result)
    if (accepted && note.effect?.kind === 'dismiss')
      for (const { kind: what, path, rule } of result.findings)
        if (what === 'dismissed') gone.add(`${rule} ${path}`)
    tried.push({ kind, verdict: result.verdict.word, accepted, right: of('right'), wrong: of('wrong') })
  }
  const found = new Map(
    [...opened.ledger.findings.values()].map(({ record }) => [
      `${record.rule} ${record.path}`,
      truth.get(record.path),
    ]),
  )
  const number = (is: 'right' | 'wrong', after: boolean) =>
    [...found].filter(([key, one]) => one === is && !(after && gone.has(key))).length
  return {
    repository: name,
    reviews: opened.reviews.length,
    right: number('right', false),
    wrong: number('wrong', false),
    rightAfter: number('right', true),
    wrongAfter: number('wrong', true),
    tried,
  }
}

function isAccepted(result: Parameters<typeof acceptNote>[0]): boolean {
  try {
    acceptNote(result, null)
    return true
  } catch {
    return false
  }
}

function readRows(file: string): Row[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Row)
}

function print(rows: readonly Row[]): void {
  const share = (right: number, wrong: number) =>
    `${Math.round((100 * right) / Math.max(1, right + wrong))} %`
  console.log(
    '| Repository | Reviews | Right | Wrong | Precision | Right after | Wrong after | Precision after |',
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const { repository, reviews, right, wrong, rightAfter, wrongAfter } of [...rows, sumOf(rows)])
    console.log(
      `| ${repository} | ${reviews} | ${right} | ${wrong} | ${share(right, wrong)} | ${rightAfter} | ${wrongAfter} | ${share(rightAfter, wrongAfter)} |`,
    )
  console.log(
    '\n| Note | Tried | Good | Unproven | Bad | Accepted | Right removed or lowered by accepted ones |',
  )
  console.log('|---|---|---|---|---|---|---|')
  for (const [kind, own] of Map.groupBy(
    rows.flatMap(({ tried }) => tried),
    ({ kind }) => kind,
  )) {
    const of = (word: Tried['verdict']) => own.filter(({ verdict }) => verdict === word).length
    const accepted = own.filter((one) => one.accepted)
    const lost = accepted.reduce((sum, { right }) => sum + right, 0)
    console.log(
      `| ${kind} | ${own.length} | ${of('good')} | ${of('unproven')} | ${of('bad')} | ${accepted.length} | ${lost} |`,
    )
  }
}

function sumOf(rows: readonly Row[]): Row {
  const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0)
  return {
    repository: 'all',
    reviews: sum(({ reviews }) => reviews),
    right: sum(({ right }) => right),
    wrong: sum(({ wrong }) => wrong),
    rightAfter: sum(({ rightAfter }) => rightAfter),
    wrongAfter: sum(({ wrongAfter }) => wrongAfter),
    tried: [],
  }
}
