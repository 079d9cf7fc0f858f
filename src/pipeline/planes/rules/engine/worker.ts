/** Runs in a separate child process: matches rules against texts of one language. Ends with its parent. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type * as AstGrep from '@ast-grep/wasm'
import { outOfMemory, serveBatches } from '../../../../base/serve-batches.ts'
import { ruleLanguages } from '../rule.ts'
import { type Engine, matchText, planSearch } from './match-text.ts'
import type { Batch, Question, Reply } from './protocol.ts'

/** Resident bytes past which the child wants to be replaced: the engine never gives memory back. */
const full = 200 * 2 ** 20

serveBatches(work)

async function work(
  { language, questions, texts, mostMatches }: Batch,
  send: (reply: Reply) => Promise<void>,
): Promise<void> {
  const engine = await loadEngine(language)
  const refused = questions.flatMap((question, index) => {
    const message = refusal(engine, language, question)
    return message === null ? [] : [{ question: index, message }]
  })
  await send({ type: 'ready', refused })
  const bad = new Set(refused.map(({ question }) => question))
  const accepted = questions.map((question, index) => (bad.has(index) ? null : question))
  const search = planSearch(engine, language, accepted)
  for (const [index, text] of texts.entries()) {
    const answer = orGiveUp(() => matchText(engine, language, search, text, mostMatches))
    await send({ type: 'answer', index, ...answer })
    if (index < texts.length - 1 && process.memoryUsage.rss() > full) {
      await send({ type: 'full' })
      return
    }
  }
  await send({ type: 'done' })
}

/** After a trap, most likely out of memory, the engine is of no more use, and the same text would end it again. */
function orGiveUp<Answer>(match: () => Answer): Answer {
  try {
    return match()
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) process.exit(outOfMemory)
    throw error
  }
}

/** The engine's message when it cannot use this matcher, or null. */
function refusal(engine: Engine, language: string, { matcher }: Question): string | null {
  const tree = engine.parse(language, '')
  try {
    tree.root().findAll(matcher)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    tree.free()
  }
}

/** Node has it, but its types leave it to those of browsers. */
declare const WebAssembly: {
  RuntimeError: new () => Error
  instantiate(code: Uint8Array, imports: Record<string, object>): Promise<{ instance: { exports: Exports } }>
}
type Exports = Record<string, unknown>

/** The part of the package that its types leave out. */
type Glue = typeof AstGrep & { __wbg_set_wasm(exports: Exports): void }

/**
 * Loads the ast-grep engine and one grammar. The package's entry imports WebAssembly as a module, for which Node prints a
 * warning or fails, so its two parts are joined here. `language` is an id of `ruleLanguages`. Rejects when the package is
 * damaged.
 */
async function loadEngine(language: string): Promise<Engine> {
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
