/**
 * Results of linters in the files that the repository's configuration names. They lie in the work tree, which may have moved
 * on: only those about a file that is reviewed as it lies there, and that was not written after them, are used.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readBelow } from '../base/below.ts'
import { count } from '../base/count.ts'
import { UserError } from '../base/errors.ts'
import { linkStatOrNull } from '../base/git/read-data.ts'
import { visibleLine } from '../base/visible-text.ts'
import { changedPathOf, type ToolResult } from '../domain/tool-result.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { readToolResults } from '../hosts/tool-results/read-results.ts'

export type ConfiguredResults = {
  results: readonly ToolResult[]
  /** Files of results that could not be used, and why. One that does not exist is none: not everybody runs every tool. */
  limits: readonly string[]
}

export const noResults: ConfiguredResults = { results: [], limits: [] }

const mostBytes = 64 * 1024 * 1024

/** `names`: relative to the root of the work tree. Never throws for what lies there. */
export async function readConfiguredResults(
  names: readonly string[],
  workTree: string,
  change: CollectedChange,
): Promise<ConfiguredResults> {
  const files = names.flatMap((name) => readFile(name, workTree))
  if (files.length === 0) return noResults
  const paths = (await change.diff()).files.map(({ path }) => path)
  const lying = new Map(await Promise.all(paths.map(async (path) => lyingThere(path, workTree, change))))
  const all = files.map(({ name, text, writtenAt, problem }): ConfiguredResults => {
    if (problem !== null) return { results: [], limits: [`linters.results: ${problem}`] }
    try {
      const near = readToolResults(text, visibleLine(name)).flatMap((result) => {
        const path = changedPathOf(result.path, paths)
        return path === null ? [] : [{ result, path }]
      })
      const isFresh = ({ path }: { path: string }) => (lying.get(path) ?? Infinity) <= writtenAt
      const stale = [...new Set(near.filter((one) => !isFresh(one)).map(({ path }) => path))]
      return {
        results: near.filter(isFresh).map(({ result }) => result),
        limits: stale.length > 0 ? [staleWords(name, stale)] : [],
      }
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      return { results: [], limits: [`linters.results: ${visibleLine(error.message)}`] }
    }
  })
  return { results: all.flatMap(({ results }) => results), limits: all.flatMap(({ limits }) => limits) }
}

type ResultFile = { name: string; text: string; writtenAt: number; problem: string | null }

function readFile(name: string, workTree: string): ResultFile[] {
  const stat = linkStatOrNull(join(workTree, name))
  if (!stat) return []
  const unusable = (problem: string) => [{ name, text: '', writtenAt: 0, problem }]
  const data = readBelow(workTree, name, mostBytes)
  if (data === null)
    return unusable(
      `${visibleLine(name)} is not a file of at most 64 MB in the repository, without links on the way`,
    )
  return [{ name, text: data.toString('utf8'), writtenAt: stat.mtimeMs, problem: null }]
}

/** When the file was written, if its content is that of the head; a linter that ran before saw something else. */
async function lyingThere(
  path: string,
  workTree: string,
  { head }: CollectedChange,
): Promise<readonly [string, number]> {
  const blob = (await head.entry(path))?.blob
  const stat = linkStatOrNull(join(workTree, path))
  const content = readBelow(workTree, path, mostBytes)
  if (blob === undefined || stat === null || content === null) return [path, Infinity]
  // Git may store lines with other ends than those in the work tree.
  const isSame = [content, Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')].some(
    (bytes) => blobOf(bytes, blob.length) === blob,
  )
  return [path, isSame ? stat.mtimeMs : Infinity]
}

function blobOf(bytes: Buffer, digits: number): string {
  const hash = createHash(digits === 64 ? 'sha256' : 'sha1')
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

function staleWords(name: string, paths: readonly string[]): string {
  const [first = ''] = paths
  const which =
    paths.length === 1 ? `\`${visibleLine(first)}\`` : count(paths.length, 'changed file', 'changed files')
  return `${visibleLine(name)} says nothing of ${which} as reviewed: the linter ran on another version; run it again`
}
