/** Loads tree-sitter grammars from the installed package, once each per process. */

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Language, Parser } from 'web-tree-sitter'
import { remembered } from '../../base/remembered.ts'
import type { Grammar } from '../extraction/flat-tree.ts'
import type { ParserMemory, SymbolWords } from './memory-tree.ts'
import { startRuntime } from './runtime.ts'

export type LoadedGrammar = {
  parser: Parser
  grammar: Grammar
  words: SymbolWords
  /** The parser's, when it shows itself. */
  memory: ParserMemory | null
}

/** Grammars that the first package lacks. */
const elsewhere: ReadonlySet<string> = new Set(['c', 'kotlin', 'scala', 'swift'])

const loaded = new Map<string, Promise<LoadedGrammar>>()

/**
 * `name` is the stem of the grammar's file: `typescript`, `c-sharp`. Rejects when there is none. `isCareful`: see
 * `startRuntime`; the first call of a process decides.
 */
export function loadGrammar(name: string, isCareful = false): Promise<LoadedGrammar> {
  return remembered(loaded, name, () => load(name, isCareful))
}

/** As an import would name the file: `@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm`. */
export function grammarFile(name: string): string {
  const folder = elsewhere.has(name) ? '@cursorless/tree-sitter-wasms/out' : '@vscode/tree-sitter-wasm/wasm'
  return `${folder}/tree-sitter-${name}.wasm`
}

async function load(name: string, isCareful: boolean): Promise<LoadedGrammar> {
  const memory = await startRuntime(isCareful)
  const file = import.meta.resolve(grammarFile(name))
  const language = await Language.load(await readFile(fileURLToPath(file)))
  const kinds = [...language.types]
  kinds.length = language.nodeTypeCount
  const named = Uint8Array.from(kinds, (_kind, id) => (language.nodeTypeIsNamed(id) ? 1 : 0))
  return {
    parser: new Parser().setLanguage(language),
    grammar: { kinds: [...kinds, 'ERROR'], fields: language.fields.map((field) => field ?? '') },
    words: { named, errorKind: kinds.length },
    memory,
  }
}
