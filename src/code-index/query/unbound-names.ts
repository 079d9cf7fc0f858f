/** Names that a file uses although nothing in it gives them a meaning. */
import { isDeclarationFile } from '../../base/file-paths.ts'
import type { FileFacts } from '../contract.ts'
import { isScript } from '../language-of.ts'
import type { World } from '../resolve/contract.ts'
import { decidesAtRunTime } from '../resolve/hidden-exports.ts'
import { type Lines, linesOf } from '../resolve/lines.ts'
import { importsAs, referencesNamed, starImports, symbolsNamed } from '../resolve/symbols.ts'
import { occurrencesOf } from './occurrences.ts'

/** Whether a file of the language binds each name that it uses, apart from what the language and the platform give. */
export function bindsItsNames(language: string): boolean {
  return language === 'python' || isScript(language)
}

/** The line of the first use of a name that the text cannot bind: each occurrence of the word is a use, or in a comment. */
export function unboundUse(facts: FileFacts, text: string, word: string): number | null {
  const [first] = freeUses(facts, word)
  if (!first || facts.errorLines.length > 0) return null
  const lines = linesOf(facts, text)
  if (mayCatch(lines, text, word)) return null
  if (facts.language === 'python' && decidesAtRunTime(facts, text)) return null
  const isUse = occurrencesOf(facts, text, word).every(
    ({ kind, line, isMade }) =>
      !isMade &&
      (kind === 'read' || kind === 'comment') &&
      !excuse.test(lines.at(line)) &&
      !excuseAbove.test(lines.at(line - 1)),
  )
  return isUse ? first.line : null
}

/** The author tells a linter or a type checker of the name. */
const excuse =
  /\bnoqa\b|\b(?:type|pyright):\s{0,4}ignore|@ts-(?:ignore|expect-error)|\bglobals?\b|\bno-undef\b/

const excuseAbove = /^\s{0,200}(?:\/\/|\/\*|#).*@ts-(?:ignore|expect-error)/

/** What asks first whether there is such a name expects that there may be none. */
function mayCatch(lines: Lines, text: string, word: string): boolean {
  return (
    lines.offsetsOf('NameError').length > 0 ||
    lines.offsetsOf(word).some((at) => text.startsWith('typeof ', at - 'typeof '.length))
  )
}

function freeUses(facts: FileFacts, word: string) {
  const isBound =
    importsAs(facts, word).length > 0 ||
    symbolsNamed(facts, word).length > 0 ||
    (facts.language === 'python' && starImports(facts).length > 0)
  const uses = referencesNamed(facts, word).filter(
    ({ receiver, role }) => receiver === null && role !== 'property',
  )
  return isBound || uses.some(({ role, shadowed }) => shadowed || binding.test(role)) ? [] : uses
}

const binding = /^(?:write|import|export)$/

/** In more files the word says nothing. */
const mostFiles = 300

/**
 * How many other files import the name; null when one uses it unbound, or gives it to all: then a host, a plugin or an
 * earlier script of the page may provide it.
 */
export async function importersOf(
  world: World,
  path: string,
  word: string,
  holders: readonly string[],
): Promise<number | null> {
  const others = holders.filter((other) => other !== path)
  if (others.length > mostFiles) return null
  let importers = 0
  for (const [other, facts] of await world.factsOf(others)) {
    if (!bindsItsNames(facts.language)) continue
    if (freeUses(facts, word).length > 0 || isForAll(other, facts, word)) return null
    if (importsAs(facts, word).length > 0) importers++
  }
  return importers
}

/** Declared for all files, or by a script that is no module. */
function isForAll(path: string, facts: FileFacts, word: string): boolean {
  return (
    isScript(facts.language) &&
    (isDeclarationFile(path) || facts.imports.length + facts.exports.length === 0) &&
    symbolsNamed(facts, word).some((at) => facts.symbols[at]?.scope === '')
  )
}
