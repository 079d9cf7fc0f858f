/**
 * How much it costs to read the facts of whole repositories, beside one `ctags -R` over the same files.
 * Usage: node bench/index/facts.ts GIT_DIRECTORY… [--json FILE]. CPU is counted by the shell, children included.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createFactStore } from '../../src/code-index/fact-store.ts'
import { languageOf } from '../../src/code-index/language-of.ts'
import { languages } from '../../src/code-index/languages/registry.ts'

const self = import.meta.filename
const biggestOutput = 2 ** 30

type Reading = {
  files: number
  megabytes: number
  wallMs: number
  failures: number
  withErrors: number
  symbols: number
  references: number
  recordMegabytes: number | null
  childMegabytes: number | null
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, read: { type: 'string' } },
})

if (values.read !== undefined) {
  process.stdout.write(JSON.stringify(await readFacts(values.read)))
} else if (positionals.length === 0) {
  process.stderr.write('usage: node bench/index/facts.ts GIT_DIRECTORY… [--json FILE]\n')
  process.exitCode = 2
} else {
  const rows = positionals.map(compare)
  console.table(rows)
  if (spawnSync('ctags', ['--version']).status !== 0) console.log('ctags is not installed: no comparison')
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`)
}

/** One row: our cost, the cost of ctags, and the ratio of the two. */
function compare(gitDirectory: string): Record<string, string | number> {
  const own = withCpu([process.execPath, self, '--read', gitDirectory], tmpdir())
  const reading: Reading = JSON.parse(own.stdout)
  const ctagsMs = ctagsCpu(gitDirectory)
  return {
    repository: basename(dirname(join(gitDirectory, 'x', '..'))),
    files: reading.files,
    MB: round(reading.megabytes, 2),
    'wall ms': Math.round(reading.wallMs),
    'MB/s': round(reading.megabytes / (reading.wallMs / 1000), 1),
    'CPU ms': own.cpuMs,
    'CPU ms/MB': Math.round(own.cpuMs / reading.megabytes),
    'ctags CPU ms': ctagsMs ?? 'none',
    'CPU / ctags': ctagsMs === null ? 'none' : round(own.cpuMs / ctagsMs, 1),
    'child MB': reading.childMegabytes ?? 'unknown',
    'records / source':
      reading.recordMegabytes === null ? 'unknown' : round(reading.recordMegabytes / reading.megabytes, 2),
    symbols: reading.symbols,
    references: reading.references,
    failures: reading.failures,
    'files with errors': reading.withErrors,
  }
}

/** Runs in a process of its own, so that the shell can count it. */
async function readFacts(gitDirectory: string): Promise<Reading> {
  const files = sourcesOf(gitDirectory)
  const cacheFolder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  const store = createFactStore({ cacheFolder })
  const start = performance.now()
  const facts = await store.facts(files)
  const wallMs = performance.now() - start
  const childMegabytes = largestChild()
  await store.close()
  const all = [...facts.values()]
  const packs = readdirSync(cacheFolder).map((name) => readFileSync(join(cacheFolder, name)).length)
  rmSync(cacheFolder, { recursive: true })
  return {
    files: files.length,
    megabytes: files.reduce((sum, file) => sum + Buffer.byteLength(file.text), 0) / 1e6,
    wallMs,
    failures: store.failures.length,
    withErrors: all.filter((fact) => fact.errorLines.length > 0).length,
    symbols: all.reduce((sum, fact) => sum + fact.symbols.length, 0),
    references: all.reduce((sum, fact) => sum + fact.references.length, 0),
    recordMegabytes: packs.reduce((sum, size) => sum + size, 0) / 1e6,
    childMegabytes,
  }
}

function sourcesOf(gitDirectory: string): { path: string; blob: string; text: string }[] {
  const git = (args: string[], input?: string): Buffer =>
    execFileSync('git', ['--git-dir', gitDirectory, ...args], { input, maxBuffer: biggestOutput })
  const entries = git(['ls-tree', '-r', '-z', 'HEAD'])
    .toString()
    .split('\0')
    .flatMap((line) => {
      const [, mode, blob, path] = /^(\d+) blob (\w+)\t(.*)$/s.exec(line) ?? []
      const language = path === undefined ? null : languageOf(path)
      const wanted = mode?.startsWith('100') && language !== null && languages.has(language)
      return wanted && blob && path ? [{ blob, path }] : []
    })
  const output = git(['cat-file', '--batch'], entries.map(({ blob }) => `${blob}\n`).join(''))
  let at = 0
  return entries.flatMap((entry) => {
    const headerEnd = output.indexOf(10, at)
    const size = Number(output.toString('utf8', at, headerEnd).split(' ')[2])
    at = headerEnd + 1
    if (Number.isNaN(size)) return []
    const text = output.toString('utf8', at, at + size)
    at += size + 1
    return [{ ...entry, text }]
  })
}

/** Peak resident size of our living children in MB, where the system tells (Linux). */
function largestChild(): number | null {
  try {
    const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
    const peaks = pids.map((pid) => /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    return Math.round(Math.max(...peaks.map(Number)) / 1024)
  } catch {
    return null
  }
}

function ctagsCpu(gitDirectory: string): number | null {
  if (spawnSync('ctags', ['--version']).status !== 0) return null
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  try {
    const archive = execFileSync('git', ['--git-dir', gitDirectory, 'archive', 'HEAD'], {
      maxBuffer: biggestOutput,
    })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    return withCpu(['ctags', '-R', '-f', '/dev/null', '.'], folder).cpuMs
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** User and system time of a command and of all its children, as the shell's `times` reports it. */
function withCpu(command: string[], cwd: string): { stdout: string; cpuMs: number } {
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const { stdout, status, stderr } = spawnSync('sh', ['-c', `${quoted}; printf '\\n'; times`], {
    cwd,
    encoding: 'utf8',
    maxBuffer: biggestOutput,
  })
  const lines = stdout.trimEnd().split('\n')
  const times = lines.at(-1)?.matchAll(/(\d+)m([\d.]+)s/g) ?? []
  const seconds = [...times].reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0)
  if (status !== 0) throw new Error(`${command[0]}: ${stderr.slice(0, 500)}`)
  return { stdout: lines.slice(0, -2).join('\n'), cpuMs: Math.round(seconds * 1000) }
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
