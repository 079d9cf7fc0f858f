/** Builds what is published: `dist/` from `src/`, one JavaScript file and one declaration per source; and the dashboard. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildDashboard } from './build-dashboard.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const project = join(root, 'tsconfig.build.json')
// What it says goes to standard error: `npm pack --json` wants standard output for itself.
const { status } = spawnSync(process.execPath, [compiler, '-p', project], { stdio: ['ignore', 2, 2] })
if (status !== 0) process.exit(1)
await buildDashboard()

// The compiler rewrites `.ts` in imports only. A path to a worker is a string, and must find its own ending.
const stuck = builtFiles().filter((path) => namesSource(readFileSync(path, 'utf8')))
if (stuck.length > 0) {
  process.stderr.write(`build: these files still name a .ts file:\n${stuck.join('\n')}\n`)
  process.exitCode = 1
}

// Prompts are read at run time, from beside `dist/`: one that is named and not there would be missed by a user only.
const missing = builtFiles().flatMap((path) => missingPrompts(readFileSync(path, 'utf8')))
if (missing.length > 0) {
  process.stderr.write(`build: there is no ${missing.join(', ')}\n`)
  process.exitCode = 1
}

function builtFiles(): string[] {
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .sort()
    .map((path) => join(dist, path))
}

/** `readPrompt('quick-review', 1)` is `prompts/quick-review.v1.md`. */
function missingPrompts(code: string): string[] {
  return [...code.matchAll(/\breadPrompt\('([\w-]+)', (\d+)\)/g)]
    .map(([, name, version]) => `prompts/${name}.v${version}.md`)
    .filter((path) => !existsSync(join(root, path)))
}

/** `new URL('./worker.ts', …)` without its built twin on the same line. */
function namesSource(code: string): boolean {
  const calls = /\b(?:URL|Worker|fork|import|join|resolve)\([^)\n]*['"`][^'"`\n]*[^.](?<!\.d)\.ts['"`].*/g
  return [...code.matchAll(calls)].some(([line]) => !line.includes('.js'))
}
