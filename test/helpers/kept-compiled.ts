/**
 * Compiled code that runs of the tests keep for each other, in the user's own cache folder. Starting a process costs about twice
 * as much where nothing is compiled yet, and tests start thousands; what a module compiles to depends on the module alone.
 */
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownCacheFolder } from '../../bin/compile-cache.js'
import { sha256 } from '../../src/base/canonical-json.ts'
import { takeLock } from '../../src/base/file-lock.ts'
import { packageRoot } from '../../src/base/package-root.ts'
import { nodeWalls } from '../../src/base/sandbox/confine-node.ts'
import { fillCompiled } from '../../src/server/roles/compiled.ts'

/**
 * Of this checkout, in the cache folder of whoever runs the tests, also while a test has another one. Null where the user has no
 * folder that only they can write to.
 */
export const keptFolder = ownCacheFolder(join('tests', sha256(packageRoot).slice(0, 16)))

let filled: Promise<string | null> | null = null

/** For the processes of roles, as a server keeps it; null where they run without walls. Filled once for each state of the sources. */
export function keptForRoles(): Promise<string | null> {
  filled ??= fillOnce()
  return filled
}

/** The same for a server or a worker that is to begin with this data folder. */
export async function shareForRoles(data: string): Promise<void> {
  if ((await keptForRoles()) === null) return
  mkdirSync(data, { recursive: true, mode: 0o700 })
  symlinkSync(join(folderForRoles(), 'compiled'), join(data, 'compiled'))
}

async function fillOnce(): Promise<string | null> {
  if ((await nodeWalls()) === 'permissions') return null
  const folder = folderForRoles()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const free = await takeLock(join(folder, 'lock'), AbortSignal.timeout(300_000))
  try {
    return await fillCompiled(folder)
  } finally {
    free()
  }
}

let forRoles: string | null = null

/** Another one after each change of the sources; those of earlier states are removed. */
function folderForRoles(): string {
  if (forRoles !== null) return forRoles
  const kept = keptFolder ?? join(tmpdir(), `sightline-test-compiled-${process.getuid?.() ?? 0}`)
  const name = `roles-${stateOfSources().slice(0, 16)}`
  mkdirSync(kept, { recursive: true, mode: 0o700 })
  for (const other of readdirSync(kept))
    if (other.startsWith('roles-') && other !== name)
      rmSync(join(kept, other), { recursive: true, force: true, maxRetries: 3 })
  forRoles = join(kept, name)
  return forRoles
}

function stateOfSources(): string {
  const sources = join(packageRoot, 'src')
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  const states = files.sort().map((path) => {
    const { size, mtimeMs } = statSync(join(sources, path))
    return `${path} ${size} ${mtimeMs}`
  })
  return sha256(states.join('\n'))
}
