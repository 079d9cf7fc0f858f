/** Loads tree-sitter grammars from the installed package, once each per process. */

import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Language, Parser } from 'web-tree-sitter'
import { remembered } from '../../base/remembered.ts'
import type { Grammar } from '../extraction/flat-tree.ts'
import type { ParserMemory, SymbolWords } from './memory-tree.ts'

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

// Starts tree-sitter's runtime, once per process. In a process started with `--liftoff-only` the runtime, where most of
// the time goes, may still be optimised by V8, and only the grammars may not: their tables cost it gigabytes.

/** Whatever is compiled between the two lists is optimised later; where V8 does not know them, nothing is. */
const whileRuntimeLoads = ['--wasm-tier-up', '--wasm-dynamic-tiering', '--no-wasm-lazy-compilation']
const afterwards = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering', '--wasm-lazy-compilation']

/** The part of WebAssembly's interface that is used; the libraries of this floor do not know it. */
type Wasm = {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: Imports) => { exports: object }
}
type Imports = { env?: { memory?: ParserMemory } }

let started: Promise<ParserMemory | null> | null = null

/**
 * Resolves with the parser's memory, or null when it does not show itself. `isCareful`: nothing is optimised, and the
 * memory is not shown. The first call of a process decides.
 */
function startRuntime(isCareful: boolean): Promise<ParserMemory | null> {
  started ??= isCareful ? Parser.init().then(() => null) : start()
  return started
}

async function start(): Promise<ParserMemory | null> {
  const { Module, Instance } = Reflect.get(globalThis, 'WebAssembly') as Wasm
  const bytes = readFileSync(fileURLToPath(import.meta.resolve('web-tree-sitter/web-tree-sitter.wasm')))
  let memory: ParserMemory | null = null
  const instantiateWasm = (imports: Imports, done: (instance: object, module: object) => void): object => {
    memory = imports.env?.memory ?? null
    const module = optimisedLater(() => new Module(bytes))
    const instance = new Instance(module, imports)
    done(instance, module)
    return instance.exports
  }
  await Parser.init({ instantiateWasm })
  return memory
}

function optimisedLater<Result>(compile: () => Result): Result {
  if (!process.execArgv.includes('--liftoff-only')) return compile()
  try {
    setFlagsFromString('--no-liftoff-only')
    for (const flag of whileRuntimeLoads) setFlagsFromString(flag)
    return compile()
  } finally {
    for (const flag of afterwards) setFlagsFromString(flag)
    setFlagsFromString('--liftoff-only')
  }
}
