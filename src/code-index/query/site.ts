/** From facts to what an answer says of them. */
import type { FileFacts } from '../contract.ts'
import type { Definition } from '../resolve/contract.ts'
import { linkageOf } from '../resolve/languages/c-linkage.ts'
import { languageOf } from '../resolve/languages/registry.ts'
import { linesOf } from '../resolve/lines.ts'
import { symbolOf } from '../resolve/symbols.ts'
import type { SymbolSite } from './contract.ts'

const longestLine = 200
const longestSignature = 300

export function siteOf(definition: Definition): SymbolSite {
  const { name, scope, kind, visibility, nameLine, startLine, endLine, signature, isTest } =
    symbolOf(definition)
  return {
    path: definition.path,
    line: nameLine,
    startLine,
    endLine,
    name,
    scope,
    kind,
    visibility,
    signature: cut(signature.text, longestSignature),
    language: definition.facts.language,
    isTest,
  }
}

export function siteAt(path: string, facts: FileFacts, index: number | null): SymbolSite | null {
  return index === null || !facts.symbols[index] ? null : siteOf({ path, facts, index })
}

/**
 * Two definitions of one thing: the same symbol, another signature of it, or in C its declaration and its `typedef`.
 * Where overloads are things of their own (Java) only the same symbol counts.
 */
export function isSameThing(a: Definition, b: Definition): boolean {
  if (a.path === b.path && a.index === b.index) return true
  const linkage = linkageOf(a, b)
  if (linkage !== null) return linkage === 'one'
  if (a.path !== b.path) return false
  if (languageOf(a.facts.language)?.inheritsOverloads) return false
  const [left, right] = [symbolOf(a), symbolOf(b)]
  return left.name === right.name && left.scope === right.scope && left.kind === right.kind
}

/** One line as an answer quotes it: trimmed, and cut when it is long. */
export function quotedLine(facts: FileFacts, text: string | null, line: number): string {
  return text === null ? '' : cut(linesOf(facts, text).at(line).trim(), longestLine)
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}
