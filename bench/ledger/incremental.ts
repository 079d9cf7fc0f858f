/**
 * What incremental reviews save, and whether they lose anything: real branches of public repositories, each commit a push,
 * reviewed one after the other as the product does, and each head once more from the start. A scripted reviewer plays the
 * model; its findings follow from what it is shown, so both reviews of a head must find the same.
 *
 *   node bench/ledger/incremental.ts --mirrors FOLDER [--sequences 100] [--seed 20261122] [--depth quick]
 *     [--out bench/out/incremental.jsonl] [--lost]
 *
 * Sequences that are in `--out` already are not played again.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Depth, type Review, reviewChange } from '../../src/index.ts'
import { fakeApiKey } from '../../test/helpers/fakes/provider.ts'
import { startFakeProvider } from '../../test/helpers/fakes/registry.ts'
import { Random } from '../../test/helpers/random.ts'
import { type PushSequence, readMerges, readPushes } from './pushes.ts'
import { answerQuestion } from './scripted-reviewer.ts'

const { values } = parseArgs({
  options: {
    mirrors: { type: 'string' },
    sequences: { type: 'string', default: '100' },
    seed: { type: 'string', default: '20261122' },
    depth: { type: 'string', default: 'quick' },
    out: { type: 'string', default: 'bench/out/incremental.jsonl' },
    lost: { type: 'boolean', default: false },
  },
})
if (values.mirrors === undefined) {
  process.stderr.write('incremental: name the folder of the repositories: --mirrors FOLDER\n')
  process.exit(2)
}

/** One head, reviewed both ways. The first of a sequence is new as a whole. */
type Push = {
  files: number
  asked: number
  tokens: { full: number; incremental: number }
  findings: { full: number; carried: number; lost: string[]; extra: string[] }
}
type Played = { id: string; repository: string; seed: number; depth: string; pushes: Push[] }

const seed = Number(values.seed)
const depth = values.depth as Depth
const folder = mkdtempSync(join(tmpdir(), 'sightline-incremental-'))

async function main(mirrors: string): Promise<void> {
  process.stdout.write(`seed ${seed}, depth ${depth}\n`)
  mkdirSync(dirname(values.out), { recursive: true })
  const known = readPlayed()
  await using model = await startFakeProvider('anthropic', {
    steps: [{ answer: 'good', times: 'always', answerFrom: ({ prompt }) => answerQuestion(prompt) }],
  })
  const environment = openEnvironment(model.baseUrl)
  const played: Played[] = []
  for (const sequence of chooseSequences(mirrors, Number(values.sequences))) {
    const one = known.get(sequence.id) ?? (await play(sequence, environment))
    if (!known.has(sequence.id)) appendFileSync(values.out, `${JSON.stringify(one)}\n`)
    played.push(one)
  }
  report(played)
}

function readPlayed(): Map<string, Played> {
  const lines = existsSync(values.out) ? readFileSync(values.out, 'utf8').split('\n') : []
  const all = lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Played]))
  return new Map(all.filter((one) => one.seed === seed && one.depth === depth).map((one) => [one.id, one]))
}

/** In turn from each repository, so that no large one decides the figure. */
function* chooseSequences(mirrors: string, wanted: number): Generator<PushSequence> {
  const random = new Random(seed)
  const queues = readdirSync(mirrors)
    .sort()
    .map((name) => join(mirrors, name, 'repo'))
    .filter((path) => existsSync(path))
    .map((repository) => ({ repository, merges: readMerges(repository, random) }))
  let chosen = 0
  while (chosen < wanted && queues.some(({ merges }) => merges.length > 0))
    for (const { repository, merges } of queues) {
      let sequence: PushSequence | null = null
      for (let next = merges.shift(); next && !sequence; next = sequence ? next : merges.shift())
        sequence = readPushes(repository, next)
      if (!sequence || chosen >= wanted) continue
      chosen++
      yield sequence
    }
}

function openEnvironment(baseUrl: string): NodeJS.ProcessEnv {
  const settings = join(folder, 'settings.yaml')
  writeFileSync(
    settings,
    [
      'models:',
      '  providers:',
      `    scripted: { kind: anthropic, baseUrl: '${baseUrl}', keyFrom: SCRIPTED_KEY }`,
      '  roles: { reviewer: scripted/claude-sonnet-5-5 }',
      '',
    ].join('\n'),
  )
  return { ...process.env, SIGHTLINE_SETTINGS: settings, SCRIPTED_KEY: fakeApiKey }
}

async function play(sequence: PushSequence, environment: NodeJS.ProcessEnv): Promise<Played> {
  const state = mkdtempSync(join(folder, 'state-'))
  const own = { ...environment, XDG_STATE_HOME: state }
  const pushes: Push[] = []
  for (const { base, head } of sequence.heads) {
    const range = `${base}..${head}`
    const incremental = await reviewRange(sequence.repository, range, own, true)
    const full = pushes.length === 0 ? incremental : await reviewRange(sequence.repository, range, own, false)
    pushes.push(compare(incremental, full))
  }
  rmSync(state, { recursive: true, force: true, maxRetries: 3 })
  const { id, repository } = sequence
  const played = { id, repository: repository.split('/').at(-2) ?? '', seed, depth, pushes }
  process.stdout.write(`${played.repository} ${id.slice(0, 8)} ${describe(sumOf([played]))}\n`)
  return played
}

/** Only the incremental reviews are on record: what they know of each other is what the product keeps. */
async function reviewRange(
  repository: string,
  range: string,
  environment: NodeJS.ProcessEnv,
  isIncremental: boolean,
): Promise<Review> {
  const { review } = await reviewChange({
    folder: repository,
    selector: { kind: 'range', range },
    overrides: { depth, incremental: isIncremental, followUps: 0 },
    servers: 'off',
    cacheFolder: join(folder, 'cache'),
    models: { environment },
    record: isIncremental ? { fresh: false } : null,
    onEvent: () => {},
  })
  return review
}

function compare(incremental: Review, full: Review): Push {
  const [now, all] = [placesOf(incremental), placesOf(full)]
  const known = incremental.coverage.earlier?.files.length ?? 0
  const files = incremental.coverage.files.filter(({ state }) => state !== 'excluded').length
  return {
    files,
    asked: files - known,
    tokens: { full: tokensOf(full), incremental: tokensOf(incremental) },
    findings: {
      full: all.size,
      carried: incremental.findings.filter(({ carriedFrom }) => carriedFrom !== undefined).length,
      lost: [...all].filter((one) => !now.has(one)),
      extra: [...now].filter((one) => !all.has(one)),
    },
  }
}

function placesOf({ findings }: Review): Set<string> {
  const ofModel = findings.filter(({ byModel }) => byModel === true)
  return new Set(ofModel.map(({ anchor, startLine, title }) => `${anchor.path}:${startLine} ${title}`))
}

function tokensOf({ run: { cost } }: Review): number {
  return cost?.usage.input ?? 0
}

type Sum = {
  pushes: number
  full: number
  incremental: number
  findings: number
  carried: number
  lost: number
  extra: number
}

/** Of every push after the first. */
function sumOf(played: readonly Played[]): Sum {
  const later = played.flatMap(({ pushes }) => pushes.slice(1))
  const sum = (of: (push: Push) => number) => later.reduce((all, push) => all + of(push), 0)
  return {
    pushes: later.length,
    full: sum(({ tokens }) => tokens.full),
    incremental: sum(({ tokens }) => tokens.incremental),
    findings: sum(({ findings }) => findings.full),
    carried: sum(({ findings }) => findings.carried),
    lost: sum(({ findings }) => findings.lost.length),
    extra: sum(({ findings }) => findings.extra.length),
  }
}

function describe({ pushes, full, incremental, findings, carried, lost, extra }: Sum): string {
  const saved = full === 0 ? 0 : 100 * (1 - incremental / full)
  return `${pushes} later pushes, ${full} tokens for everything, ${incremental} for what is new, ${saved.toFixed(1)} % saved; ${findings} findings, ${carried} carried over, ${lost} lost, ${extra} more`
}

function report(played: readonly Played[]): void {
  const repositories = new Set(played.map(({ repository }) => repository))
  const saved = played
    .map((one) => sumOf([one]))
    .flatMap(({ full, incremental }) => (full === 0 ? [] : [1 - incremental / full]))
    .sort((a, b) => a - b)
  const first = played.reduce((sum, { pushes }) => sum + (pushes[0]?.tokens.full ?? 0), 0)
  const { full, incremental } = sumOf(played)
  const middle = saved[Math.floor(saved.length / 2)] ?? 0
  process.stdout.write(
    [
      `${played.length} sequences of ${repositories.size} repositories, seed ${seed}, depth ${depth}`,
      `after the first push: ${describe(sumOf(played))}`,
      `with the first push: ${first + full} tokens for everything, ${first + incremental} for what is new, ${(100 * (1 - (first + incremental) / (first + full))).toFixed(1)} % saved`,
      `share saved by sequence, after the first push: median ${(100 * middle).toFixed(1)} %`,
      '',
    ].join('\n'),
  )
  if (values.lost)
    for (const { id, repository, pushes } of played)
      for (const [at, { findings }] of pushes.entries())
        for (const [what, all] of [
          ['lost', findings.lost],
          ['extra', findings.extra],
        ] as const)
          for (const one of all)
            process.stdout.write(`${what} ${repository} ${id.slice(0, 8)} push ${at + 1}: ${one}\n`)
}

try {
  await main(values.mirrors)
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
