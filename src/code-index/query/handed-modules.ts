/** Modules that code gets as a whole, and may use every name of, as in `register(handlers)` or `dir(handlers)`. */
import type { FileFacts, ImportFact } from '../contract.ts'
import { isScript } from '../language-of.ts'
import type { Definition } from '../resolve/contract.ts'
import { linesOf } from '../resolve/lines.ts'
import { resolveImport } from '../resolve/resolve.ts'
import { referencesNamed, symbolOf } from '../resolve/symbols.ts'
import type { CodeTree, UnresolvedUse } from './contract.ts'
import { quotedLine } from './definitions.ts'
import { nearest } from './made-names.ts'
import { moduleWordOf } from './target-names.ts'

/** Files that may import one module are looked into up to so many, and modules that pass on another. */
const mostFiles = 200
const mostModules = 10

/** Where the module of a definition is handed on, or one that offers all of it; null when that is nowhere seen. */
export async function handingOf(tree: CodeTree, target: Definition): Promise<UnresolvedUse | null> {
  const { facts, path } = target
  const { scope, name, kind } = symbolOf(target)
  if (scope !== '') return null
  if (isScript(facts.language)) {
    // Types are not there when code runs.
    if (kind === 'interface' || kind === 'type') return null
    if (!facts.exports.some(({ exported, local }) => local === name || exported === name)) return null
  } else if (facts.language !== 'python') return null
  return tree.world.once(`handing of ${path}`, () => handing(tree, path))
}

async function handing(tree: CodeTree, home: string): Promise<UnresolvedUse | null> {
  const modules = [home]
  for (const module of modules) {
    for (const { path, facts, fact } of await importsOf(tree, module)) {
      if (fact.reexport && fact.local === null) {
        if (!modules.includes(path) && modules.length < mostModules) modules.push(path)
        continue
      }
      const text = await tree.world.text(path)
      const line = text === null ? null : handedAt(facts, text, fact)
      if (line === null) continue
      const why = 'the module is handed on as a whole'
      return { path, line, role: 'read', text: quotedLine(facts, text, line), why }
    }
  }
  return null
}

/** Imports of the module itself. */
async function importsOf(
  tree: CodeTree,
  module: string,
): Promise<{ path: string; facts: FileFacts; fact: ImportFact }[]> {
  const word = moduleWordOf(module.replace(/\/__init__\.pyi?$/, '.py'))
  const paths = nearest((await tree.mentions([word])).get(word) ?? [], module, mostFiles)
  const found: { path: string; facts: FileFacts; fact: ImportFact }[] = []
  for (const [path, facts] of await tree.world.factsOf(paths))
    for (const fact of facts.imports) {
      if (fact.typeOnly || !(fact.source.includes(word) || fact.imported === word)) continue
      const meaning = await resolveImport(tree.world, { path, facts, enclosing: null, text: null }, fact)
      if (meaning.kind === 'module' && meaning.module.path === module) found.push({ path, facts, fact })
    }
  return found
}

/** The line on which an imported module is used otherwise than by one of its names; null when none is. */
function handedAt(facts: FileFacts, text: string, { line, local, reexport }: ImportFact): number | null {
  if (reexport && isScript(facts.language)) return line
  const lines = linesOf(facts, text)
  if (local === null) return isGivenAway(lines.at(line)) ? line : null
  const use = referencesNamed(facts, local).find((one) => {
    if (one.shadowed || one.receiver !== null || /^(?:import|type)$/.test(one.role)) return false
    const after = lines.at(one.line).slice(one.column + local.length)
    return !isMemberOf.test(after.trim() === '' ? lines.at(one.line + 1) : after)
  })
  return use?.line ?? null
}

const isMemberOf = /^\s*(?:\?\.|\.(?!\.))\s*[\p{L}_$#]/u

/** `{ ...require('./a') }`, `module.exports = require('./a')`, `use(require('./a'))`. */
function isGivenAway(line: string): boolean {
  return /(?:\.\.\.|[(,]\s{0,8}|\bexports\s{0,8}=\s{0,8}|\breturn\s{1,8})(?:await\s{1,8})?(?:require|import)\s{0,8}\([^()]{1,200}\)\s{0,8}(?:[,;)}]|$)/.test(
    line,
  )
}
