/**
 * Values that are given to names that mean secret, in code of any language and in files of settings. Read without a grammar,
 * since pieces of code must be read too: a hunk, a sentence of a model, a line of a log. From the name on, one pattern for each
 * way in which languages bind a value.
 */
import type { SecretMatch, TextRange } from './contract.ts'
import { isPlaceholder, looksLikePassword, looksLikeSecretValue, looksRandom } from './placeholder.ts'
import { meaningOf, type NameMeaning } from './secret-names.ts'

const longestName = 100

/**
 * What stands between a name and its literal:
 *   name = "v"   name: T = "v"   name T = "v"   name[] = "v"   "name" => "v"   name -> "v"   name := "v"   name { get; set; } = "v"
 *   env.NAME ?? "v"   getenv("NAME", "v")   var("NAME").unwrap_or("v")   setName("v")   name{"v"}   value="v" behind it
 */
const toLiteral =
  /["'`]?[\])]{0,2}(?:["'`)\] \t,]{0,8}(?:\r?\n[ \t]{0,40})?["'`]?(?:value|default|Value)["'`]?[ \t]{0,8}[:=]|[?!]?[ \t]{0,40}(?::[ \t]{0,8}[&*'\w<>[\]|?.]{1,40}(?: [&*'\w<>[\]|?.]{1,40}){0,3}[ \t]{0,8}=(?![=~>])|=>|->|:=|\?\?=?|\|\|=?|\?=|\?:|\+=|=(?![=~>])|::?(?![:/])|,|\(|\{(?! )|or\b|to\b|default\b)|[ \t]{1,8}[*&\w.[\]<>]{1,40}[ \t]{0,40}=(?![=~>])|\[\w{0,12}\][ \t]{0,8}=|[ \t]{0,8}\{[ \t]{0,4}get;[^{}"'\n]{0,30}\}[ \t]{0,4}=|\)?\??\.(?:unwrap_or|unwrap_or_else|unwrap_or_default|getOrElse|orElse|or_else|or)\([^"'`\n]{0,12}|["'][ \t]{0,4}\{[^{}"'\n]{0,40}\n[^{}"'=]{0,200}?default[ \t]{0,8}=|[ \t]{1,8}(?=["']))[ \t]{0,40}(?:\r?\n[ \t]{0,80})?(?:(?:new )?[\w.:!&*[\]]{1,40}[([][ \t]{0,4}){0,2}(?:[brfuLs@$&]|[bsru]r|u8)?#{0,3}(?=["'`])/y

const quoted =
  /"""([^"\n]{4,400})|'''([^'\n]{4,400})|"((?:[^"\\\n]|\\.){4,400})(?:"|$)|'((?:[^'\\\n]|\\.){4,400})(?:'|$)|`((?:[^`\\\n]|\\.){4,400})(?:`|$)/y

/** `NAME=v`, `name: v`, `--name v`, `<name>v<`, `&name=v&`, `${NAME:-v}`, and a block of YAML. */
const toBare =
  /["']?(?:[ \t]{0,40}(?:=>|:=|[?+]?=(?![=~>])|:(?=[ \t\r\n]|-|=)-?)[ \t]{0,40}(?:[|>][-+]?\d?[ \t]{0,4}\r?\n[ \t]{1,40})?|[ \t]{0,4}\r?\n[ \t]{1,40}(?:value|default):[ \t]{1,8}|>|[ \t]{1,4})/y
const bare = /[^\s"'`<>][^\s<>]{5,399}/y

export function findAssigned(text: string, hit: number, seen: { until: number }): SecretMatch[] {
  if (hit < seen.until) return []
  const name = nameAt(text, hit)
  seen.until = name.end
  const meaning = meaningOf(text.slice(name.start, name.end))
  if (meaning === null) return []
  return literalBehind(text, name, meaning) ?? bareBehind(text, name, meaning)
}

function nameAt(text: string, hit: number): TextRange {
  let [start, end] = [hit, hit]
  while (start > 0 && hit - start < longestName && isNamePart(text.charCodeAt(start - 1))) start--
  while (end < text.length && end - hit < longestName && isNamePart(text.charCodeAt(end))) end++
  // `password->value` and `key-->`: the sign belongs to what follows.
  while (end > hit && !isWordPart(text.charCodeAt(end - 1))) end--
  return { start, end }
}

function isWordPart(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  )
}

function isNamePart(code: number): boolean {
  return isWordPart(code) || code === 45 || code === 46 || code === 36
}

const verbs =
  /^(?:get|has|is|find|parse|validate|check|verify|hash|fetch|read|load|extract|require|expect|assert|to|from|match|test|describe|it)(?![a-z])/

/** Null when no literal follows. */
function literalBehind(text: string, name: TextRange, meaning: NameMeaning): SecretMatch[] | null {
  toLiteral.lastIndex = name.end
  const between = toLiteral.exec(text)?.[0]
  if (between === undefined) return null
  quoted.lastIndex = name.end + between.length
  const literal = quoted.exec(text)
  if (!literal) return null
  const isNamed = /["'`]/.test(between.charAt(0))
  const sign = between
    .replace(/^["'`\])]+/, '')
    .trimStart()
    .charAt(0)
  // A second argument belongs to the first where that one is a name in quotes; a call sets only what it is called for.
  if ((sign === ',' || sign === 't') && !isNamed) return null
  // Some languages call without brackets: `find_user_by_token "…"`.
  const isCall = sign === '(' || (sign === '' && !isNamed)
  if (isCall && (isNamed || verbs.test(text.slice(name.start, name.end)))) return null
  const value = literal.slice(1).find((one) => one !== undefined) ?? ''
  const start = literal.index + literal[0].indexOf(value)
  if (isSearchKey(text, start, value) || isItsName(value, text.slice(name.start, name.end))) return []
  return isSecretLiteral(value, meaning) ? [assigned(value, start, meaning)] : []
}

/** A member of an enumeration: `authenticationMD5Password = 'authenticationMD5Password'`. */
function isItsName(value: string, name: string): boolean {
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return letters(value) === letters(name)
}

/** The other settings of a search on a page stand beside it. */
const searchReach = 200

/** The key with which every reader's browser asks a hosted search for documents; it is public, and can do nothing else. */
function isSearchKey(text: string, start: number, value: string): boolean {
  const around = text.slice(Math.max(0, start - searchReach), start + value.length + searchReach)
  return /^[0-9a-f]{32}$/.test(value) && /\bindexName\b/.test(around) && /\bapi_?key\b/i.test(around)
}

function isSecretLiteral(value: string, meaning: NameMeaning): boolean {
  if (/\s/.test(value)) return false
  if (meaning === 'password') return value.length >= 8 && looksLikePassword(value)
  return value.length >= (meaning === 'key' ? 16 : 20) && !isPlaceholder(value) && looksRandom(value)
}

/** Before a name in a line of settings. */
const lineStart =
  /(?:^|\n)[ \t]{0,40}(?:[-*#;>|+\d.: ]{0,12})(?:(?:export|set|setx|ENV|ARG|env|-e|--env|local|readonly|declare -x|\$env:)[ \t]{1,4})?["']?$/
const longestStart = 80

function bareBehind(text: string, name: TextRange, meaning: NameMeaning): SecretMatch[] {
  toBare.lastIndex = name.end
  const between = toBare.exec(text)?.[0]
  if (between === undefined) return []
  bare.lastIndex = name.end + between.length
  const found = bare.exec(text)?.[0]
  if (found === undefined) return []
  const before = text.slice(Math.max(0, name.start - longestStart), name.start)
  const value = valueIn(found, { between, before, name: text.slice(name.start, name.end) })
  if (value === null) return []
  const start = bare.lastIndex - found.length
  const isAlone = /^[ \t]{0,40}(?:[;#/]|,?[ \t]{0,4}(?:\r?\n|\r|$|\\))/.test(
    text.slice(start + value.length, start + value.length + 60),
  )
  const isCapitals = /^[-$]{0,2}[A-Z0-9_]+$/.test(text.slice(name.start, name.end))
  if (!isAlone && !isCapitals && !isMarkedUp(before, between, text.slice(name.start, name.end))) return []
  return isSecretBare(value, meaning, isCapitals) ? [assigned(value, start, meaning)] : []
}

/** `<password>`, `?token=`, `--password`. */
function isMarkedUp(before: string, between: string, name: string): boolean {
  return between === '>' ? before.endsWith('<') : /[?&;]$/.test(before) || name.startsWith('--')
}

type BareContext = { between: string; before: string; name: string }

/** The address of a picture or a recording that hands out this one file, as whoever reads the page gets it. */
const ofMedia = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|mp[34]|webm|mov|pdf|woff2?)\?[^\s"'`]{0,80}$/i

/** How far the value goes; null where such a value is not one of settings. */
function valueIn(found: string, { between, before, name }: BareContext): string | null {
  if (/(?:value|default):[ \t]+$/.test(between)) return withoutEnd(found)
  if (between.endsWith('>')) return before.endsWith('<') ? found : null
  if (ofMedia.test(before)) return null
  if (/[?&]$/.test(before)) return /^=/.test(between) ? (/^[^&#"'`;,)\]}]+/.exec(found)?.[0] ?? null) : null
  if (before.endsWith('${')) return /^[^}]+/.exec(found)?.[0] ?? null
  if (before.endsWith(';')) return /^[^;"'`]+/.exec(found)?.[0] ?? null
  if (name.startsWith('--')) return /^=|^[ \t]/.test(between) ? withoutEnd(found) : null
  const isLine = lineStart.test(before)
  if (/^[ \t]+$/.test(between))
    return isLine && /(?:ENV|ARG|_auth|set)[ \t]+$/.test(before) ? withoutEnd(found) : null
  if (/^[A-Z0-9_]+$/.test(name) && between === '=') return withoutEnd(found)
  return isLine ? withoutEnd(found) : null
}

/** Without what ends a string, an argument or a statement around it. */
function withoutEnd(found: string): string {
  let value = /^[^"'`]+/.exec(found)?.[0] ?? ''
  while (/[,;\\]$/.test(value) || (/[)\]}]$/.test(value) && !isBalanced(value))) value = value.slice(0, -1)
  return value
}

function isBalanced(value: string): boolean {
  return (value.match(/[([{]/g) ?? []).length === (value.match(/[)\]}]/g) ?? []).length
}

/** A call, an index, the beginning of one over several lines, and the type of a parameter. */
const isCode =
  /^[\w$.]+(?:\([^()]*\)|\[[^[\]]*\])|[([{]$|^(?:Big)?(?:U?[Ii]nt|[Ff]loat)\d{1,2}(?:Clamped)?(?:Array)?$/

function isSecretBare(value: string, meaning: NameMeaning, isCapitals: boolean): boolean {
  if (value.length < 8 || isCode.test(value)) return false
  if (meaning === 'password') return looksLikePassword(value)
  if (meaning === 'key' && isCapitals && looksLikeSecretValue(value)) return true
  return value.length >= (meaning === 'key' ? 16 : 20) && !isPlaceholder(value) && looksRandom(value)
}

function assigned(value: string, start: number, meaning: NameMeaning): SecretMatch {
  const end = start + value.length
  return {
    kind: meaning === 'password' ? 'password' : 'value of a secret',
    value,
    start,
    end,
    certain: false,
    local: false,
    hidden: [{ start, end }],
  }
}
