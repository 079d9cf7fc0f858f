/**
 * Runs the linters that the operator's settings name on the head of a change: in the sandbox, without network, on a copy
 * that they cannot write to. What they load from the tree (configuration, plugins) is the author's code. A linter that
 * cannot run costs its results, and a line says so.
 */
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { matchGlobs } from '../base/globs.ts'
import { usePrivateFolder } from '../base/private-folders.ts'
import type { Sandbox, SandboxedEnd } from '../base/sandbox/contract.ts'
import { findSandbox } from '../base/sandbox/probe.ts'
import { visibleLine } from '../base/visible-text.ts'
import { languageOf } from '../code-index/language-of.ts'
import type { LinterCommand } from '../config/settings/linters.ts'
import type { Settings } from '../config/settings/schema.ts'
import type { ToolResult } from '../domain/tool-result.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { readToolResults } from '../hosts/tool-results/read-results.ts'
import { isOwnFolder } from '../test-runs/find-project.ts'
import { layOutTree } from '../test-runs/lay-out.ts'
import { type ConfiguredResults, noResults } from './configured-results.ts'

export type LinterParts = {
  settings: Pick<Settings, 'linters' | 'sandbox'>
  /** The person's own checkout, which lends installed packages; null where there is none. */
  workTree: string | null
  /** The first that works on this machine, when not given. */
  findSandbox?: typeof findSandbox
  signal: AbortSignal
}

/** Where they are inside. */
const root = '/src'
const report = '/report/results'

const most = { output: 16 * 1024 * 1024, report: 16 * 1024 * 1024, files: 500, said: 200 }

/** Rejects only after an abort. */
export async function runLinters(
  change: CollectedChange,
  { settings, workTree, findSandbox: find = findSandbox, signal }: LinterParts,
): Promise<ConfiguredResults> {
  const enabled = Object.entries(settings.linters).filter(([, { enabled }]) => enabled)
  if (enabled.length === 0) return noResults
  const paths = (await change.diff()).files.flatMap(({ path, status }) => (status === 'D' ? [] : [path]))
  const wanted = enabled.flatMap(([name, linter]) => {
    const files = filesFor(linter, paths)
    return files.length > 0 ? [{ name, linter, files }] : []
  })
  if (wanted.length === 0) return noResults
  const refuse = (why: string): ConfiguredResults => ({
    results: [],
    limits: wanted.map(({ name }) => `the linter ${name} did not run: ${why}`),
  })
  const sandbox = await find(settings.sandbox.image, signal)
  if (!sandbox) return refuse('no sandbox works on this machine; install bubblewrap, or set `sandbox.image`')
  try {
    return await usePrivateFolder('linters', async (folder) => {
      // The sandbox runs as another user, who has to be able to enter it.
      await chmod(folder, 0o711)
      const tree = join(folder, 'tree')
      await mkdir(tree)
      await chmod(tree, 0o755)
      await layOutTree(change.head, tree)
      // Links and binary files are not laid out.
      const isThere = (path: string) => existsSync(join(tree, path))
      const found: ConfiguredResults[] = []
      for (const one of wanted) {
        const results = join(folder, `${one.name}.results`)
        // A file and not a folder: there is a limit for each file.
        await writeFile(results, '')
        await chmod(results, 0o666)
        const place = { tree, results, workTree, sandbox, limits: settings.sandbox }
        const files = one.files.filter(isThere)
        if (files.length > 0) found.push(await runLinter({ ...one, files }, place, signal))
      }
      return {
        results: found.flatMap(({ results }) => results),
        limits: found.flatMap(({ limits }) => limits),
      }
    })
  } catch (error) {
    signal.throwIfAborted()
    return refuse(visibleLine(error instanceof Error ? error.message : String(error)))
  }
}

function filesFor({ languages, paths: globs }: LinterCommand, paths: readonly string[]): string[] {
  const isWanted = matchGlobs(globs)
  return paths.filter(
    (path) =>
      (globs.length === 0 || isWanted(path)) &&
      (languages.length === 0 || languages.includes(languageOf(path) ?? '')),
  )
}

type Asked = { name: string; linter: LinterCommand; files: readonly string[] }
type Place = {
  tree: string
  results: string
  workTree: string | null
  sandbox: Sandbox
  limits: Settings['sandbox']
}

async function runLinter(
  { name, linter, files }: Asked,
  { tree, results: written, workTree, sandbox, limits }: Place,
  signal: AbortSignal,
): Promise<ConfiguredResults> {
  const failed = (why: string): ConfiguredResults => ({
    results: [],
    limits: [`the linter ${name} gave no results: ${why}`],
  })
  try {
    const lent = linter.packages.filter((path) => workTree !== null && isOwnFolder(workTree, path))
    for (const path of lent) await mkdir(join(tree, path), { recursive: true })
    const end = await sandbox.run(
      {
        command: commandOf(linter, files.slice(0, most.files)),
        folder: tree,
        isReadOnly: true,
        readOnlyPaths: [...limits.readOnlyPaths, dirname(process.execPath)],
        mounts: [
          { from: written, to: report, isWritable: true },
          ...lent.map((path) => ({
            from: join(workTree ?? '', path),
            to: posix.join(root, path),
            isWritable: false,
          })),
        ],
        seconds: linter.seconds,
        memoryMb: limits.memoryMb,
        outputBytes: most.output,
      },
      signal,
    )
    if (end.ended !== 'by itself') return failed(`it ended ${end.ended}`)
    const text = await readReport(written)
    if (text === null) return failed('its results are not a file of at most 16 MB')
    if (text.trim() === '') return end.exitCode === 0 ? noResults : failed(wordsOf(end))
    const results = readToolResults(text, `what ${name} wrote`, linter.format).map(fromRoot)
    const left = files.length - most.files
    const isCut = left > 0 && linter.command.some((word) => word === '{files}')
    return { results, limits: isCut ? [`the linter ${name} was not given ${left} of the changed files`] : [] }
  } catch (error) {
    signal.throwIfAborted()
    return failed(visibleLine(error instanceof Error ? error.message : String(error)))
  }
}

/** Words of others are arguments of the shell, never its text. Node is found, wherever it is installed. */
function commandOf({ command }: LinterCommand, files: readonly string[]): string[] {
  const writes = command.some((word) => word.includes('{report}'))
  const script = `PATH=$PATH:$1; report=$2; shift 2; exec "$@"${writes ? '' : ' > "$report"'}`
  // A file whose name begins with a hyphen is no option.
  const paths = files.map((path) => (path.startsWith('-') ? `./${path}` : path))
  const words = command.flatMap((word) =>
    word === '{files}' ? paths : [word.replaceAll('{report}', report)],
  )
  return ['sh', '-c', script, 'sh', dirname(process.execPath), report, ...words]
}

/** Empty where the linter wrote none; null for more than is reasonable. */
async function readReport(path: string): Promise<string | null> {
  return (await lstat(path)).size <= most.report ? await readFile(path, 'utf8') : null
}

/** The last line of what it said, which is foreign. */
function wordsOf({ exitCode, output }: SandboxedEnd): string {
  const last = output.trim().split('\n').at(-1) ?? ''
  const said = last === '' ? '' : `: ${visibleLine(last).slice(0, most.said)}`
  return `it ended with exit code ${exitCode}${said}`
}

/** It names files where it sees them. */
function fromRoot(result: ToolResult): ToolResult {
  return result.path.startsWith(`${root}/`) ? { ...result, path: result.path.slice(root.length + 1) } : result
}
