/** Which files of the head may hold a use of a subject: those in which its name stands as a word. */
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { FileKinds } from './file-kinds.ts'
import type { ModuleSubject, SymbolSubject } from './subject.ts'
import { moduleWord } from './uses.ts'

/** Past this many files a member's name says too little; the name of its type must stand there too. */
const commonName = 200
const mostFiles = 2_500

export type Search = {
  /** In path order. */
  files: string[]
  limits: string[]
}

export async function candidateFiles(
  head: RepoSnapshot,
  symbols: Iterable<SymbolSubject>,
  modules: Iterable<ModuleSubject>,
  more: ReadonlySet<string>,
  kinds: FileKinds,
): Promise<Search> {
  const wanted = [...symbols].map((subject) => wordsOf(subject))
  const moduleWords = [...modules].map(({ path }) => longestWord(moduleWord(path)))
  const words = new Set([...wanted.flatMap((each) => [each.name, ...each.narrow]), ...moduleWords, ...more])
  words.delete('')
  const found =
    words.size > 0 ? await head.filesWithWords([...words].sort()) : new Map<string, readonly string[]>()
  const filesWith = (word: string): readonly string[] => found.get(word) ?? []

  const files = new Set<string>()
  for (const { name, narrow } of wanted) {
    const all = filesWith(name)
    const near = new Set(narrow.flatMap(filesWith))
    for (const path of all)
      if (all.length <= commonName || narrow.length === 0 || near.has(path)) files.add(path)
  }
  for (const word of [...moduleWords, ...more]) for (const path of filesWith(word)) files.add(path)
  const kept = [...files].filter((path) => !kinds.isForeign(path)).sort()
  const limits =
    kept.length > mostFiles
      ? [`callers looked for in ${mostFiles} of ${kept.length} files that mention them`]
      : []
  return { files: kept.slice(0, mostFiles), limits }
}

/** The word its users write, and words of which one must stand beside it when it is a common one. */
function wordsOf({ symbol, path }: SymbolSubject): { name: string; narrow: string[] } {
  const type = symbol.scope.split('.').at(-1) ?? ''
  if (isConstructor(symbol.name)) return { name: type, narrow: [] }
  return { name: symbol.name, narrow: type === '' ? [longestWord(moduleWord(path))] : [type] }
}

export function isConstructor(name: string): boolean {
  return name === 'constructor' || name === '__init__'
}

/** `read-file` has no word of its own; its longest part finds it. */
export function longestWord(text: string): string {
  return text.split(/[^\p{L}\p{N}_$]+/u).reduce((best, part) => (part.length > best.length ? part : best), '')
}
