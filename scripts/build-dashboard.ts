/** Builds `dashboard/dist`, the files that `sightline ui` and the server hand out: `node scripts/build-dashboard.ts`. */
import { join } from 'node:path'
import { build } from 'vite'

/** Replaces `dashboard/dist`. Rejects when the sources do not compile. */
export async function buildDashboard(): Promise<void> {
  const root = join(import.meta.dirname, '../dashboard')
  await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'error' })
}

if (process.argv[1] === import.meta.filename) await buildDashboard()
