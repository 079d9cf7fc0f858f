/** Facts that are read in this very process: what parsing costs is seen, and thousands of small files are cheap. */
import { encodeRecord } from '../../../src/code-index/cache/record.ts'
import type { FactStore, FileFacts, ParseFailure } from '../../../src/code-index/contract.ts'
import { languageOf } from '../../../src/code-index/language-of.ts'
import { languages } from '../../../src/code-index/languages/registry.ts'
import { type LanguageReader, readerOf, refusal } from '../../../src/code-index/parsing/parse-file.ts'
import { encodeWordsOf } from '../../../src/code-index/segments/blob-words.ts'

const readers = new Map<string, Promise<LanguageReader>>()

/** `indexed`: also encodes what is kept of each file, its words and chunks, as a parser's process does. */
export function factsInProcess({ indexed = false } = {}): FactStore {
  const known = new Map<string, FileFacts | null>()
  const failures: ParseFailure[] = []
  const factsOf = async (path: string, text: string): Promise<FileFacts | null> => {
    const language = languageOf(path, text)
    const table = language === null ? undefined : languages.get(language)
    if (!table || language === null) return null
    const reason = refusal(text)
    if (reason) {
      failures.push({ path, reason })
      return null
    }
    const reader = readers.get(language) ?? readerOf(table)
    readers.set(language, reader)
    const facts = (await reader).read(text, table.variantOf?.(path) ?? '', () => true)
    if (indexed) encodeRecord('indexed', facts, encodeWordsOf({ text, state: 'indexed', facts }))
    return facts
  }
  return {
    async facts(files) {
      const found = new Map<string, FileFacts>()
      for (const { path, blob, text } of files) {
        const key = `${languageOf(path, text)} ${path.split('.').at(-1)} ${blob}`
        if (!known.has(key)) {
          if (known.size > mostKept) known.clear()
          known.set(key, await factsOf(path, text))
        }
        const facts = known.get(key)
        if (facts) found.set(path, facts)
      }
      return found
    },
    failures,
    close: async () => {},
  }
}

const mostKept = 4_000
