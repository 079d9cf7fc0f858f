/** Which repositories are measured, and which symbols: drawn by a seed, spread over the languages. */
import { execFileSync } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { languageOf } from '../../src/code-index/language-of.ts'
import { Random } from '../../test/helpers/random.ts'

/** Languages that one server answers for, or one parser of ctags reads, are counted together. */
const families: Readonly<Record<string, string>> = {
  typescript: 'TypeScript',
  tsx: 'TypeScript',
  javascript: 'JavaScript',
  python: 'Python',
  go: 'Go',
  rust: 'Rust',
  java: 'Java',
  csharp: 'C#',
  php: 'PHP',
  ruby: 'Ruby',
  c: 'C and C++',
  cpp: 'C and C++',
  kotlin: 'Kotlin',
  swift: 'Swift',
  scala: 'Scala',
  bash: 'Bash',
}

export function familyOf(language: string | null): string | null {
  return (language !== null && families[language]) || null
}

/** Larger trees take minutes each with a language server. Files of code. */
const mostFiles = 1_200
/** With fewer files of a language there is little to draw from. */
export const fewestFiles = 10

export type Candidate = { folder: string; name: string; commit: string; languages: Map<string, number> }

/** `owner/name` of a bare repository in a folder that is named for it. */
function nameOf(folder: string): string {
  const own = basename(folder)
  return (own === 'repo' ? basename(dirname(folder)) : own).replace('+', '/').replace(/\.git$/, '')
}

function look(folder: string): Candidate | null {
  try {
    const run = (...args: string[]) =>
      execFileSync('git', ['--git-dir', folder, ...args], {
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    const commit = run('rev-parse', 'HEAD').trim()
    const languages = new Map<string, number>()
    for (const path of run('ls-tree', '-r', '-z', '--name-only', 'HEAD').split('\0')) {
      const family = familyOf(languageOf(path))
      if (family) languages.set(family, (languages.get(family) ?? 0) + 1)
    }
    return { folder, name: nameOf(folder), commit, languages }
  } catch {
    return null
  }
}

/** In turn one of each language, so that rare ones are among them; a repository counts for its most frequent one. */
export function drawRepositories(
  folders: readonly string[],
  most: number,
  seed: number,
  skipped: ReadonlySet<string>,
): Candidate[] {
  const random = new Random(seed)
  const byLanguage = new Map<string, Candidate[]>()
  for (const one of shuffled(folders.toSorted(), random).flatMap((folder) => look(folder) ?? [])) {
    const counts = [...one.languages].sort((a, b) => b[1] - a[1])
    const [main] = counts
    const files = counts.reduce((sum, [, many]) => sum + many, 0)
    if (skipped.has(one.name) || !main || main[1] < fewestFiles || files > mostFiles) continue
    const list = byLanguage.get(main[0])
    if (list) list.push(one)
    else byLanguage.set(main[0], [one])
  }
  const chosen: Candidate[] = []
  const lists = shuffled([...byLanguage.values()], random)
  for (let round = 0; chosen.length < most && lists.some((list) => list.length > round); round++)
    for (const list of lists) {
      const next = list[round]
      if (next && chosen.length < most) chosen.push(next)
    }
  return chosen
}

export function shuffled<Item>(all: readonly Item[], random: Random): Item[] {
  const items = [...all]
  for (let at = items.length - 1; at > 0; at--) {
    const other = random.between(0, at)
    const [one, two] = [items[at], items[other]]
    if (one !== undefined && two !== undefined) [items[at], items[other]] = [two, one]
  }
  return items
}
