/** Parses one file and extracts its facts, within a budget that counts steps, not seconds, so that it is repeatable. */
import type { FileFacts } from '../contract.ts'
import { type CompiledTable, compileTable } from '../extraction/compile.ts'
import { extractFacts } from '../extraction/extract.ts'
import type { LanguageTable } from '../extraction/table.ts'
import { type LoadedGrammar, loadGrammar } from './grammar.ts'
import { TreeReader } from './tree-reader.ts'

export type LanguageReader = {
  /** Null when the parser needed more steps than the file's size allows. */
  read(source: string, variant: string, mayGoOn: () => boolean): FileFacts | null
}

/** Slices this long are cheapest to hand to the parser: a whole string would be copied at every jump of the lexer. */
const sliceLength = 256

/** `isCareful`: without the short cuts that no interface guarantees. */
export async function readerOf(table: LanguageTable, { isCareful = false } = {}): Promise<LanguageReader> {
  const loaded = await loadGrammar(table.grammar, isCareful)
  const compiled = compileTable(table, loaded.grammar)
  const trees = new TreeReader(loaded.memory, loaded.words, compiled.roles)
  return {
    read: (source, variant, mayGoOn) => read({ source, variant, table, compiled, loaded, trees, mayGoOn }),
  }
}

function read(options: {
  source: string
  variant: string
  table: LanguageTable
  compiled: CompiledTable
  loaded: LoadedGrammar
  trees: TreeReader
  mayGoOn: () => boolean
}): FileFacts | null {
  const { source, variant, table, compiled, loaded, trees, mayGoOn } = options
  const { parser } = loaded
  const tree = parser.parse(
    (at) => (at < source.length ? source.slice(at, at + sliceLength) : undefined),
    null,
    // Returning true ends the parse; the declared type of the callback does not say so.
    { progressCallback: () => !mayGoOn() },
  )
  if (!tree) {
    parser.reset()
    return null
  }
  try {
    return extractFacts({ tree: trees.read(tree), source, variant }, table, compiled)
  } finally {
    tree.delete()
  }
}
