/** Picks commits that changed a definition and its callers, and cuts them down to the definition's side. */
import type { FactStore } from '../../src/code-index/contract.ts'
import { languageOf } from '../../src/code-index/language-of.ts'
import type { SymbolChange } from '../../src/domain/code-symbol.ts'
import { commitCut, git, type RawEntry, rawChanges } from './git.ts'
import { symbolChanges } from './review.ts'

export type Case = {
  commit: string
  /** Paths that the cut keeps. */
  kept: string[]
  /** Changed files of the language that the cut leaves behind. */
  notUpdated: RawEntry[]
  /** What changed in the kept definition file. */
  symbols: SymbolChange[]
  base: string
  head: string
}

const family: Record<string, string> = { tsx: 'typescript' }

export function familyOf(path: string): string | null {
  const language = languageOf(path)
  return language === null ? null : (family[language] ?? language)
}

/** Newest first. Only commits that touch 2 to 60 files of the language are looked at. */
export async function* casesOf(
  gitDir: string,
  scratch: string,
  language: string,
  facts: FactStore,
  range: { skip: number; commits: number; only: string | null },
): AsyncGenerator<Case> {
  const asked = [`--skip=${range.skip}`, `-n${range.commits}`, 'HEAD']
  const which = range.only === null ? asked : ['-n1', range.only]
  const commits = git(gitDir, ['log', '--no-merges', '--format=%H', ...which])
  for (const commit of commits.split('\n').filter(Boolean)) {
    const entries = rawChanges(gitDir, commit).filter(
      (entry) => /^100/.test(entry.newMode) || /^100/.test(entry.oldMode),
    )
    const code = entries.filter(({ path }) => familyOf(path) === language)
    if (code.length < 2 || code.length > 60) continue
    const changes = (await symbolChanges(gitDir, commit, facts)).filter(breaksSomething)
    if (changes.length === 0) continue
    const removedLines = removedLinesByFile(gitDir, commit)
    const best = definitionFile(changes, code, removedLines)
    if (!best) continue
    const added = code.filter(({ status, path }) => status === 'A' && path !== best)
    const definition = code.filter(({ path }) => path === best)
    const keptEntries = [...definition, ...added]
    const kept = new Set(keptEntries.map(({ path }) => path))
    const notUpdated = code.filter(({ path, status }) => !kept.has(path) && status === 'M')
    if (notUpdated.length === 0) continue
    const { base, head } = commitCut(scratch, commit, keptEntries)
    const symbols = changes.filter(({ before }) => before?.path === best)
    yield { commit, kept: [...kept].sort(), notUpdated, symbols, base, head }
  }
}

/** Removed, renamed, moved, or with other parameters or less visibility. */
export function breaksSomething({ kind, before, delta }: SymbolChange): boolean {
  if (!before || before.symbol.isTest) return false
  if (kind === 'removed' || kind === 'renamed' || kind === 'moved') return true
  if (kind !== 'signature-changed' || !delta) return false
  return (
    delta.parametersAdded.length + delta.parametersRemoved.length > 0 ||
    delta.reordered ||
    delta.visibility !== null ||
    delta.parametersChanged.some(({ before: old, after }) => old.optional !== after.optional)
  )
}

/** The file whose changed symbols stand on most removed lines of other files. */
function definitionFile(
  changes: readonly SymbolChange[],
  code: readonly RawEntry[],
  removedLines: ReadonlyMap<string, readonly string[]>,
): string | null {
  const counts = new Map<string, number>()
  const paths = new Set(code.map(({ path }) => path))
  for (const { before } of changes) {
    if (!before || !paths.has(before.path) || before.symbol.name.length < 3) continue
    const word = wordPattern(before.symbol.name)
    let hits = 0
    for (const [path, lines] of removedLines)
      if (path !== before.path && familyOf(path) === familyOf(before.path))
        hits += lines.filter((line) => word.test(line)).length
    counts.set(before.path, (counts.get(before.path) ?? 0) + hits)
  }
  const [best] = [...counts]
    .filter(([, hits]) => hits > 0)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return best?.[0] ?? null
}

export function wordPattern(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${name.replace(/[^\w]/g, '\\$&')}(?![\\w$])`)
}

function removedLinesByFile(gitDir: string, commit: string): Map<string, string[]> {
  const patch = git(gitDir, [
    'diff-tree',
    '-p',
    '-U0',
    '--no-renames',
    '--no-commit-id',
    '-r',
    '--src-prefix=a/',
    commit,
  ])
  const found = new Map<string, string[]>()
  let lines: string[] = []
  for (const line of patch.split('\n')) {
    if (line.startsWith('--- a/')) {
      lines = []
      found.set(line.slice(6).replace(/\t$/, ''), lines)
    } else if (line.startsWith('-') && !line.startsWith('--- ')) lines.push(line.slice(1))
  }
  return found
}
