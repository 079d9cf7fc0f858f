/** The project that a file of a tree belongs to: the nearest manifest above it, and what is installed for it. */
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isTestPath } from '../base/file-paths.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { Installed, Project } from './contract.ts'

const manifests = {
  javascript: ['package.json'],
  python: ['pyproject.toml', 'setup.cfg', 'setup.py', 'tox.ini'],
} as const
const endings = { javascript: /\.[cm]?[jt]sx?$/, python: /\.py$/ } as const
/** Where packages are installed, from the folder of a manifest. */
const packageFolders = { javascript: ['node_modules'], python: ['.venv', 'venv'] } as const

/** Names of packages only; broken manifests name none. */
const Manifest = z.object({
  scripts: z.record(z.string(), z.unknown()).catch({}).default({}),
  dependencies: z.record(z.string(), z.unknown()).catch({}).default({}),
  devDependencies: z.record(z.string(), z.unknown()).catch({}).default({}),
})

/**
 * Null for a file of no known ecosystem, or below no manifest. `checkout`: the person's own folder of this repository, of
 * which only folders of installed packages are used; null where there is none.
 */
export async function findProject(
  path: string,
  head: RepoSnapshot,
  checkout: string | null,
): Promise<Project | null> {
  const ecosystem = endings.javascript.test(path) ? 'javascript' : endings.python.test(path) ? 'python' : null
  if (ecosystem === null) return null
  const files = new Set((await head.list()).map((entry) => entry.path))
  const above = foldersAbove(path)
  const folder = above.find((one) => manifests[ecosystem].some((name) => files.has(join(one, name))))
  // Small Python repositories have none.
  if (folder === undefined && ecosystem === 'javascript') return null
  const at = folder ?? ''
  const testFiles = [...files].filter(
    (file) => isTestPath(file) && endings[ecosystem].test(file) && (at === '' || file.startsWith(`${at}/`)),
  )
  const installed = findInstalled(foldersAbove(join(at, 'x')), ecosystem, checkout)
  return {
    folder: at,
    ecosystem,
    testFiles,
    installed,
    ...(await readManifests(foldersAbove(join(at, 'x')), head)),
  }
}

/** `a/b/c.ts` → `a/b`, `a`, and the root. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return [...parts.map((_, at) => parts.slice(0, parts.length - at).join('/')), '']
}

/** A workspace may leave its test framework to the manifest at the root. */
async function readManifests(
  folders: readonly string[],
  head: RepoSnapshot,
): Promise<Pick<Project, 'dependencies' | 'script'>> {
  const dependencies = new Set<string>()
  let script = ''
  for (const folder of folders) {
    const source = await head.read(join(folder, 'package.json'))
    const manifest = Manifest.safeParse(source ? parseJson(source.text) : null)
    if (!manifest.success) continue
    const { scripts, dependencies: needed, devDependencies } = manifest.data
    for (const name of [...Object.keys(needed), ...Object.keys(devDependencies)]) dependencies.add(name)
    if (script === '' && typeof scripts.test === 'string') script = scripts.test
  }
  return { dependencies, script }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Real folders of the checkout only: a link could lead anywhere on this machine. */
function findInstalled(
  folders: readonly string[],
  ecosystem: Project['ecosystem'],
  checkout: string | null,
): Installed {
  const found = folders
    .flatMap((folder) => packageFolders[ecosystem].map((name) => join(folder, name)))
    .filter((folder) => checkout !== null && isOwnFolder(checkout, folder))
  return {
    folders: found,
    find(file) {
      const folder = found.find((one) => existsSync(join(checkout ?? '', one, file)))
      return folder === undefined ? null : join(folder, file)
    },
  }
}

function isOwnFolder(checkout: string, folder: string): boolean {
  const place = join(checkout, folder)
  const real = realpathSync(checkout)
  return (
    lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true &&
    realpathSync(place) === join(real, folder)
  )
}
