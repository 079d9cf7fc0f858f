/** The project that a file of a tree belongs to: the nearest manifest above it, and what is installed for it. */
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isTestPath } from '../base/file-paths.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { Ecosystem, Installed, Project } from './contract.ts'

type Known = {
  endings: RegExp
  manifests: readonly string[]
  /** Where packages are installed, from the folder of a manifest. */
  packages: readonly string[]
}

const ecosystems: Readonly<Record<Ecosystem, Known>> = {
  javascript: { endings: /\.[cm]?[jt]sx?$/, manifests: ['package.json'], packages: ['node_modules'] },
  python: {
    endings: /\.py$/,
    manifests: ['pyproject.toml', 'setup.cfg', 'setup.py', 'tox.ini'],
    packages: ['.venv', 'venv'],
  },
  go: { endings: /\.go$/, manifests: ['go.mod'], packages: [] },
  rust: { endings: /\.rs$/, manifests: ['Cargo.toml'], packages: [] },
  java: { endings: /\.java$/, manifests: ['pom.xml', 'build.gradle', 'build.gradle.kts'], packages: [] },
}
const names = Object.keys(ecosystems) as Ecosystem[]
/** Where Python projects say that they need pytest, besides their manifests. */
const requirements = /^(?:requirements[\w.-]*\.txt|requirements\/[\w.-]+\.txt|Pipfile)$/

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
  const ecosystem = names.find((name) => ecosystems[name].endings.test(path))
  if (ecosystem === undefined) return null
  const { endings, manifests } = ecosystems[ecosystem]
  const files = new Set((await head.list()).map((entry) => entry.path))
  const above = foldersAbove(path)
  const folder = above.find((one) => manifests.some((name) => files.has(join(one, name))))
  // Small Python repositories have none.
  if (folder === undefined && ecosystem !== 'python') return null
  const at = folder ?? ''
  const manifest = manifests.find((name) => files.has(join(at, name))) ?? ''
  const testFiles = [...files].filter(
    (file) => isTestPath(file) && endings.test(file) && (at === '' || file.startsWith(`${at}/`)),
  )
  const folders = foldersAbove(join(at, 'x'))
  return {
    folder: at,
    ecosystem,
    manifest,
    testFiles,
    installed: findInstalled(folders, ecosystem, checkout),
    ...(ecosystem === 'python'
      ? await readPython(files, testFiles, folders, head)
      : await readManifests(folders, head)),
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

/** Of those that may import pytest. */
const mostTestFiles = 20

/** Python has no one place for packages and no command of tests: what counts is whether anything asks for pytest. */
async function readPython(
  files: ReadonlySet<string>,
  testFiles: readonly string[],
  folders: readonly string[],
  head: RepoSnapshot,
): Promise<Pick<Project, 'dependencies' | 'script'>> {
  const asked = [...files].filter((file) =>
    folders.some((folder) => {
      if (folder !== '' && !file.startsWith(`${folder}/`)) return false
      const name = folder === '' ? file : file.slice(folder.length + 1)
      return ecosystems.python.manifests.includes(name) || requirements.test(name) || name === 'conftest.py'
    }),
  )
  const read = [...asked, ...testFiles.slice(0, mostTestFiles)]
  const texts = [...(await head.readMany(read)).values()].map(({ text }) => text)
  const needsPytest =
    texts.some((text) => /\bpytest\b/.test(text)) || asked.some((file) => file.endsWith('conftest.py'))
  return { dependencies: new Set(needsPytest ? ['pytest'] : []), script: '' }
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
    .flatMap((folder) => ecosystems[ecosystem].packages.map((name) => join(folder, name)))
    .filter((folder) => checkout !== null && isOwnFolder(checkout, folder))
  return {
    folders: found,
    find(file) {
      const folder = found.find((one) => existsSync(join(checkout ?? '', one, file)))
      return folder === undefined ? null : join(folder, file)
    },
  }
}

/** A real folder of the checkout, not a link that leads out of it. */
export function isOwnFolder(checkout: string, folder: string): boolean {
  const place = join(checkout, folder)
  const real = realpathSync(checkout)
  return (
    lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true &&
    realpathSync(place) === join(real, folder)
  )
}
