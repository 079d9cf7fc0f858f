/**
 * Makes one folder that runs by itself: the command and the Action with everything they import, prompts and rules, and the
 * grammars in use, and the dashboard. Nothing has to be installed, so it starts at once where a package would first have to be fetched.
 *
 *   node scripts/bundle.ts FOLDER
 *
 * Language servers, the S3 client and the built-in database of the server are not in it: they are found where they are
 * installed beside it. Without them a review says what it could not ask, and the server names the package.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { ChunkingContext } from 'rolldown'
import { languages } from '../src/code-index/languages/registry.ts'
import { grammarFile } from '../src/code-index/parsing/grammar.ts'
import { builtInRules, compiledRules } from '../src/pipeline/planes/rules/load-rules.ts'

const root = join(import.meta.dirname, '..')

/** The only entry that does nothing when it is loaded. */
const library = 'src/index.ts'

/** What is started or imported by its path; the rest is found from these. */
const entries = [
  library,
  'src/cli/main.ts',
  'src/cli/supervision/supervise.ts',
  'src/code-index/parsing/worker.ts',
  'src/pipeline/planes/rules/engine/worker.ts',
  'src/server/database/embedded/engine.ts',
  'src/server/roles/worker.ts',
  'action/main.ts',
]

/** Read as files at run time, so they are copied and not merged; the last four measure text that is not plain, on demand. */
const copied = [
  ...['web-tree-sitter', '@ast-grep/wasm'],
  ...['string-width', 'strip-ansi', 'ansi-regex', 'get-east-asian-width'],
]

/** Copied as they are. */
export const bundledFolders = ['bin', 'prompts', 'rules', 'schema', 'demo'] as const

/** Merged into the dashboard. */
const dashboardPackages = ['react', 'react-dom', 'scheduler']

/** Installed by those who need them; `package.json` has their versions. The last one is an addition of `pg` in C. */
const absent = [/^@aws-sdk\//, /^@electric-sql\//, /^typescript(\/|$)/, /^pyright(\/|$)/, /^pg-native$/]

/** Permissive ones; a package under another licence is refused. */
const licences = new Set([
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
])

export type Bundle = {
  /** Of its files. */
  bytes: number
  /** Whatever is in it, as paths below `node_modules` (`a`, `@b/c`, `a/node_modules/@b/c`), sorted. */
  packages: readonly string[]
}

/** Replaces `folder`. Throws when a package may not be passed on. */
export async function makeBundle(folder: string): Promise<Bundle> {
  rmSync(folder, { recursive: true, force: true })
  const merged = await merge(join(folder, 'dist'))
  const { version, license } = manifestOf(root)
  const { buildDashboard } = await import('./build-dashboard.ts')
  await buildDashboard()
  for (const part of [...bundledFolders, 'dashboard/dist', 'LICENSE'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  writeFileSync(join(folder, compiledRules), JSON.stringify(builtInRules()))
  copyFileSync(join(root, 'action/action.yml'), join(folder, 'action.yml'))
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ name: 'sightline', version, license, type: 'module' }, null, 2)}\n`,
  )
  for (const name of copied) copyPackage(name, folder, (file) => /\.(js|wasm)$|^package\.json$/.test(file))
  copyGrammars(folder)
  requirePrompts(folder)
  // Their versions are part of what a run records.
  for (const name of merged.filter((each) => /^(ai|@ai-sdk\/.*)$/.test(each)))
    copyPackage(name, folder, (file) => file === 'package.json')
  const passedOn = [...merged, ...copied, ...grammarPackages, ...dashboardPackages].sort()
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), passedOn.map(licenceText).join('\n\n'))
  const bytes = filesIn(folder).reduce((sum, path) => sum + statSync(path).size, 0)
  return { bytes, packages: passedOn }
}

/** Prompts are read at run time: one that is named and not there would be missed by a user only. Throws. */
function requirePrompts(folder: string): void {
  const code = filesIn(join(folder, 'dist')).map((path) => readFileSync(path, 'utf8'))
  const missing = code
    .flatMap((text) => [...text.matchAll(/\breadPrompt\([`"']([\w-]+)[`"'], ?(\d+)\)/g)])
    .map(([, name, version]) => `prompts/${name}.v${version}.md`)
    .filter((path) => !existsSync(join(folder, path)))
  if (missing.length > 0) throw new Error(`there is no ${missing.join(', ')}`)
}

/** The names of the packages that were merged in. */
async function merge(folder: string): Promise<string[]> {
  // On demand: what only asks for the names of folders, or is refused, is done at once.
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    input: Object.fromEntries(entries.map((path) => [path.replace(/^src\/|\.ts$/g, ''), path])),
    // Some name their ES modules so, and cannot be merged otherwise.
    resolve: { mainFields: ['module', 'main'] },
    external: [...absent, ...copied.map((name) => new RegExp(`^${name}(/|$)`))],
    preserveEntrySignatures: 'allow-extension',
  })
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    // A third of the text is layout and comments, which each start would read; names stay, for reports of failures.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    legalComments: 'none',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chunkByStarts(), debugName: 'starts' }],
    },
  })
  await build.close()
  const shared = output.flatMap((part) => (part.type === 'chunk' && !part.isEntry ? part.moduleIds : []))
  const misplaced = entries.filter((path) => path !== library && shared.includes(join(root, path)))
  if (misplaced.length > 0)
    throw new Error(`${misplaced.join(', ')} would run wherever the chunk that it shares is loaded`)
  const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
  const names = modules.flatMap((id) => packageNamed(relative(root, id)) ?? [])
  return [...new Set(names)].sort()
}

/**
 * What the same starts need lies in one chunk. By default whatever is imported on demand cuts the rest into small ones, and
 * each of them costs a start one to two milliseconds of processor time, whatever its size.
 */
function chunkByStarts(): (id: string, context: ChunkingContext) => string | null {
  const folder = 'src/cli/commands'
  // Help and mistakes load all commands, each of which loads the library on demand.
  const commands = readdirSync(join(root, folder)).map((name) => join(folder, name))
  // What needs the built-in database may not come along with anything else: its package is not in the bundle.
  const others = entries.filter((path) => !path.startsWith('src/server/database/'))
  const starts = [...others.map((path) => [path]), commands]
  let needed: ReadonlyMap<string, string> | null = null
  return (id, context) => {
    needed ??= startsOfModules(starts, (path) => context.getModuleInfo(path)?.importedIds ?? [])
    return needed.get(id) ?? null
  }
}

/** Each module that a start imports statically, with the numbers of the starts that do. */
function startsOfModules(
  starts: readonly (readonly string[])[],
  importedBy: (path: string) => readonly string[],
): Map<string, string> {
  const needed = new Map<string, string>()
  for (const [number, paths] of starts.entries()) {
    const reached = new Set(paths.map((path) => join(root, path)))
    // What is added on the way is visited too.
    for (const path of reached) for (const imported of importedBy(path)) reached.add(imported)
    for (const path of reached) needed.set(path, `${needed.get(path) ?? 'starts'}-${number}`)
  }
  // An entry runs when it is loaded, which may be only where it is started.
  for (const path of entries) needed.delete(join(root, path))
  return needed
}

/** `node_modules/a/node_modules/@b/c/x.js` belongs to `a/node_modules/@b/c`. */
function packageNamed(path: string): string | null {
  const at = path.lastIndexOf('node_modules/')
  if (at < 0) return null
  const [first = '', second = ''] = path.slice(at + 'node_modules/'.length).split('/')
  const own = first.startsWith('@') ? `${first}/${second}` : first
  return `${path.slice('node_modules/'.length, at + 'node_modules/'.length)}${own}`.replace(/^\/+/, '')
}

const grammarPackages = ['@vscode/tree-sitter-wasm', '@cursorless/tree-sitter-wasms']

function copyGrammars(folder: string): void {
  const wanted = new Set([...languages.values()].map(({ grammar }) => grammarFile(grammar)))
  for (const name of grammarPackages)
    copyPackage(name, folder, (file) => file === 'package.json' || wanted.has(`${name}/${file}`))
}

function copyPackage(name: string, folder: string, isWanted: (file: string) => boolean): void {
  const from = join(root, 'node_modules', name)
  for (const path of filesIn(from).filter((each) => isWanted(relative(from, each)))) {
    const to = join(folder, 'node_modules', name, relative(from, path))
    mkdirSync(dirname(to), { recursive: true })
    if (basename(path) === 'package.json') writeFileSync(to, shortManifest(path))
    else copyFileSync(path, to)
  }
}

/** What Node needs to find the files, and a run to record the version; what it depends on is here already. */
function shortManifest(path: string): string {
  const { name, version, license, type, main, module, exports } = JSON.parse(readFileSync(path, 'utf8'))
  return `${JSON.stringify({ name, version, license, type, main, module, exports }, null, 2)}\n`
}

function licenceText(name: string): string {
  const from = join(root, 'node_modules', name)
  const { license, version } = manifestOf(from)
  if (!licences.has(license))
    throw new Error(`${name} is under ${license}, which is not on the list of ${import.meta.filename}`)
  const file = readdirSync(from).find((each) => /^licen[cs]e/i.test(each))
  const text =
    file === undefined ? '(The package has no licence file.)' : readFileSync(join(from, file), 'utf8').trim()
  return `${'='.repeat(79)}\n${name} ${version}, ${license}\n\n${text}`
}

function manifestOf(folder: string): { version: string; license: string } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

if (process.argv[1] === import.meta.filename) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) {
    process.stderr.write('bundle: name the folder, which is replaced: node scripts/bundle.ts FOLDER\n')
    process.exit(2)
  }
  if (
    existsSync(folder) &&
    !existsSync(join(folder, 'THIRD-PARTY-LICENSES.txt')) &&
    readdirSync(folder).length > 0
  ) {
    process.stderr.write(`bundle: ${folder} holds something else; name a new or empty folder\n`)
    process.exit(2)
  }
  const { bytes } = await makeBundle(folder)
  process.stdout.write(`${folder}: ${(bytes / 1e6).toFixed(1)} MB\n`)
}
