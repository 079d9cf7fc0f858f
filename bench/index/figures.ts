/** Small figures that the benches of the index share: times of questions, and where in their order one stands. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Milliseconds by the clock, and of the processor: a busy machine stretches the first. Both ascending. */
export type Times = { wall: number[]; cpu: number[] }

export async function times<Item>(asked: readonly Item[], ask: (one: Item) => unknown): Promise<Times> {
  const wall: number[] = []
  const cpu: number[] = []
  for (const one of asked) {
    const before = process.threadCpuUsage()
    const start = performance.now()
    await ask(one)
    wall.push(performance.now() - start)
    const { user, system } = process.threadCpuUsage(before)
    cpu.push((user + system) / 1000)
  }
  return { wall: wall.sort((a, b) => a - b), cpu: cpu.sort((a, b) => a - b) }
}

/** `sorted` ascending; a share of 1 is the last. */
export function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

/** Gives `use` a folder with the files of a commit, for tools that read files; removed afterwards. */
export function withFiles<Result>(
  gitDirectory: string,
  commit: string,
  use: (folder: string) => Result,
): Result {
  const folder = mkdtempSync(join(tmpdir(), 'bench-files-'))
  try {
    const tar = execFileSync('git', ['--git-dir', gitDirectory, 'archive', commit], {
      maxBuffer: 2 ** 31 - 1,
    })
    execFileSync('tar', ['-x', '-C', folder], { input: tar })
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
