/**
 * The onboarding robot: each documented path from a clean clone to the first report, with nothing but git and the
 * system's own Node and npm on the PATH. Counts the commands, times them, and prints a table; nothing is asserted.
 *
 *   node bench/onboarding/run.ts [--keep-cache]   with npm's cache as it is; an empty one when not given
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

type Step = { command: string; folder: 'clone' | 'project' }
type Path = { page: string; steps: readonly Step[] }

const root = join(import.meta.dirname, '../..')
const work = mkdtempSync(join(tmpdir(), 'onboarding-'))
process.on('exit', () => rmSync(work, { recursive: true, force: true }))

const clone = join(work, 'sightline')
const project = join(work, 'project')
const command = join(clone, 'sightline')

const paths: readonly Path[] = [
  { page: 'README: ./sightline demo', steps: [{ command: './sightline demo', folder: 'clone' }] },
  {
    page: 'quick start: review in a project of your own',
    steps: [{ command: `${command} review --depth offline`, folder: 'project' }],
  },
  {
    page: 'pre-commit: a staged change',
    steps: [{ command: `${command} review --staged --quiet --depth offline`, folder: 'project' }],
  },
]

process.stdout.write('| documented path | commands | seconds | exit codes |\n|---|---|---|---|\n')
for (const { page, steps } of paths) {
  prepare()
  const environment = cleanEnvironment()
  const startedAt = performance.now()
  const codes = steps.map(({ command: line, folder }) => {
    const done = spawnSync('/bin/sh', ['-c', line], {
      cwd: folder === 'clone' ? clone : project,
      env: environment,
      stdio: 'ignore',
      timeout: 600_000,
    })
    return done.status ?? 'killed'
  })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(
    `| ${page} | ${steps.length + 1} (with git clone) | ${seconds} | ${codes.join(', ')} |\n`,
  )
}

/** A clone as a stranger gets it, and a project with one change in its index. */
function prepare(): void {
  for (const folder of [clone, project, join(work, 'home')]) rmSync(folder, { recursive: true, force: true })
  execFileSync('git', ['clone', '--quiet', root, clone])
  mkdirSync(project)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: project,
    })
  git('init', '--quiet')
  writeFileSync(join(project, 'a.js'), 'export const a = 1\n')
  git('add', '.')
  git('commit', '--quiet', '-m', 'Start')
  writeFileSync(join(project, 'a.js'), 'export const a = (b) => (b.c === b.c ? 1 : 2)\n')
  git('add', '.')
}

/** `git`, `node` and `npm` and the tools of the system, and a home without anything. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const bin = join(work, 'bin')
  const home = join(work, 'home')
  rmSync(bin, { recursive: true, force: true })
  mkdirSync(bin)
  mkdirSync(home)
  const outside = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
  for (const tool of ['git', 'node', 'npm', 'npx']) {
    const found = spawnSync('/bin/sh', ['-c', `command -v ${tool}`], {
      env: { PATH: outside.join(delimiter) },
      encoding: 'utf8',
    }).stdout.trim()
    if (found !== '') symlinkSync(found, join(bin, tool))
  }
  // Where packages come from is a matter of the machine, and no part of what is measured.
  const machine = Object.entries(process.env).filter(([name]) =>
    /^(?:npm_config_(?!cache$)\w+|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_file)$/i.test(name),
  )
  const own = join(process.env.HOME ?? '/nonexistent', '.npmrc')
  const cache = process.argv.includes('--keep-cache') ? process.env.npm_config_cache : join(home, '.npm')
  return {
    PATH: [bin, '/usr/bin', '/bin', dirname('/bin/sh')].join(delimiter),
    HOME: home,
    ...(existsSync(own) ? { npm_config_userconfig: own } : {}),
    ...Object.fromEntries(machine),
    ...(cache ? { npm_config_cache: cache } : {}),
  }
}
