/** The short lists of a file's facts as bytes: imports, exports, typed names, supertypes, lines with errors. */
import type { FileFacts } from '../contract.ts'
import { type ByteReader, ByteWriter } from './bytes.ts'
import type { WordList } from './words.ts'

const writer = new ByteWriter()

export type ShortLists = Pick<FileFacts, 'imports' | 'exports' | 'typedNames' | 'supertypes' | 'errorLines'>

/** Valid until the next call. */
export function writeLists(facts: ShortLists, words: WordList): Buffer {
  each(facts.imports, ({ line, source, imported, local, reexport, typeOnly }) => {
    writer.number(line * 4 + (reexport ? 2 : 0) + (typeOnly ? 1 : 0))
    writer.number(words.of(source))
    writer.number(words.of(imported))
    writer.optional(words.orNull(local))
  })
  each(facts.exports, ({ exported, local, line }) => {
    writer.number(words.of(exported))
    writer.number(words.of(local))
    writer.number(line)
  })
  each(facts.typedNames, ({ name, type, line, enclosing }) => {
    writer.number(words.of(name))
    writer.number(words.of(type))
    writer.number(line)
    writer.optional(enclosing)
  })
  each(facts.supertypes, ({ symbol, name, line }) => {
    writer.number(symbol)
    writer.number(words.of(name))
    writer.number(line)
  })
  each(facts.errorLines, ({ startLine, endLine }) => {
    writer.number(startLine)
    writer.number(endLine - startLine)
  })
  return writer.take()
}

export function readLists(reader: ByteReader, words: readonly string[]): ShortLists {
  const word = (): string => words[reader.number()] ?? ''
  const list = <Item>(read: () => Item): Item[] => {
    const items: Item[] = []
    for (let left = reader.number(); left > 0; left--) items.push(read())
    return items
  }
  return {
    imports: list(() => {
      const mark = reader.number()
      const [source, imported, local] = [word(), word(), reader.optional()]
      return {
        line: Math.floor(mark / 4),
        source,
        imported,
        local: local === null ? null : (words[local] ?? ''),
        reexport: (mark & 2) !== 0,
        typeOnly: (mark & 1) !== 0,
      }
    }),
    exports: list(() => ({ exported: word(), local: word(), line: reader.number() })),
    typedNames: list(() => ({
      name: word(),
      type: word(),
      line: reader.number(),
      enclosing: reader.optional(),
    })),
    supertypes: list(() => ({ symbol: reader.number(), name: word(), line: reader.number() })),
    errorLines: list(() => {
      const startLine = reader.number()
      return { startLine, endLine: startLine + reader.number() }
    }),
  }
}

function each<Item>(items: readonly Item[], write: (item: Item) => void): void {
  writer.number(items.length)
  for (const item of items) write(item)
}
