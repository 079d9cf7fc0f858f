/**
 * What a workspace adds to a review: many repositories, each a copy of a real one with a few files of its own, and two changes of
 * a package that five of them import. Prints the median of the seconds of CPU and of the wall clock, with a workspace and without,
 * for a change that touches no contract and for one that breaks one; and beside them `git grep` for the removed name in all of
 * them, as a person would look for it.
 *
 *   node bench/workspace/speed.ts REPOSITORY [--copies 200] [--runs 7]
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { copies: { type: 'string', default: '200' }, runs: { type: 'string', default: '7' } },
})
const [source] = positionals
if (source === undefined) throw new Error('Name a repository to copy, such as a clone of about 20 MB.')
const [copies, runs] = [Number(values.copies), Number(values.runs)]
const root = mkdtempSync(join(tmpdir(), 'workspace-speed-'))
const entry = resolve(import.meta.dirname, '../../bin/sightline.js')

const git = (folder: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-C', folder, '-c', 'user.name=bench', '-c', 'user.email=bench@example.org', ...args],
    {
      encoding: 'utf8',
      maxBuffer: 1e9,
    },
  ).trim()

function commit(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  git(folder, 'add', '-A')
  git(folder, 'commit', '-qm', 'change')
}

function copy(at: number): string {
  const folder = join(root, `app-${at}`)
  execFileSync('git', ['clone', '-q', '--local', resolve(source ?? ''), folder])
  // What it is a copy of would say what its default branch is.
  git(folder, 'remote', 'remove', 'origin')
  const uses = at % Math.ceil(copies / 5) === 0
  const code = `import { ${uses ? 'close' : 'open'} } from '@acme/client'\n\nexport const of${at} = ${uses ? 'close' : 'open'}(${at})\n`
  commit(folder, {
    'own/use.ts': code,
    'own/package.json': `{ "name": "app-${at}", "dependencies": { "@acme/client": "^1.0.0" } }\n`,
  })
  return folder
}

function library(): string {
  const folder = join(root, 'client')
  mkdirSync(folder)
  git(folder, 'init', '-q')
  const exports = ['open', 'close', 'ping'].map(
    (name) => `export function ${name}(at: number): number {\n  return at\n}\n`,
  )
  const pages = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [`src/inner/part-${at}.ts`, `export const part${at} = ${at}\n`]),
  )
  commit(folder, {
    ...pages,
    'package.json':
      '{ "name": "@acme/client", "version": "1.0.0", "type": "module", "exports": "./src/index.ts" }\n',
    'src/index.ts': exports.join('\n'),
  })
  commit(folder, { 'src/inner/part-7.ts': 'export const part7 = 70\n' })
  commit(folder, { 'src/index.ts': exports.filter((_, at) => at !== 1).join('\n') })
  return folder
}

type Cost = { cpuMs: number; ms: number; findings: number }

function review(folder: string, of: string, settings: string): Cost {
  const env = {
    ...process.env,
    SIGHTLINE_SETTINGS: settings,
    XDG_CACHE_HOME: join(root, 'cache'),
    XDG_STATE_HOME: join(root, 'state'),
  }
  const startedAt = performance.now()
  const child = spawnSync(
    '/usr/bin/env',
    [
      'bash',
      '-c',
      'TIMEFORMAT="%U %S"; time "$@"',
      'bash',
      process.execPath,
      entry,
      'review',
      of,
      '--depth',
      'offline',
      '--json',
    ],
    { cwd: folder, env, encoding: 'utf8', maxBuffer: 1e8 },
  )
  const ms = performance.now() - startedAt
  const [user = 0, system = 0] = (child.stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  const { findings } = JSON.parse(child.stdout) as { findings: { plane: string }[] }
  return {
    cpuMs: (user + system) * 1000,
    ms,
    findings: findings.filter(({ plane }) => plane === 'across').length,
  }
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

try {
  const client = library()
  const members = Array.from({ length: copies }, (_, at) => copy(at))
  const bytes = git(members[0] ?? '', 'ls-tree', '-rl', 'HEAD')
    .split('\n')
    .reduce((sum, line) => sum + Number(line.split(/\s+/)[3]), 0)
  const [alone, together] = ['alone', 'together'].map((name) => join(root, `${name}.yaml`)) as [
    string,
    string,
  ]
  writeFileSync(alone, '{}')
  writeFileSync(together, JSON.stringify({ workspace: { repositories: [client, ...members] } }, null, 1))
  const env = { ...process.env, SIGHTLINE_SETTINGS: together, XDG_CACHE_HOME: join(root, 'cache') }
  const startedAt = performance.now()
  execFileSync(process.execPath, [entry, 'workspace', '--update'], { env, stdio: 'ignore' })
  console.log(
    `${copies} repositories of ${(bytes / 1e6).toFixed(1)} MB, read in ${Math.round((performance.now() - startedAt) / 1000)} s\n`,
  )
  console.log(
    '| Change | Without: CPU, wall | With: CPU, wall | Added: CPU, wall | Findings |\n|---|---|---|---|---|',
  )
  for (const [what, of] of [
    ['touches no contract', 'HEAD~1'],
    ['breaks one', 'HEAD'],
  ] as const) {
    const costs = { without: [] as Cost[], with: [] as Cost[] }
    for (let run = 0; run <= runs; run++)
      for (const [name, settings] of [
        ['without', alone],
        ['with', together],
      ] as const) {
        const cost = review(client, of, settings)
        // The first of each warms the caches.
        if (run > 0) costs[name].push(cost)
      }
    const [a, b] = [costs.without, costs.with].map((all) => ({
      cpu: median(all.map(({ cpuMs }) => cpuMs)),
      ms: median(all.map(({ ms }) => ms)),
    }))
    if (!a || !b) continue
    const show = (cpu: number, ms: number) => `${Math.round(cpu)} ms, ${Math.round(ms)} ms`
    console.log(
      `| ${what} | ${show(a.cpu, a.ms)} | ${show(b.cpu, b.ms)} | ${show(b.cpu - a.cpu, b.ms - a.ms)} | ${costs.with[0]?.findings} |`,
    )
  }
  const grepAt = performance.now()
  const hits = members.filter(
    (folder) => spawnSync('git', ['-C', folder, 'grep', '-qw', 'close', 'HEAD']).status === 0,
  )
  const grepMs = performance.now() - grepAt
  console.log(
    `\n\`git grep -w close\` in all of them: ${Math.round(grepMs)} ms, in ${hits.length} repositories (5 use it)`,
  )
} finally {
  rmSync(root, { recursive: true, force: true })
}
