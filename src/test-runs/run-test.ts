/**
 * One test file, run on one tree in the sandbox. Results come from the report that the framework writes to a folder beside
 * the tree, and only where they agree with the exit code: what a test prints counts for nothing.
 */
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { isSafePath } from '../base/git/tree-walk.ts'
import { usePrivateFolder } from '../base/private-folders.ts'
import type { Sandbox, SandboxedEnd } from '../base/sandbox/contract.ts'
import type { TestRun } from '../domain/reproduction.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import {
  buildCache,
  type Project,
  type TestCase,
  type TestCommand,
  type TestFramework,
  type TestPlaces,
} from './contract.ts'
import { layOutTree } from './lay-out.ts'

export type TestRunInput = {
  tree: RepoSnapshot
  /** From the root of the tree. `isThere`: the tree has it; otherwise nothing may be there. */
  test: { path: string; text: string; isThere?: boolean }
  /** Texts of files of the tree that take the place of theirs. */
  changed?: ReadonlyMap<string, string>
  framework: TestFramework
  project: Project
  sandbox: Sandbox
  /** The person's own folder of this repository, whose installed packages are lent; null where there is none. */
  checkout: string | null
  /** Where compilers keep what they built, from one run to the next; of this run alone when not given. */
  cache?: string
  limits: { seconds: number; memoryMb: number; readOnlyPaths: readonly string[] }
}

/** Where they are inside. */
const root = '/src'
const reportAt = '/report/report'
/** Servers that a framework starts for itself are reached by this name; the file of this machine may name others. */
const ownHosts = '127.0.0.1 localhost\n::1 localhost\n'

const most = { output: 1024 * 1024, report: 4 * 1024 * 1024, cases: 200, kept: 4_000 }

/** Rejects only after an abort, or when the sandbox itself cannot be started. */
export async function runTest(
  { tree, test, changed, framework, project, sandbox, checkout, cache, limits }: TestRunInput,
  signal: AbortSignal,
): Promise<TestRun> {
  const places = {
    root,
    test: posix.join(root, test.path),
    report: reportAt,
    text: test.text,
  }
  const command = framework.command(places, project)
  if (!command) return broken(`${framework.name} is not installed`)
  return await usePrivateFolder('prove', async (folder) => {
    const [copy, report, own] = [join(folder, 'tree'), join(folder, 'report'), join(folder, 'cache')]
    // Entered by the sandbox's user, who is nobody.
    await chmod(folder, 0o711)
    for (const one of [copy, own]) await makeOpen(one)
    // A file and not a folder: there is a limit for each file.
    await writeFile(report, '')
    await chmod(report, 0o666)
    const builds = Object.values(command.environment ?? {}).some((value) => value.startsWith(buildCache))
    const hosts = join(folder, 'hosts')
    await writeFile(hosts, ownHosts)
    await layOutTree(tree, copy)
    for (const [path, text] of changed ?? []) await replaceFile(copy, path, text)
    if (!test.isThere) await addFile(join(copy, test.path), test.text)
    const lent = project.installed.folders.map((path) => ({ from: join(checkout ?? '', path), path }))
    for (const { path } of lent) await mkdir(join(copy, path), { recursive: true })
    const end = await sandbox.run(
      {
        command: inShell(command, places, project),
        folder: copy,
        readOnlyPaths: [...limits.readOnlyPaths, dirname(process.execPath)],
        mounts: [
          { from: report, to: reportAt, isWritable: true },
          ...(builds ? [{ from: cache ?? own, to: buildCache, isWritable: true }] : []),
          { from: hosts, to: '/etc/hosts', isWritable: false },
          ...lent.map(({ from, path }) => ({ from, to: posix.join(root, path), isWritable: false })),
          ...[...(command.lent ?? []), ...chosenPrograms()].map((folder) => ({
            ...folder,
            isWritable: false,
          })),
        ],
        seconds: limits.seconds,
        memoryMb: limits.memoryMb,
        outputBytes: most.output,
      },
      signal,
    )
    return resultOf(end, await readReport(report), framework)
  })
}

/** In the folder of the project. Words of others are arguments of the shell, never its text. */
function inShell(
  { words, environment = {}, reportIn }: TestCommand,
  { root: tree, report }: TestPlaces,
  { folder }: Project,
): string[] {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const start = `cd -- "$1" && report=$2 file=$3 && shift 3 &&`
  const run = 'env "$@"'
  const script =
    reportIn === undefined
      ? `${start} exec ${run}`
      : reportIn === 'output'
        ? `${start} exec ${run} > "$report"`
        : `${start} { ${run}; code=$?; cp -- "$file" "$report"; exit $code; }`
  const file = typeof reportIn === 'object' ? reportIn.file : ''
  return ['sh', '-c', script, 'sh', posix.join(tree, folder), report, file, ...variables, ...words]
}

/** Debian's links from `cc`, `java` and others to the programs that they stand for. */
function chosenPrograms(): { from: string; to: string }[] {
  const links = '/etc/alternatives'
  return existsSync(links) ? [{ from: links, to: links }] : []
}

/** The copy has no links, so a safe path stays in it. */
async function replaceFile(copy: string, path: string, text: string): Promise<void> {
  if (!isSafePath(path)) throw new Error(`${path} cannot be changed`)
  await writeFile(join(copy, path), text)
}

async function addFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o777 })
  await writeFile(path, text, { flag: 'wx' })
}

async function makeOpen(folder: string): Promise<void> {
  await mkdir(folder)
  await chmod(folder, 0o777)
}

/** Null where nothing was written, or more than is reasonable. */
async function readReport(path: string): Promise<string | null> {
  try {
    const found = await lstat(path)
    return found.size > 0 && found.size <= most.report ? await readFile(path, 'utf8') : null
  } catch {
    return null
  }
}

function resultOf(
  { exitCode, output, ended }: SandboxedEnd,
  report: string | null,
  framework: TestFramework,
): TestRun {
  const shown = output.slice(-most.kept)
  if (ended !== 'by itself') return broken(`the run ended ${ended}`, shown)
  if (report === null) return broken(`${framework.name} wrote no report`, shown)
  let cases: TestCase[]
  try {
    cases = framework.read(report).slice(0, most.cases)
  } catch {
    return broken(`the report of ${framework.name} cannot be read`, shown)
  }
  const failures = cases
    .filter(({ status }) => status === 'failed')
    .map(({ name, message, details }) => ({
      name: cut(name),
      message: cut(message),
      details: cut(details),
    }))
  const passed = cases.filter(({ status }) => status === 'passed').map(({ name }) => cut(name))
  const kept = { failures, passed, output: shown }
  if (failures.length + passed.length === 0) return broken('no test ran', shown)
  if ((exitCode === 0) !== (failures.length === 0))
    return broken(`the report and the exit code (${exitCode}) disagree`, shown)
  return { status: failures.length === 0 ? 'passed' : 'failed', why: '', ...kept }
}

function cut(text: string): string {
  return text.slice(0, most.kept)
}

function broken(why: string, output = ''): TestRun {
  return { status: 'broken', why, failures: [], passed: [], output }
}
