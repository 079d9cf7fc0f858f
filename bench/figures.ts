/** What the benches share: times of questions, where in their order one stands, an even draw, and rows that are kept. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { RepoSnapshot } from '../src/domain/snapshot.ts'

/** Milliseconds of each question by the clock. */
export async function times<Item>(asked: readonly Item[], ask: (one: Item) => unknown): Promise<number[]> {
  const taken: number[] = []
  for (const one of asked) {
    const start = performance.now()
    await ask(one)
    taken.push(performance.now() - start)
  }
  return taken
}

/** The number that this share of them does not exceed: 0.5 is the one in the middle, 1 the largest. */
export function at(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

/** At most `most`, evenly spread, the same in every run. */
export function everyNth<Item>(items: readonly Item[], most: number): Item[] {
  const step = Math.max(1, Math.floor(items.length / most))
  return items.filter((_, one) => one % step === 0).slice(0, most)
}

export type Row = Record<string, string | number | null>

/** `/mirrors/OWNER+NAME/repo`: its name is that of the folder around it. */
export function nameOf(gitDirectory: string): string {
  return basename(dirname(resolve(gitDirectory)))
}

/**
 * The rows of all repositories, in a file that is written after each, if one is named. A repository that has rows there is not
 * measured again, so a run that was stopped goes on.
 */
export async function rowsOf(
  gitDirectories: readonly string[],
  file: string | undefined,
  measure: (gitDirectory: string) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  for (const gitDirectory of gitDirectories) {
    if (rows.some(({ repository }) => repository === nameOf(gitDirectory))) continue
    rows.push(...(await measure(gitDirectory)))
    if (file !== undefined) writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`)
  }
  return rows
}

/** Gives `use` a folder with the text files of a tree, for tools that read files; removed afterwards. */
export async function withFiles<Result>(
  snapshot: RepoSnapshot,
  use: (folder: string) => Result,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-files-'))
  try {
    const paths = (await snapshot.list()).map(({ path }) => path)
    for (const [path, { text }] of await snapshot.readMany(paths)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Where a program lies, or null. */
export function programOn(path: string): string | null {
  try {
    return execFileSync('sh', ['-c', 'command -v "$0"', path], { encoding: 'utf8' }).trim() || null
  } catch {
    return null
  }
}
