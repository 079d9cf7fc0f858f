/** Forms in which a word is a member's name although nothing before it says of what: `{ name }`, `name: 1`, `x.name = 1`. */

import type { FileFacts, ImportFact, Reference } from '../contract.ts'
import { isScript } from '../language-of.ts'

/** Longer lists in braces are not walked; a word so far in is taken for one of them. */
const longestList = 400

/** In braces that make an object or take one apart, the word of a local is a member's name too. */
export function isInBraces(language: string, text: string, offset: number, end: number): boolean {
  if (language === 'swift') return isBoundToItself(text, offset, end)
  const isRust = language === 'rust'
  if (!isRust && !isScript(language)) return false
  const after = text.slice(end, end + 40)
  if (!(isRust ? /^\s*[,}]/ : /^\s*(?:[,}]|=(?![=>]))/).test(after)) return false
  const before = text.slice(Math.max(0, offset - longestList), offset)
  if (!/[{,]\s*(?:(?:ref|mut)\s+){0,2}$/.test(before)) return false
  const brace = openBrace(before)
  if (brace === 'none') return false
  if (brace === 'far') return true
  const outside = before.slice(0, brace)
  if (isRust) return /\p{Lu}\w{0,60}\s{0,8}$/u.test(outside)
  // `<a b={c}>` hands on a value.
  if (language !== 'typescript' && /\w=$/.test(outside)) return false
  return objectFollows.test(outside)
}

/** `if let name {`: a local of what has its name. */
function isBoundToItself(text: string, offset: number, end: number): boolean {
  return (
    /\b(?:let|var)\s{1,8}$/.test(text.slice(Math.max(0, offset - 20), offset)) &&
    /^\s{0,8}(?:[,{]|else\b)/.test(text.slice(end, end + 20))
  )
}

const objectFollows =
  /(?:[(,=:[?&|.]|(?:^|[^\w$])(?:return|const|let|var|default|yield|case|of|in|throw|await))\s*$/

/** Where the brace around the end of the text is, when one is and nothing ends a statement in between. */
function openBrace(before: string): number | 'none' | 'far' {
  let depth = 0
  for (let at = before.length - 1; at >= 0; at--) {
    const character = before.charAt(at)
    if (')]}'.includes(character)) depth++
    else if ('([{'.includes(character)) {
      if (depth === 0) return character === '{' ? at : 'none'
      depth--
    } else if (character === ';' && depth === 0) return 'none'
  }
  return before.length < longestList ? 'none' : 'far'
}

/** Members that come into being where they are given a value: nothing declares them. */
export function makesMember(
  language: string,
  { role, receiver, shadowed }: Reference,
  after: string,
): boolean {
  if (isScript(language) && role === 'property' && receiver === null)
    return /^["']?\s{0,8}\??\s{0,8}[:(<]/.test(after)
  // A label: of an argument, or of what a tuple holds.
  if (language === 'swift') return /^\s{0,8}:(?!:)/.test(after)
  if (role !== 'write') return false
  if (isScript(language)) return !shadowed
  return /^(?:python|ruby|php)$/.test(language) || (language === 'bash' && receiver === null)
}

const definingWords =
  /(?:^|[^\w$.#])(?:fn|struct|enum|union|trait|type|const|static|mod|class|def|function\*?|func|fun|interface|val|var|let|object|module|record|protocol|typealias|macro_rules!)\s{1,8}$/

type Form = { before: RegExp; after: RegExp }

const declarators: readonly Form[] = [
  /** `class { … } name;`: one of a type without a name. */
  { before: /\}[ \t]{0,8}$/, after: /^\s{0,8}(?:[;,[]|=(?!=))/ },
  /** `void (*name)(int);` */
  { before: /\(\s{0,4}[*&]\s{0,4}$/, after: /^\s{0,4}(?:\[[^\]]{0,20}\]\s{0,4})?\)\s{0,4}\(/ },
]

const importAlias: readonly Form[] = [{ before: /\bimport\s{1,8}$/, after: /^\s{0,8}=/ }]

/** Further forms that define, by language. */
const definingForms: Readonly<Record<string, readonly Form[]>> = {
  c: declarators,
  cpp: declarators,
  /** `import name = other.name` */
  typescript: importAlias,
  tsx: importAlias,
  /** `def f[T](…)` */
  python: [{ before: /\b(?:def|class|type)\s{1,8}\w{1,40}\[[^\]]{0,40}$/, after: /^/ }],
  /** `use Other { name as own; }` */
  php: [{ before: /\bas\s{1,8}(?:(?:public|protected|private)\s{1,8})?$/, after: /^\s{0,8};/ }],
  /** `new { name = 1 }` */
  csharp: [{ before: /\bnew\s{0,8}\{[^{}]{0,40}$/, after: /^\s{0,8}=(?!=)/ }],
  /** `${name:=1}` */
  bash: [{ before: /\$\{$/, after: /^:?=/ }],
}

/** Stands where a definition has its name, although no grammar sees one: in the body of a macro, or behind an error. */
export function looksDefined(language: string, before: string, after: string): boolean {
  if (definingForms[language]?.some((form) => form.before.test(before) && form.after.test(after))) return true
  if (!definingWords.test(before)) return false
  // In C the keyword stands before every use of a tag.
  return !/^(?:c|cpp)$/.test(language) || /^\s{0,8}(?:final\s{0,8})?[{:]/.test(after)
}

/** A line that begins with the name and goes on as a list does: of an enumeration, where the grammar lost its head. */
export function looksEnumerated(language: string, before: string, after: string): boolean {
  return (
    /^(?:c|cpp)$/.test(language) &&
    /(?:^|\n)[ \t]{0,39}$/.test(before) &&
    /^[ \t]{0,20}(?:[,}\n]|=(?!=)|$)/.test(after)
  )
}

/** Lines on which the file makes up the word as a name for what is elsewhere, or embeds a type by it. */
export function namingLines(facts: FileFacts, word: string): number[] {
  const aliases = facts.imports.flatMap((fact) => (isAlias(fact, word) ? [fact.line] : []))
  const embedded = facts.language === 'go' ? facts.supertypes : []
  return [...aliases, ...embedded.flatMap(({ name, line }) => (lastPart(name) === word ? [line] : []))]
}

/** `React` of `react` is the usual name, and none of the file's own. */
function isAlias({ local, imported, source }: ImportFact, word: string): boolean {
  return local === word && imported !== word && plain(lastPart(source)) !== plain(word)
}

function lastPart(name: string): string {
  return name.split(/[./:\\]/).findLast((part) => part !== '') ?? name
}

/** `leftPad` of `left-pad` is no other name, while `_rand` of `rand` is one. */
function plain(name: string): string {
  return name.replace(/[^\p{L}\p{N}_]/gu, '').toLowerCase()
}

/** Within the brackets of a macro of Rust, which may define what it is given; those that only write, compare or log do not. */
export function isGivenToMacro(text: string, offset: number): boolean {
  const from = Math.max(0, offset - longestMacro)
  let depth = 0
  for (let at = offset - 1; at >= from; at--) {
    const character = text.charAt(at)
    if (')]}'.includes(character)) depth++
    else if ('([{'.includes(character) && --depth < 0) {
      depth = 0
      const [, macro] = /(\w{1,60})!\s{0,8}$/.exec(text.slice(Math.max(from, at - 60), at)) ?? []
      if (macro !== undefined) return !plainMacro.test(macro)
    }
  }
  return false
}

/** A word further inside its brackets is taken to be outside. */
const longestMacro = 4_000

const plainMacro =
  /^(?:e?print(?:ln)?|format(?:_args)?|write(?:ln)?|panic|todo|unimplemented|unreachable|vec|dbg|matches|(?:debug_)?assert(?:_eq|_ne)?|trace|debug|info|warn|error|log|event|bail|ensure|anyhow|concat|stringify|include(?:_str|_bytes)?|env|option_env|cfg|compile_error|try|join|select|json|quote|thread_local)$/
