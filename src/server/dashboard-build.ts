/**
 * The build of the dashboard. Packages bring it; a checkout makes it on first use, and again after its sources changed, as it
 * installs its packages.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sha256 } from '../base/canonical-json.ts'
import { UserError } from '../base/errors.ts'
import { takeLock } from '../base/file-lock.ts'
import { packageRoot } from '../base/package-root.ts'

export const dashboardFolder = join(packageRoot, 'dashboard', 'dist')

/** What it is built from. */
const sources = ['dashboard', 'src/server/api/contract', 'src/domain', 'src/base', 'package-lock.json']
/** Where a checkout keeps what it installed for itself. */
const own = join(packageRoot, '.node')
/** Says from which sources the build was made. */
const stamp = join(own, 'dashboard')

/**
 * Resolves when it is there. `note` gets a line where somebody will have to wait. Throws `dashboard-unbuilt` with the words of
 * whatever failed, and as the signal says.
 */
export async function prepareDashboard(note: (line: string) => void, signal: AbortSignal): Promise<void> {
  if (!existsSync(join(packageRoot, 'dashboard/src')) || isBuilt(stateOfSources())) return
  try {
    mkdirSync(own, { recursive: true })
    const free = await takeLock(`${stamp}.lock`, signal)
    try {
      // Another process may have built it meanwhile.
      const state = stateOfSources()
      if (isBuilt(state)) return
      note('building the dashboard, once')
      if (!existsSync(join(packageRoot, 'node_modules/vite')))
        await run('sh', ['scripts/setup.sh', 'add'], signal)
      await run(process.execPath, ['scripts/build-dashboard.ts'], signal)
      writeFileSync(stamp, state)
    } finally {
      free()
    }
  } catch (error) {
    signal.throwIfAborted()
    throw new UserError('dashboard-unbuilt', error instanceof Error ? error.message : String(error), {
      cause: error,
    })
  }
}

function isBuilt(state: string): boolean {
  return (
    existsSync(join(dashboardFolder, 'index.html')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === state
  )
}

function stateOfSources(): string {
  const files = sources.flatMap((name) => {
    const path = join(packageRoot, name)
    if (!statSync(path).isDirectory()) return [path]
    const inside = readdirSync(path, { recursive: true, withFileTypes: true })
    return inside.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  })
  const states = files
    .filter((path) => !path.startsWith(dashboardFolder))
    .sort()
    .map((path) => `${path} ${statSync(path).size} ${statSync(path).mtimeMs}`)
  return sha256(states.join('\n'))
}

async function run(command: string, words: readonly string[], signal: AbortSignal): Promise<void> {
  const child = spawn(command, words, { cwd: packageRoot, stdio: ['ignore', 'ignore', 'pipe'], signal })
  const [said, code] = await Promise.all([
    text(child.stderr),
    new Promise((resolve, reject) => child.on('error', reject).on('close', resolve)),
  ])
  if (code !== 0) throw new Error(said.trim() || `${words.join(' ')} ended with ${code}`)
}
