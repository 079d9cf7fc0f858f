/** Builds `dashboard/dist`, the files that `sightline ui` and the server hand out: `node scripts/build-dashboard.ts`. */
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

/**
 * Replaces `dashboard/dist` at once, so that a server that hands it out, or another build, never meets half of it. Rejects
 * when the sources do not compile.
 */
export async function buildDashboard(): Promise<void> {
  const root = join(import.meta.dirname, '../dashboard')
  const dist = join(root, 'dist')
  const made = join(import.meta.dirname, `../.node/dashboard-${process.pid}`)
  const old = `${made}-old`
  // Vite goes by it whatever is built: with another value React is slow, and names of folders here get into the files.
  const environment = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    await build({
      root,
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'error',
      build: { outDir: made },
    })
  } finally {
    if (environment === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = environment
  }
  try {
    renameSync(dist, old)
  } catch {
    // The first build, or another one has just moved it away.
  }
  renameSync(made, dist)
  rmSync(old, { recursive: true, force: true })
}

if (process.argv[1] === import.meta.filename) await buildDashboard()
