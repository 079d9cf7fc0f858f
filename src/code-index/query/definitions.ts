/** Where is a name defined, and which definition does a place or a name stand for? */
import { count } from '../../base/count.ts'
import type { CodeSymbol } from '../../domain/code-symbol.ts'
import type { Definition } from '../resolve/contract.ts'
import { fullName, symbolOf, symbolsNamed } from '../resolve/symbols.ts'
import type { CodeTree, DefinitionsAnswer, Emptiness } from './contract.ts'
import { isSameThing, siteOf } from './site.ts'
import { textOnlyAmong, unparsedAmong } from './text-only.ts'

/** Every definition of a name, or of a qualified one (`Store.load`, `Store::load`), by path and line. */
export async function findDefinitions(tree: CodeTree, name: string): Promise<DefinitionsAnswer> {
  const definitions = await definitionsNamed(tree, name)
  const mentioned = await pathsWith(tree, lastWord(name))
  const textOnly = textOnlyAmong(mentioned)
  return {
    name,
    definitions: definitions.map(siteOf),
    textOnly,
    emptiness: definitions.length > 0 ? null : whyNone(tree, lastWord(name), mentioned, textOnly),
  }
}

/** By path and line; remembered in the tree, and not to be changed. */
export function definitionsNamed(tree: CodeTree, name: string): Promise<readonly Definition[]> {
  return tree.world.once(`definitions ${name}`, () => lookUp(tree, name))
}

async function lookUp(tree: CodeTree, name: string): Promise<readonly Definition[]> {
  const parts = name.split(/\.|::|#/).filter((part) => part !== '')
  const word = parts.at(-1)
  if (word === undefined) return []
  const wanted = parts.join('.')
  const found: Definition[] = []
  for (const [path, facts] of await tree.world.factsOf(await tree.definers(word)))
    for (const index of symbolsNamed(facts, word)) {
      const symbol = facts.symbols[index]
      if (!symbol || !canBeNamed(symbol)) continue
      const full = fullName(symbol)
      if (full === wanted || full.endsWith(`.${wanted}`)) found.push({ path, facts, index })
    }
  return found.sort(byPlace)
}

/**
 * What a question is about: `src/a.ts:12` means the definition whose name stands on that line, else the innermost one
 * around it; anything else is a name. Several signatures of one thing count once.
 */
export async function findTargets(tree: CodeTree, asked: string): Promise<Definition[]> {
  const place = /^(.+):([1-9]\d{0,8})$/.exec(asked)
  if (place) {
    const path = (place[1] ?? '').replace(/^(?:\.\/)+/, '')
    if (tree.world.paths.has(path)) return definitionAt(tree, path, Number(place[2]))
  }
  const all = await definitionsNamed(tree, asked)
  return all.filter((one, at) => all.findIndex((other) => isSameThing(other, one)) === at)
}

async function definitionAt(tree: CodeTree, path: string, line: number): Promise<Definition[]> {
  const facts = await tree.world.facts(path)
  if (!facts) return []
  const { symbols } = facts
  const named = symbols.findIndex((symbol) => symbol.nameLine === line && symbol.kind !== 'impl')
  const around = symbols.findLastIndex(
    ({ kind, startLine, endLine }) => kind !== 'impl' && startLine <= line && line <= endLine,
  )
  const index = named >= 0 ? named : around
  return index < 0 ? [] : [{ path, facts, index }]
}

/** An impl block is named by its type, and a test with a title in quotes by nobody. */
function canBeNamed({ kind, isTest, signature }: CodeSymbol): boolean {
  if (kind === 'impl' || kind === 'package') return false
  return !isTest || !/^[\w.]+\(\s*['"`]/.test(signature.text)
}

async function pathsWith(tree: CodeTree, word: string): Promise<readonly string[]> {
  return (await tree.mentions([word])).get(word) ?? []
}

function lastWord(name: string): string {
  return name.split(/\.|::|#/).at(-1) ?? name
}

function whyNone(
  tree: CodeTree,
  word: string,
  mentioned: readonly string[],
  textOnly: readonly string[],
): Emptiness {
  if (mentioned.length === 0)
    return { isEvidence: true, why: `no text file of this tree contains the word \`${word}\`` }
  const unparsed = unparsedAmong(tree, mentioned)
  if (unparsed.length > 0)
    return { isEvidence: false, why: `${unparsed.length} of the files that mention it could not be parsed` }
  if (textOnly.length > 0)
    return {
      isEvidence: false,
      why: `${textOnly.length} of the files that mention it are text only: their languages are not indexed`,
    }
  return {
    isEvidence: true,
    why: `it is mentioned in ${count(mentioned.length, 'indexed file')} and defined in none`,
  }
}

function byPlace(a: Definition, b: Definition): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return symbolOf(a).nameLine - symbolOf(b).nameLine || a.index - b.index
}
