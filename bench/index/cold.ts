/**
 * What a cold full index costs, beside one `ctags -R` and one `ast-grep` search over the same files, all in turns in one
 * run. `facts` is parsing alone; `index` is the whole command. Ratios are of CPU; every figure is the median of rounds.
 * ast-grep searches one language, the one with the most text: `the same for each MB` sets its cost against what it read.
 * Usage: node bench/index/cold.ts GIT_DIRECTORY… [--rounds 3] [--ast-grep PROGRAM] [--program FILE] [--json FILE]
 * With a file, a run that was stopped goes on after the repositories that are in it.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { nameOf, programOn, type Row, rowsOf } from '../figures.ts'
import { type Cost, measured } from './measured.ts'
import { sourceFiles } from './source-files.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    'ast-grep': { type: 'string', default: 'ast-grep' },
    program: { type: 'string', default: join(import.meta.dirname, '../../bin/sightline.js') },
    json: { type: 'string' },
  },
})
const factsProgram = join(import.meta.dirname, 'facts.ts')
const command = resolve(values.program)
const ctags = programOn('ctags')
const astGrep = programOn(values['ast-grep'])

/** What ast-grep calls a language, where the names differ; null where it has none. */
const astGrepNames: Readonly<Record<string, string>> = { typescript: 'ts', csharp: 'cs' }

type Measure = Cost & { diskBytes: number }

if (positionals.length === 0) {
  process.stderr.write(
    'usage: node bench/index/cold.ts GIT_DIRECTORY… [--rounds 3] [--ast-grep PROGRAM] [--program FILE] [--json FILE]\n',
  )
  process.exitCode = 2
} else {
  console.table(await rowsOf(positionals, values.json, (gitDirectory) => compare(resolve(gitDirectory))))
}

/** Two rows: the facts alone, and the whole index. */
async function compare(gitDirectory: string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  try {
    const { bytes, files, language, searchedBytes } = writeFiles(gitDirectory, folder)
    const costs = {
      facts: [] as Measure[],
      index: [] as Measure[],
      ctags: [] as Cost[],
      astGrep: [] as Cost[],
    }
    for (let round = 0; round < Number(values.rounds); round++) {
      costs.facts.push(await readFacts(gitDirectory))
      costs.index.push(await wholeIndex(gitDirectory))
      if (ctags) costs.ctags.push(await measured([ctags, '-R', '-f', '.tags', '.'], folder))
      if (astGrep) costs.astGrep.push(await search(astGrep, language, folder))
    }
    const beside = { ctags: medianOf(costs.ctags, 'cpuMs'), astGrep: medianOf(costs.astGrep, 'cpuMs') }
    return (['facts', 'index'] as const).map((what) => {
      const cpuMs = medianOf(costs[what], 'cpuMs')
      const wallMs = medianOf(costs[what], 'wallMs')
      return {
        repository: nameOf(gitDirectory),
        what,
        files,
        MB: rounded(bytes / 1e6, 2),
        'wall ms': told(wallMs),
        'MB/s': wallMs === null ? 'none' : rounded(bytes / 1e3 / wallMs, 1),
        'CPU ms': told(cpuMs),
        'CPU ms/MB': cpuMs === null ? 'none' : Math.round(cpuMs / (bytes / 1e6)),
        'ctags CPU ms': told(beside.ctags),
        'CPU / ctags': ratio(cpuMs, beside.ctags),
        'ast-grep CPU ms': told(beside.astGrep),
        'searched by ast-grep': language,
        'MB searched': rounded(searchedBytes / 1e6, 2),
        'CPU / ast-grep': ratio(cpuMs, beside.astGrep),
        'the same for each MB': ratio(cpuMs, beside.astGrep && (beside.astGrep * bytes) / searchedBytes),
        'main MB': told(medianOf(costs[what], 'mainMB')),
        'child MB': told(medianOf(costs[what], 'childMB')),
        children: told(medianOf(costs[what], 'children')),
        'loop held ms': told(medianOf(costs[what], 'loopMs')),
        'loop held CPU ms': told(medianOf(costs[what], 'loopCpuMs')),
        'disk / source': ratio(medianOf(costs[what], 'diskBytes'), bytes),
      }
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function readFacts(gitDirectory: string): Promise<Measure> {
  const cost = await measured([process.execPath, factsProgram, gitDirectory], tmpdir())
  const { bytes }: { bytes: number } = JSON.parse(cost.stdout)
  return { ...cost, diskBytes: bytes }
}

async function wholeIndex(gitDirectory: string): Promise<Measure> {
  const cache = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  try {
    const env = { ...process.env, XDG_CACHE_HOME: cache }
    const cost = await measured(
      [process.execPath, command, 'index', '--json', '--repo', gitDirectory],
      tmpdir(),
      { env },
    )
    const names = readdirSync(cache, { recursive: true, encoding: 'utf8' })
    // Modules that Node compiled are kept there too, and are no index.
    const own = names.filter((name) => !name.includes('compiled'))
    const sizes = own.map((name) => statSync(join(cache, name))).filter((found) => found.isFile())
    return { ...cost, diskBytes: sizes.reduce((sum, { size }) => sum + size, 0) }
  } finally {
    rmSync(cache, { recursive: true })
  }
}

/** For a name that is nowhere, in the language with the most text. */
function search(program: string, language: string, folder: string): Promise<Cost> {
  const words = [
    program,
    'run',
    '--lang',
    astGrepNames[language] ?? language,
    '-p',
    'nowhere_to_be_found',
    '.',
  ]
  return measured(words, folder, { accepted: [0, 1] })
}

/** For tools that read files. Returns how much there is, and the language with the most text. */
function writeFiles(
  gitDirectory: string,
  folder: string,
): { bytes: number; files: number; language: string; searchedBytes: number } {
  const byLanguage = new Map<string, number>()
  let [bytes, files] = [0, 0]
  for (const part of sourceFiles(gitDirectory))
    for (const { path, text, language } of part) {
      const size = Buffer.byteLength(text)
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
      byLanguage.set(language, (byLanguage.get(language) ?? 0) + size)
      bytes += size
      files++
    }
  const [most] = [...byLanguage].sort((a, b) => b[1] - a[1])
  const [language, searchedBytes] = most ?? ['typescript', 0]
  return { bytes, files, language, searchedBytes }
}

function medianOf<Name extends string>(costs: readonly Record<Name, unknown>[], name: Name): number | null {
  const numbers = costs.flatMap((cost) => (typeof cost[name] === 'number' ? [cost[name]] : []))
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? null
}

function told(value: number | null): number | string {
  return value === null ? 'none' : Math.round(value)
}

function ratio(one: number | null, other: number | null): number | string {
  return one === null || other === null ? 'none' : rounded(one / other, 2)
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
