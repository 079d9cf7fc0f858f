/** Which files may hold a twin of a new function: those that use the same names. No index of the tree is needed. */
import { languageOf } from '../../../code-index/language-of.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { Subject } from './subjects.ts'
import { areVariants, isOwnGround } from './unalike-places.ts'

const mostWords = 24
const mostFiles = 24
/** Share of the words a file must hold: a twin of nine tenths has nearly all of them. */
const enoughWords = 0.75

export type Nominations = { subject: Subject; paths: readonly string[]; isCut: boolean }[]

/** Per subject the files that hold most of its words, best first, its own file and its neighbours among them. */
export async function nominateFiles(subjects: readonly Subject[], head: RepoSnapshot): Promise<Nominations> {
  const wordsOf = new Map(subjects.map((subject) => [subject, foreignWords(subject)]))
  const files = await head.filesWithWords([...new Set([...wordsOf.values()].flat())])
  const neighbours = Map.groupBy(
    (await head.list()).map(({ path }) => path),
    folderOf,
  )
  return subjects.map((subject) => {
    const { path } = subject.file
    const words = wordsOf.get(subject) ?? []
    const counts = new Map<string, number>([[path, 0]])
    // A function that uses few names of others says little about where its twin is: look next door only.
    if (words.length < 3) for (const next of neighbours.get(folderOf(path)) ?? []) counts.set(next, 0)
    for (const word of words)
      for (const holder of files.get(word) ?? []) counts.set(holder, (counts.get(holder) ?? 0) + 1)
    const fit = [...counts]
      .filter(
        ([other, count]) => isFit(other, subject) && (other === path || count >= enoughWords * words.length),
      )
      .sort(([a, x], [b, y]) => y - x || near(b, path) - near(a, path) || (a < b ? -1 : 1))
      .map(([other]) => other)
    return { subject, paths: fit.slice(0, mostFiles), isCut: fit.length > mostFiles }
  })
}

/** Names from outside that the function uses: calls, members, types and constants, the longest first. */
function foreignWords({ symbol, facts }: Subject): string[] {
  const names = facts.references
    .filter(
      (one) =>
        !one.shadowed &&
        symbol.startLine <= one.line &&
        one.line <= symbol.endLine &&
        one.name !== symbol.name,
    )
    .map(({ name }) => name)
    .filter((name) => name.length > 2)
  return [...new Set(names)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, mostWords)
}

function isFit(other: string, { file }: Subject): boolean {
  return family(other) === family(file.path) && isOwnGround(other) && !areVariants(other, file.path)
}

/** TypeScript, its JSX form and JavaScript are one family: their functions can be shared. */
function family(path: string): string | null {
  const language = languageOf(path)
  return language === 'tsx' || language === 'javascript' ? 'typescript' : language
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Length of the common beginning of two paths. */
function near(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}
