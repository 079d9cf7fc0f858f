/**
 * How quick is it at any size? The figures that we aim for, in one table, with what was missed.
 *
 *   node bench/context/figures.ts --out FOLDER [--commits 50] [--reviews 10] [--program FILE] [--ast-grep PROGRAM] [--print] NAME=GIT_FOLDER…
 *
 * Runs waits.ts, cold.ts and incremental.ts one after the other over the same repositories, each in its own files below
 * FOLDER; what is there is not measured again, so a run that was stopped goes on. `--print` measures nothing. A busy machine
 * makes every wall time longer, so CPU times and the load are in the table too.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { at, type Row } from '../figures.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    commits: { type: 'string', default: '50' },
    reviews: { type: 'string', default: '10' },
    program: { type: 'string', default: join(import.meta.dirname, '../../bin/sightline.js') },
    'ast-grep': { type: 'string', default: 'ast-grep' },
    print: { type: 'boolean', default: false },
  },
})
if (!values.out || positionals.length === 0) throw new Error('see the head of this file for its options')

const out = resolve(values.out)
const folders = positionals.map((one) => one.slice(one.indexOf('=') + 1))
mkdirSync(out, { recursive: true })

if (!values.print) {
  const { commits, reviews, program } = values
  bench(
    'waits.ts',
    '--out',
    out,
    '--commits',
    commits,
    '--reviews',
    reviews,
    '--program',
    program,
    ...positionals,
  )
  const cold = ['--rounds', '1', '--ast-grep', values['ast-grep'], '--json', join(out, 'cold.json')]
  const installed = ['--program', program]
  bench('../index/cold.ts', ...installed, ...cold, ...folders)
  bench('../index/incremental.ts', ...installed, '--json', join(out, 'incremental.json'), ...folders)
}

type Wait = {
  part: 'context' | 'review' | 'growth'
  repository: string
  state: string
  seconds: number
  cpuSeconds: number
  firstSeconds: number | null
  cut: string[]
  load: number
}
type Line = {
  what: string
  runs: number
  figure: string
  cpu: string
  load: string
  aim: string
  isMet: boolean
}

const waits: Wait[] = readLines(join(out, 'waits.jsonl'))
const cold: Row[] = readJson(join(out, 'cold.json'))
const incremental: Row[] = readJson(join(out, 'incremental.json'))
const lines = [...contextLines(), ...reviewLines(), ...indexLines(), ...commitLines(), ...growthLines()]

const missed = lines.filter(({ isMet }) => !isMet).length
const heads = ['What', 'runs', 'Figure', 'CPU', 'Load', 'Aim', '']
console.log(`| ${heads.join(' | ')} |\n|---|---:|---|---|---:|---|---|`)
for (const { what, runs, figure, cpu, load, aim, isMet } of lines)
  console.log(`| ${[what, runs, figure, cpu, load, aim, isMet ? 'met' : 'MISSED'].join(' | ')} |`)
console.log(`\n${missed} of ${lines.length} missed; ${availableParallelism()} cores`)
writeFileSync(join(out, 'figures.json'), `${JSON.stringify(lines, null, 1)}\n`)

function contextLines(): Line[] {
  const all = waits.filter(({ part }) => part === 'context')
  return [...Map.groupBy(all, ({ repository }) => repository), ['all together', all] as const].flatMap(
    ([name, some]) => {
      const [p50, p95] = spreadOf(some.map(({ seconds }) => seconds))
      const cut = some.filter((row) => row.cut.length > 0).length
      return lineOf(`\`context\`, index at hand: ${name}`, some, {
        figure: `p50 ${s(p50)}, p95 ${s(p95)}, ${cut} cut`,
        aim: 'p50 ≤ 0.5 s, p95 ≤ 1.5 s, none cut',
        isMet: p50 <= 0.5 && p95 <= 1.5 && cut === 0,
      })
    },
  )
}

function reviewLines(): Line[] {
  const all = waits.filter(({ part }) => part === 'review')
  return [...Map.groupBy(all, ({ repository }) => repository)].flatMap(([name, some]) => {
    const first = some.filter(({ state }) => state === 'cold')
    const second = some.filter(({ state }) => state === 'warm')
    const findings = worst(first.flatMap(({ firstSeconds }) => firstSeconds ?? []))
    const whole = worst(first.map(({ seconds }) => seconds))
    const cut = second.filter((row) => row.cut.length > 0).length
    return [
      ...lineOf(`first review without an index: ${name}`, first, {
        figure: `longest: first findings ${s(findings)}, whole ${s(whole)}`,
        aim: 'first findings ≤ 3 s, whole ≤ 10 s',
        isMet: findings <= 3 && whole <= 10,
      }),
      ...lineOf(`second review: ${name}`, second, {
        figure: `longest ${s(worst(second.map(({ seconds }) => seconds)))}, ${cut} cut`,
        aim: 'nothing left to read, none cut',
        isMet: cut === 0,
      }),
    ]
  })
}

function indexLines(): Line[] {
  return cold
    .filter((row) => row.what === 'index')
    .map((row) => {
      const [cpu, speed, ratio] = [row['CPU ms/MB'], row['MB/s'], row['the same for each MB']].map(Number)
      const isSmall = Number(row.MB) < 10
      return {
        what: `whole index: ${row.repository}, ${row.MB} MB`,
        runs: 1,
        figure: `${cpu} ms CPU/MB, ${speed} MB/s, × ${ratio} one ast-grep search; peak ${row['main MB']} MB, each worker ${row['child MB']} MB`,
        cpu: `${row['CPU ms']} ms`,
        load: '',
        aim: isSmall
          ? 'worker ≤ 200 MB, main ≤ 150 MB'
          : '≤ 350 ms CPU/MB, ≥ 6 MB/s, × ≤ 6, main ≤ 150 MB, worker ≤ 200 MB',
        isMet:
          Number(row['main MB']) <= 150 &&
          Number(row['child MB']) <= 200 &&
          (isSmall || (Number(cpu) <= 350 && Number(speed) >= 6 && Number(ratio) <= 6)),
      }
    })
}

function commitLines(): Line[] {
  return incremental.map((row) => {
    const fresh = Number(row['new process: whole ms'])
    return {
      what: `ten-file commit: ${row.repository}`,
      runs: Number(row.commits),
      figure: `${Math.round(fresh)} ms (median)`,
      cpu: `${row['new process: whole CPU ms']} ms`,
      load: '',
      aim: '≤ 350 ms',
      isMet: fresh <= 350,
    }
  })
}

function growthLines(): Line[] {
  const rows = waits.filter(({ part }) => part === 'growth').sort((a, b) => Number(a.state) - Number(b.state))
  const [small, large] = ['5', '60'].map((size) => rows.find(({ state }) => state === size))
  if (!small || !large) return []
  const [wall, cpu] = [large.seconds / small.seconds, large.cpuSeconds / small.cpuSeconds]
  return lineOf('review of one change in trees of 1, 5, 25, 60 MB, warm', rows, {
    figure: `${rows.map(({ state, seconds }) => `${state} MB ${s(seconds)}`).join(', ')}; × ${wall.toFixed(2)} from 5 to 60 MB, × ${cpu.toFixed(2)} CPU`,
    aim: '× ≤ 1.5 from 5 to 60 MB',
    isMet: wall <= 1.5,
  })
}

function lineOf(what: string, rows: readonly Wait[], told: Pick<Line, 'figure' | 'aim' | 'isMet'>): Line[] {
  if (rows.length === 0) return []
  const [cpu] = spreadOf(rows.map(({ cpuSeconds }) => cpuSeconds))
  const [load] = spreadOf(rows.map((row) => row.load))
  return [{ what, runs: rows.length, cpu: s(cpu), load: load.toFixed(1), ...told }]
}

/** The one in the middle, and the one that all but a twentieth stay below. */
function spreadOf(figures: readonly number[]): [number, number] {
  return [at(figures, 0.5), at(figures, 0.95)]
}

function worst(figures: readonly number[]): number {
  return Math.max(...figures)
}

function s(seconds: number): string {
  return `${seconds.toFixed(2)} s`
}

function bench(name: string, ...args: string[]): void {
  execFileSync(process.execPath, [join(import.meta.dirname, name), ...args], { stdio: 'inherit' })
}

function readLines<Item>(file: string): Item[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

function readJson<Item>(file: string): Item[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
}
