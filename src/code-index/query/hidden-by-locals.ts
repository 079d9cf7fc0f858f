/**
 * Whether a use of a local may mean the target all the same. Only what an empty answer rests on is asked here: a local hides
 * an outer name by the rules of its language, except where both are one, or stand beside each other.
 */
import { dirname } from 'node:path/posix'
import type { CodeSymbol } from '../../domain/code-symbol.ts'
import type { FileFacts, Reference } from '../contract.ts'
import { isScript } from '../language-of.ts'
import type { Definition } from '../resolve/contract.ts'
import { linesOf } from '../resolve/lines.ts'
import { around, isType, referencesNamed, symbolOf, symbolsWithin } from '../resolve/symbols.ts'
import { holderOf } from './target-names.ts'

/** The reference is one that a local of its name hides. */
export type LocalUse = { reference: Reference; path: string; facts: FileFacts; text: string | null }

/** Answers null for a use that certainly means the local. What uses of one target have in common is asked once. */
export function doubtsAbout(target: Definition): (use: LocalUse) => string | null {
  let functions: readonly CodeSymbol[] | null = null
  const isMacro = symbolOf(target).kind === 'macro' && isOfC.test(target.facts.language)
  return ({ reference, path, facts, text }) => {
    if (isMacro && isOfC.test(facts.language)) return 'a macro replaces the word, whatever it would mean'
    // What a function of the shell calls sees its locals, and a local may begin as the outer one: `local x="$x"`.
    if (facts.language === 'bash') return 'a local, which other functions may see'
    if (path === target.path) {
      functions ??= functionsHolding(target)
      if (functions.some((one) => one.startLine <= reference.line && reference.line <= one.endLine))
        return 'a local that may be this one'
    }
    if (isApartFromLocals(reference, facts, text, target)) return 'a local of its name does not hide it'
    return reaches(target, path, facts) && beginsOn(reference, facts, text)
      ? 'a local begins on that line, and what it begins with may be this one'
      : null
  }
}

const isOfC = /^(?:c|cpp)$/

/** Types, modules, macros and functions, where locals are names of another space; a parameter of a type may still hide one. */
function isApartFromLocals(
  { role, name, line, column }: Reference,
  facts: FileFacts,
  text: string | null,
  target: Definition,
): boolean {
  const { language } = facts
  const symbol = symbolOf(target)
  if (language === 'kotlin') return role === 'call' && /^(?:function|method)$/.test(symbol.kind)
  if (!/^(?:typescript|tsx|rust|c|cpp)$/.test(language)) return false
  if (role === 'type' || role === 'extends') return isType(symbol, target.facts)
  if (text === null) return true
  const after = linesOf(facts, text)
    .at(line)
    .slice(column + name.length)
  // `A(int size) : size(size)`: the first is the field.
  if (language === 'cpp') return role === 'write' && /^\s*[({]/.test(after)
  return language === 'rust' && /^\s*(?:::|!(?!=))/.test(after)
}

/** Whether the bare name can mean the target in a file, where no local hides it. */
function reaches(target: Definition, path: string, facts: FileFacts): boolean {
  const { language } = target.facts
  const { scope, name } = symbolOf(target)
  // Locals of a script hide from where their scope begins.
  if (isScript(language) || language === 'php') return false
  if (/^(?:java|kotlin|scala|swift|csharp|ruby|cpp)$/.test(language)) return true
  if (scope !== '') return path === target.path && holderOf(target) === null
  if (path === target.path || language === 'c') return true
  if (language === 'go') return dirname(path) === dirname(target.path)
  return facts.imports.some(({ local }) => local === name || local === null)
}

/** `lambda size=size: …`, `for size in size()`, `size: size`: more words of the name than uses, so that one is its own. */
function beginsOn({ name, line }: Reference, facts: FileFacts, text: string | null): boolean {
  if (text === null) return true
  const written = linesOf(facts, text).at(line)
  const words = written.match(/[\p{L}\p{N}_$]+/gu)?.filter((word) => word === name) ?? []
  return words.length > referencesNamed(facts, name).filter((one) => one.line === line).length
}

/**
 * In which a local of its name is the target: the function around it, also one that is called at once, since a local is
 * what the uses in it mean, however often it is given a value; and that whose parameter declares it as a field.
 */
function functionsHolding({ facts, index }: Definition): CodeSymbol[] {
  const { symbols, parents } = facts
  const { name, nameLine = 0 } = symbols[index] ?? {}
  const parent = parents[index] ?? null
  const holder = around({ facts, enclosing: parent })
    .flatMap((at) => symbols[at] ?? [])
    .find((symbol) => !isType(symbol, facts))
  const declaring = (parent === null ? [] : symbolsWithin(facts, parent))
    .flatMap((at) => symbols[at] ?? [])
    .find(
      ({ startLine, endLine, signature }) =>
        startLine <= nameLine &&
        nameLine <= endLine &&
        signature.parameters?.some((parameter) => parameter.name === name),
    )
  return [holder, declaring].flatMap((one) => one ?? [])
}
