/** Which files of the head may use a subject (those with its name as a word), and which places in a file may do so. */
import type { FileFacts, ImportFact, Reference } from '../../../code-index/contract.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { isConstructor, type ModuleSubject, type SymbolSubject } from './breakage.ts'
import type { FileKinds } from './repo-search.ts'

/** In more files than this, a member's name alone says too little; the name of its type must occur as well. */
const commonName = 200
const mostFiles = 2_500

export type CandidateFiles = {
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
): Promise<CandidateFiles> {
  const asked = [...symbols].map((subject) => wordsOf(subject))
  const moduleWords = [...modules].map(({ path }) => longestWord(moduleWord(path)))
  const words = new Set([...asked.flatMap((each) => [each.name, ...each.narrow]), ...moduleWords, ...more])
  words.delete('')
  const found =
    words.size > 0 ? await head.filesWithWords([...words].sort()) : new Map<string, readonly string[]>()
  const filesWith = (word: string): readonly string[] => found.get(word) ?? []

  const files = new Set<string>()
  for (const { name, narrow } of asked) {
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

/** The word that its users write, and words of which one must occur too when the first is common. */
function wordsOf({ symbol, path }: SymbolSubject): { name: string; narrow: string[] } {
  const type = symbol.scope.split('.').at(-1) ?? ''
  if (isConstructor(symbol.name)) return { name: type, narrow: [] }
  return { name: symbol.name, narrow: type === '' ? [longestWord(moduleWord(path))] : [type] }
}

/** `read-file` is not a word of code; its longest part finds it. */
export function longestWord(text: string): string {
  return text.split(/[^\p{L}\p{N}_$]+/u).reduce((best, part) => (part.length > best.length ? part : best), '')
}

export type Use =
  | { kind: 'reference'; reference: Reference; line: number }
  | { kind: 'import'; fact: ImportFact; line: number }

/**
 * References by name, and imports. `names`: those of subjects. `modules`: last words of the paths of subjects that imports
 * may name without naming the subject (a default export, a module as a whole).
 */
export function usesIn(facts: FileFacts, names: ReadonlySet<string>, modules: ReadonlySet<string>): Use[] {
  const imports = facts.imports.filter(
    ({ imported, source }) => names.has(imported) || modules.has(lastWord(source)) || modules.has(imported),
  )
  const locals = new Set<string>()
  for (const { imported, local } of imports)
    if (local !== null && (names.has(imported) || imported === 'default')) locals.add(local)
  const references = facts.references.filter(
    ({ name, role }) => role !== 'import' && (names.has(name) || locals.has(name)),
  )
  return [
    ...imports.map((fact): Use => ({ kind: 'import', fact, line: fact.line })),
    ...references.map((reference): Use => ({ kind: 'reference', reference, line: reference.line })),
  ]
}

/** The name under which a module is imported: the file's stem, or that of its folder for an index. */
export function moduleWord(path: string): string {
  const parts = path.replace(/(\.d)?\.\w+$/, '').split('/')
  const stem = parts.pop() ?? ''
  return /^(?:index|__init__|mod|lib|main)$/.test(stem) ? (parts.pop() ?? stem) : stem
}

function lastWord(source: string): string {
  const path = source.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '')
  const parts = path.includes('/') ? path.split('/') : path.split(/\.|::/)
  return parts.findLast((part) => part !== '') ?? ''
}
