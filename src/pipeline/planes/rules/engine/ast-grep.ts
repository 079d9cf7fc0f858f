/**
 * Loads the ast-grep engine and one grammar. Its own entry imports WebAssembly as a module, which Node gives a warning
 * for, or refuses; so its two halves are joined by hand.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type * as AstGrep from '@ast-grep/wasm'
import { ruleLanguages } from '../languages.ts'

export type Engine = Pick<typeof AstGrep, 'parse'>

/** Node has it; the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  instantiate(code: Uint8Array, imports: Record<string, object>): Promise<{ instance: { exports: Exports } }>
}
type Exports = Record<string, unknown>

/** The half of the package that its types leave out. */
type Glue = typeof AstGrep & { __wbg_set_wasm(exports: Exports): void }

/** `language` is an id of `ruleLanguages`. Rejects when the package is damaged. */
export async function loadEngine(language: string): Promise<Engine> {
  const known = ruleLanguages.find(({ id }) => id === language)
  if (!known) throw new Error(`there is no grammar for ${language}`)
  // A specifier in a variable: the package's types do not know this file.
  const half = '@ast-grep/wasm/wasm_bg.js'
  const glue: Glue = await import(half)
  const code = await readFile(packaged('@ast-grep/wasm/wasm_bg.wasm'))
  const { instance } = await WebAssembly.instantiate(code, { './wasm_bg.js': glue })
  glue.__wbg_set_wasm(instance.exports)
  const start = instance.exports.__wbindgen_start
  if (typeof start === 'function') start()
  await glue.initializeTreeSitter()
  const libraryPath = packaged(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${known.grammar}.wasm`)
  await glue.registerDynamicLanguage({ [language]: { libraryPath, expandoChar: known.placeholder } })
  return glue
}

function packaged(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier))
}
