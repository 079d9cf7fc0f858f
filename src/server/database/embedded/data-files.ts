/**
 * The files of the embedded engine. An empty database is made beside its place and moved there when it is complete, so that
 * what a kill cut off is never opened.
 */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { workerIn } from '../../../base/child-worker.ts'
import { syncFolder } from '../../../base/durable.ts'
import { UserError } from '../../../base/errors.ts'

const unfinished = 'pgdata-unfinished-'

/** What is started as the engine. Throws `database-refused` where the package that holds it is not installed. */
export function engineFile(): string {
  try {
    import.meta.resolve('@electric-sql/pglite')
  } catch (error) {
    throw new UserError(
      'database-refused',
      'the built-in database needs the package @electric-sql/pglite, which is not installed beside sightline; ' +
        'install it, or set DATABASE_URL to a PostgreSQL server',
      { cause: error },
    )
  }
  return workerIn('server/database/embedded', 'engine')
}

/**
 * The engine's files in a folder whose lock is held; an empty database when there are none, which `make` puts where it is told.
 * Rejects with `database-refused` when none can be made.
 */
export async function filesIn(folder: string, make = create): Promise<string> {
  const files = placeIn(folder)
  if (existsSync(files)) return files
  for (const name of readdirSync(folder))
    if (name.startsWith(unfinished)) rmSync(join(folder, name), { recursive: true, force: true })
  const made = join(folder, `${unfinished}${randomBytes(6).toString('hex')}`)
  await make(made)
  renameSync(made, files)
  syncFolder(folder)
  return files
}

/** Whether there is a database in the folder already. */
export function hasFiles(folder: string): boolean {
  return existsSync(placeIn(folder))
}

function placeIn(folder: string): string {
  return join(folder, 'pgdata')
}

async function create(files: string): Promise<void> {
  const child = fork(engineFile(), [files], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // What runs once is not worth optimising.
    execArgv: ['--liftoff-only', '--disable-warning=ExperimentalWarning'],
    env: {},
  })
  let words = ''
  child.stderr?.on('data', (bytes: Buffer) => {
    words = `${words}${bytes}`.slice(-1000)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0)
    throw new UserError('database-refused', `no database could be made in ${files}: ${words.trim()}`)
}
