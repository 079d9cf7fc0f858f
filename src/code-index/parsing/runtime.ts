/**
 * Starts tree-sitter's runtime, once per process, whoever asks first: grammars of the index, or the engine of rules. In a process started
 * with `--liftoff-only` the runtime, where most of the time goes, may still be optimised by V8, and only the grammars may not: their
 * tables cost it gigabytes.
 */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Parser } from 'web-tree-sitter'
import type { ParserMemory } from './memory-tree.ts'

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
export function startRuntime(isCareful = false): Promise<ParserMemory | null> {
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
