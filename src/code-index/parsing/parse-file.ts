/** Parses one file and extracts its facts, within a budget that counts steps, not seconds, so that it is repeatable. */
import type { Parser, Tree } from 'web-tree-sitter'
import type { FileFacts, ParseFailure } from '../contract.ts'
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
  const tree = parseInTurns(parser, source, mayGoOn)
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

/** Code as people write it takes at most 15 for 1,000 characters, so that few texts of theirs are stopped in. */
const stepsInOneGo = 1_000

/**
 * A parse of a long text is stopped and taken up where it was: the parser's loop is one call, and the engine exchanges
 * its first, slow translation only for calls that begin later. Null when `mayGoOn` ended it; then the parser is to be reset.
 */
export function parseInTurns(parser: Parser, source: string, mayGoOn: () => boolean): Tree | null {
  for (;;) {
    let steps = 0
    let isOver = false
    const tree = parser.parse(
      (at) => (at < source.length ? source.slice(at, at + sliceLength) : undefined),
      null,
      {
        // Returning true stops the parse; the declared type of the callback does not say so.
        progressCallback: () => {
          isOver = !mayGoOn()
          steps++
          return isOver || steps >= stepsInOneGo
        },
      },
    )
    if (tree || isOver) return tree
  }
}

// What is not worth giving to a parser, by the text alone.

const largest = 1024 * 1024
/** A file is minified when its lines are this long on average, or one of them is this long. */
const longAverage = 500
const longestLine = 50_000
const deepest = 3_000

/** Null when the text may be parsed. */
export function refusal(text: string): ParseFailure['reason'] | null {
  if (text.length > largest) return 'too-large'
  if (isMinified(text)) return 'minified'
  return isTooDeep(text) ? 'too-deep' : null
}

function isMinified(text: string): boolean {
  let lines = 0
  let from = 0
  while (from < text.length) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    if (to - from > longestLine) return true
    lines++
    from = to + 1
  }
  // A short file with one long line is data a parser takes in its stride.
  return text.length > 20_000 && text.length / lines > longAverage
}

/** Counts brackets wherever they are, also in strings, which only matters for strange files. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 40 || code === 91 || code === 123) {
      depth++
      if (depth > deepest) return true
    } else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth--
  }
  return false
}
