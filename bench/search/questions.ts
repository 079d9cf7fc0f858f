/**
 * Questions with a known answer, out of real repositories: the first line of a function's documentation asks for the
 * function, in a tree from which that documentation was taken. Lines keep their numbers: what is taken leaves blanks.
 */
import { sha256 } from '../../src/base/canonical-json.ts'
import type { FileFacts } from '../../src/code-index/contract.ts'
import { languageOf } from '../../src/code-index/language-of.ts'
import type { CodeSymbol } from '../../src/domain/code-symbol.ts'
import type { FileText, RepoSnapshot } from '../../src/domain/snapshot.ts'

export type SearchQuestion = { query: string; path: string; line: number }

/** At most so many, spread evenly over the tree, and the tree to ask them of. */
export async function makeQuestions(
  snapshot: RepoSnapshot,
  facts: ReadonlyMap<string, FileFacts>,
  most: number,
): Promise<{ questions: SearchQuestion[]; tree: RepoSnapshot }> {
  const all = [...facts].flatMap(([path, one]) =>
    isTestPath(path) ? [] : one.symbols.flatMap((symbol) => questionOf(path, symbol)),
  )
  const step = Math.max(1, Math.floor(all.length / most))
  const chosen = all.filter((_, at) => at % step === 0).slice(0, most)
  const texts = await snapshot.readMany(chosen.map(({ path }) => path))
  const changed = new Map<string, FileText>()
  const questions: SearchQuestion[] = []
  for (const { path, symbol, query } of chosen) {
    const file = changed.get(path) ?? texts.get(path)
    const text = file && withoutDoc(file.text, symbol)
    if (!file || text === null || text === undefined) continue
    changed.set(path, { ...file, text, blob: sha256(text).slice(0, 40) })
    questions.push({ query, path, line: symbol.nameLine })
  }
  return { questions, tree: withChanges(snapshot, changed) }
}

function questionOf(path: string, symbol: CodeSymbol): { path: string; symbol: CodeSymbol; query: string }[] {
  const { kind, doc, name, isTest, startLine, endLine } = symbol
  if ((kind !== 'function' && kind !== 'method') || doc === null || isTest || endLine - startLine < 3)
    return []
  // Go says the name first; a question does not know it.
  const query = doc.replaceAll(name, ' ').replace(/\s+/g, ' ').trim()
  const words = query.match(/\p{L}{2,}/gu) ?? []
  const isProse =
    words.length >= 4 && query.length <= 200 && !/^@|https?:|copyright|deprecated|nolint|TODO/i.test(query)
  return isProse ? [{ path, symbol, query }] : []
}

function isTestPath(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|testdata|vendor|node_modules)\/|[._-](?:test|spec)s?\.|_test\.|Tests?\.\w+$/i.test(
    path,
  )
}

/** Null when the documentation cannot be found: above the definition, or as the first string in it. */
function withoutDoc(text: string, { startLine, nameLine, endLine, doc }: CodeSymbol): string | null {
  const lines = text.split('\n')
  let first = startLine
  while (first > 1 && /^\s*(?:\/\/|\/?\*|#|--)/.test(lines[first - 2] ?? '')) first--
  let blanked = 0
  for (let line = first; line <= nameLine; line++)
    if (/^\s*(?:\/\/|\/?\*|#[^[!])/.test(lines[line - 1] ?? '')) {
      lines[line - 1] = ''
      blanked++
    }
  for (let line = nameLine; line <= Math.min(endLine, nameLine + 15); line++) {
    const opened = /^\s*[rRbBuU]*("""|''')/.exec(lines[line - 1] ?? '')
    const quote = opened?.[1]
    if (quote === undefined) continue
    let last = line
    const isOneLine = (lines[line - 1] ?? '').split(quote).length > 2
    while (!isOneLine && last < endLine && !(lines[last] ?? '').includes(quote)) last++
    if (!isOneLine) last++
    for (let at = line; at <= last; at++)
      lines[at - 1] = at === line ? `${/^\s*/.exec(lines[at - 1] ?? '')?.[0]}...` : ''
    blanked++
    break
  }
  const left = lines.slice(first - 1, endLine).join('\n')
  return blanked === 0 || (doc !== null && left.includes(doc)) ? null : lines.join('\n')
}

function withChanges(snapshot: RepoSnapshot, changed: ReadonlyMap<string, FileText>): RepoSnapshot {
  return {
    ...snapshot,
    tree: sha256([snapshot.tree, ...[...changed.values()].map(({ blob }) => blob)].join()).slice(0, 40),
    list: async () =>
      (await snapshot.list()).map((entry) => ({
        ...entry,
        blob: changed.get(entry.path)?.blob ?? entry.blob,
      })),
    entry: (path) => snapshot.entry(path),
    read: async (path) => changed.get(path) ?? snapshot.read(path),
    readMany: async (paths) => {
      const read = await snapshot.readMany(paths.filter((path) => !changed.has(path)))
      return new Map(
        paths.flatMap((path) => {
          const file = changed.get(path) ?? read.get(path)
          return file ? [[path, file] as const] : []
        }),
      )
    },
    filesWithWords: (words) => snapshot.filesWithWords(words),
  }
}

export function knownFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => languageOf(path) !== null)
}
