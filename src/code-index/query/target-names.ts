/**
 * Under which names a definition may be used: its own, what it is exported as, and what importers call it. Found by
 * following imports that resolve to it, so a name that merely looks alike never joins.
 */
import { oncePer, remembered } from '../../base/remembered.ts'
import type { FileFacts, ImportFact } from '../contract.ts'
import { isScript } from '../language-of.ts'
import type { Definition } from '../resolve/contract.ts'
import { resolverOf } from '../resolve/languages/registry.ts'
import { resolveImportedValue } from '../resolve/resolve.ts'
import { isType, symbolOf } from '../resolve/symbols.ts'
import type { CodeTree } from './contract.ts'
import { isSameThing } from './definitions.ts'

export type TargetNames = {
  /** Files that mention one of the names that reach beyond a file, in path order. */
  files: readonly string[]
  /** Of those that may use one as code, in path order. */
  facts: ReadonlyMap<string, FileFacts>
  /** What the target may be called in this file. */
  namesIn(path: string): ReadonlySet<string>
}

/** A re-export under another name under another name: past this many rounds it is not followed. */
const mostRounds = 5
const mostFiles = 5_000

export async function targetNames(tree: CodeTree, target: Definition): Promise<TargetNames> {
  const global = new Set(ownNames(target))
  const asModule = isScript(target.facts.language)
  const local = new Map<string, Set<string>>()
  const seen = new Set<string>()
  let files: readonly string[] = []
  let facts: ReadonlyMap<string, FileFacts> = new Map()
  for (let round = 0; round < mostRounds; round++) {
    const isDefault = asModule && global.has('default')
    const words = [...global].map((name) =>
      isDefault && name === 'default' ? moduleWordOf(target.path) : name,
    )
    const before = global.size
    // Many definitions share a name.
    const key = `files ${isDefault ? 'importing' : 'using'} ${words.join(' ')}`
    const found = await tree.world.once(key, () => filesWith(tree, words, isDefault))
    files = found.files
    facts = found.facts
    for (const [path, one] of facts) {
      for (const fact of renamingImports(one)) {
        // A whole module is its default export where that is all it exports: `const load = require('./load')`.
        const isWhole = isDefault && fact.imported === '*' && !fact.reexport
        if (!isWhole && !global.has(fact.imported)) continue
        const key = `${path}\n${fact.line}\n${fact.imported}\n${fact.local}`
        if (seen.has(key)) continue
        seen.add(key)
        if (!(await importsTarget(tree, path, one, fact, target))) continue
        const name = fact.local ?? fact.imported
        if (fact.reexport) global.add(name)
        else remembered(local, path, () => new Set<string>()).add(name)
        for (const exported of exportedAs(one, name)) global.add(exported)
      }
    }
    if (global.size === before) break
  }
  if (asModule) global.delete('default')
  const namesIn = (path: string): ReadonlySet<string> => {
    const own = local.get(path)
    return own ? new Set([...global, ...own]) : global
  }
  return { files, facts, namesIn }
}

/** For a default export all files count that may import its module, not only those that use its name. */
async function filesWith(
  tree: CodeTree,
  words: readonly string[],
  isDefault: boolean,
): Promise<Pick<TargetNames, 'files' | 'facts'>> {
  const mentioned = await tree.mentions(words)
  const files = inOrder([...mentioned.values()]).slice(0, mostFiles)
  if (isDefault) return { files, facts: await tree.world.factsOf(files) }
  const users = new Set<string>()
  for (const word of mentioned.keys()) for (const path of await tree.users(word)) users.add(path)
  return { files, facts: await tree.world.factsOf(files.filter((path) => users.has(path))) }
}

/** Each path once. */
function inOrder(lists: readonly (readonly string[])[]): string[] {
  const [only, ...others] = lists
  return [...(others.length === 0 ? (only ?? []) : new Set(lists.flat()))].sort()
}

/** A constructor is used by the name of its type. */
export function usedAs(target: Definition): string {
  const symbol = symbolOf(target)
  return isConstructor(target) ? (symbol.scope.split('.').at(-1) ?? symbol.name) : symbol.name
}

export function isConstructor(target: Definition): boolean {
  const around = target.facts.symbols[target.facts.parents[target.index] ?? -1]
  return (
    around !== undefined &&
    resolverOf(target.facts.language)?.constructorName(around) === symbolOf(target).name
  )
}

function exportedAs(facts: FileFacts, local: string): string[] {
  return facts.exports.flatMap((fact) =>
    fact.local === local && fact.exported !== local ? [fact.exported] : [],
  )
}

/** Words of which every file that uses the target holds one, but for those that rename it on the way. */
export function wordsToFind(target: Definition): string[] {
  const asModule = isScript(target.facts.language)
  const words = ownNames(target).map((name) =>
    asModule && name === 'default' ? moduleWordOf(target.path) : name,
  )
  return [...new Set(words)]
}

/** What its own file calls it, and what it hands it on as. */
function ownNames(target: Definition): string[] {
  const own = usedAs(target)
  const reaches = symbolOf(target).scope === '' || isConstructor(target)
  return [own, ...(reaches ? exportedAs(target.facts, own) : [])]
}

/** Imports that call a name something else. */
const renamingImports = oncePer(({ imports }: FileFacts) =>
  imports.filter(({ local, imported }) => local !== null && local !== imported),
)

async function importsTarget(
  tree: CodeTree,
  path: string,
  facts: FileFacts,
  fact: ImportFact,
  target: Definition,
): Promise<boolean> {
  const meaning = await resolveImportedValue(tree.world, { path, facts, enclosing: null, text: null }, fact)
  if (meaning.kind !== 'defined') return false
  return meaning.definitions.some((one) => isSameThing(one, target) || isTypeOf(one, target))
}

/** The type whose constructor the target is. */
export function isTypeOf(type: Definition, target: Definition): boolean {
  return (
    isConstructor(target) && type.path === target.path && type.index === target.facts.parents[target.index]
  )
}

/** The type or block that the target is a member of. */
export function holderOf({ path, facts, index }: Definition): Definition | null {
  const parent = facts.parents[index]
  const symbol = parent == null ? undefined : facts.symbols[parent]
  const isHolder = symbol !== undefined && (isType(symbol, facts) || symbol.kind === 'impl')
  return parent != null && isHolder ? { path, facts, index: parent } : null
}

/** `src/http/read-file.ts` → `read`: a word that an import of the module must contain; of an index file, its folder's. */
export function moduleWordOf(path: string): string {
  const parts = path.split('/')
  const stem = (parts.at(-1) ?? '').split('.', 1)[0] ?? ''
  const name = stem === 'index' ? (parts.at(-2) ?? stem) : stem
  return name.split(/[^\p{L}\p{N}_$]+/u).reduce((best, part) => (part.length > best.length ? part : best), '')
}
