/** Loads the engine that matches rules, with one grammar, into a process of its own. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type * as AstGrep from '@ast-grep/wasm'
import { Node } from 'web-tree-sitter'
import { startRuntime } from '../../../../code-index/parsing/runtime.ts'
import { ruleLanguages } from '../rule.ts'
import type { Engine } from './match-text.ts'

/** Node has it, but its types leave it to those of browsers. */
declare const WebAssembly: {
  instantiate(code: Uint8Array, imports: Record<string, object>): Promise<{ instance: { exports: Exports } }>
}
type Exports = Record<string, unknown>

/** The part of the package that its types leave out. */
type Glue = typeof AstGrep & { __wbg_set_wasm(exports: Exports): void }

let engine: Promise<Glue> | null = null
const grammars = new Set<string>()

/** The engine with one more grammar. `language` is an id of `ruleLanguages`. Rejects when the package is damaged. */
export async function loadEngine(language: string): Promise<Engine> {
  const known = ruleLanguages.find(({ id }) => id === language)
  if (!known) throw new Error(`there is no grammar for ${language}`)
  engine ??= loadGlue()
  const glue = await engine
  if (!grammars.has(language)) {
    const libraryPath = packaged(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${known.grammar}.wasm`)
    await glue.registerDynamicLanguage({ [language]: { libraryPath, expandoChar: known.placeholder } })
    grammars.add(language)
  }
  return glue
}

/**
 * The package's entry imports WebAssembly as a module, for which Node prints a warning or fails, so its two parts are joined
 * here.
 */
async function loadGlue(): Promise<Glue> {
  // A specifier in a variable: the package's types do not know this file.
  const half = '@ast-grep/wasm/wasm_bg.js'
  const glue: Glue = await import(half)
  forgetChildren()
  const code = await readFile(packaged('@ast-grep/wasm/wasm_bg.wasm'))
  const { instance } = await WebAssembly.instantiate(code, { './wasm_bg.js': glue })
  glue.__wbg_set_wasm(instance.exports)
  const start = instance.exports.__wbindgen_start
  if (typeof start === 'function') start()
  // By itself the engine would start the runtime in a way that V8 never optimises, and that hides its memory from whoever comes later.
  await startRuntime()
  await glue.initializeTreeSitter()
  return glue
}

/**
 * A node of the parser keeps its children once someone asked for them, so that after one search every node of a text is in
 * memory: 200 MB for a megabyte of code. The engine hardly ever asks a node twice.
 */
function forgetChildren(): void {
  const read = Object.getOwnPropertyDescriptor(Node.prototype, 'children')?.get
  if (!read) return
  Object.defineProperty(Node.prototype, 'children', {
    get(this: Node) {
      const children = read.call(this)
      Reflect.set(this, '_children', undefined)
      return children
    },
  })
}

function packaged(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier))
}
