/**
 * Other words by which a name is known: to another language (the accessors of a property), to the compiler (the class of an
 * attribute), or to a command line or configuration (`--max-count`).
 */
import { isDocsPath } from '../../base/file-paths.ts'
import { languageOf } from '../language-of.ts'
import type { Definition } from '../resolve/contract.ts'
import { symbolOf } from '../resolve/symbols.ts'
import type { CodeTree, UnresolvedUse } from './contract.ts'
import { firstLine } from './made-names.ts'

/** Files that mention a word are read up to so many. */
const mostFiles = 100

/** Where the target may be used by another word; null when that is nowhere seen. */
export async function otherUseOf(tree: CodeTree, target: Definition): Promise<UnresolvedUse | null> {
  const { name, kind } = symbolOf(target)
  const { language } = target.facts
  const isCallable = kind === 'function' || kind === 'method'
  const find = (words: readonly string[], isThere: (path: string) => boolean) =>
    mentionOf(tree, name, words, isThere)
  if (/^(?:java|scala)$/.test(language) && isCallable)
    return find(propertiesOf(name), (path) => !/\.(?:java|scala)$/.test(path) && !isDocsPath(path))
  if (language === 'kotlin' && !isCallable)
    return find(accessorsOf(name), (path) => /\.(?:java|groovy|scala)$/.test(path))
  if (language === 'csharp' && name.endsWith(attribute))
    return find([name.slice(0, -attribute.length)], (path) => path.endsWith('.cs'))
  if (language === 'swift' && kind === 'field') return find([`_${name}`], (path) => path.endsWith('.swift'))
  if (language === 'php' && kind !== 'field' && kind !== 'constant')
    return find(caseVariants(name), (path) => languageOf(path) === 'php')
  return null
}

/** What may define a word that no definition has as its name; null when nothing in the tree may. */
export async function otherDefinitionOf(
  tree: CodeTree,
  word: string,
  languages: ReadonlySet<string>,
): Promise<UnresolvedUse | null> {
  const names: string[] = []
  if (['java', 'kotlin', 'scala'].some((one) => languages.has(one))) {
    names.push(...propertiesOf(word), ...accessorsOf(word))
    const [, file] = /^(\w+)Kt$/.exec(word) ?? []
    const [path] = [file, lowerFirst(file ?? '')].flatMap((stem) => tree.world.paths.named(`${stem}.kt`))
    if (file && path)
      return { path, line: 1, role: 'read', text: '', why: `\`${word}\` is what Java calls this file` }
  }
  if (languages.has('csharp')) names.push(`${word}${attribute}`)
  if (languages.has('swift') && word.startsWith('_')) names.push(word.slice(1))
  if (languages.has('php')) names.push(...caseVariants(word))
  for (const name of names.filter((one) => one !== '')) {
    const [path] = await tree.definers(name)
    if (path) return { path, line: 1, role: 'read', text: '', why: `\`${name}\` may be known as it` }
  }
  return null
}

const attribute = 'Attribute'

/** `getSize` → `size`; `isOpen` and `setOpen` → `open`, `isOpen`. */
function propertiesOf(name: string): string[] {
  const [, kind, rest = ''] = /^(get|is|set)(\p{Lu}.*)$/u.exec(name) ?? []
  if (kind === undefined) return []
  return kind === 'get' ? [lowerFirst(rest)] : [lowerFirst(rest), `is${rest}`]
}

/** `size` → `getSize`, `setSize`, `isSize`; `isOpen` → `setOpen` too. */
function accessorsOf(name: string): string[] {
  if (!/^\p{Ll}/u.test(name)) return []
  const [, rest] = /^is(\p{Lu}.*)$/u.exec(name) ?? []
  const upper = upperFirst(name)
  return [`get${upper}`, `set${upper}`, `is${upper}`, ...(rest === undefined ? [] : [`set${rest}`])]
}

/** The names of functions and classes of PHP may be written in any case. */
function caseVariants(name: string): string[] {
  const variants = [name.toLowerCase(), name.toUpperCase(), lowerFirst(name), upperFirst(name)]
  return [...new Set(variants)].filter((one) => one !== name)
}

export function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

async function mentionOf(
  tree: CodeTree,
  name: string,
  words: readonly string[],
  isThere: (path: string) => boolean,
): Promise<UnresolvedUse | null> {
  const wanted = words.filter((word) => word !== '' && word !== name)
  if (wanted.length === 0) return null
  for (const [word, paths] of await tree.mentions(wanted)) {
    // A variable of PHP is no function.
    const isWord = new RegExp(`(?<![\\p{L}\\p{N}_$])${word}(?![\\p{L}\\p{N}_$])`, 'u')
    for (const [path, text] of await tree.world.texts(paths.filter(isThere).slice(0, mostFiles))) {
      const found = firstLine(path, text, word, isWord)
      if (found) return { ...found, why: `\`${word}\` may mean it` }
    }
  }
  return null
}
