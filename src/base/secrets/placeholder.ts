/** Tells a made-up value from one that could open something. */

/** A provider's form with a made-up filling (`ghp_xxxx…`, the key of a manual) opens nothing. */
export function isMadeUp(value: string): boolean {
  if (/example|<|>|\$\{|\*{3}|…|([^A])\1{7}/i.test(value)) return true
  const rest = without(value, typed)
  return rest !== value && (rest.length < 24 || entropy(rest) < 3.5)
}

/** What people type to fill a form. Next to a long random part it may be an id that happens to count up. */
const typed = /1234567890|abcdefghijk?l?m?n?o?p?q?r?s?t?u?v?w?x?y?z?|x{4,}/gi

/** As people write words and numbers; `TestiNg` came up by chance. */
const plainWord = /^(?:[A-Z]?[a-z]+(?:User)?|[A-Z]+|\d+)$/

function without(value: string, pattern: RegExp): string {
  return value.replace(pattern, (run) => (plainWord.test(run) ? '' : run))
}

/** Shannon entropy in bits per character. */
export function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

const saysSo =
  /example|sample|dummy|placeholder|changeme|change[-_]me|replace[-_]|your[-_]|\.\.\.|…|redacted|insert[-_]|foobar|deadbeef|(.)\1{7}/i

/** Short enough to come up in a random value, where the case of its letters would be mixed. */
const saysSoBriefly = /(?<![A-Za-z])(?:fake|Fake|FAKE|todo|TODO)|xxxx|XXXX/

/** The whole value stands for another: `$VAR`, `$DIR/a`, `%VAR%`, `<token>`, `process.env.X`, `DB_KEY_2`, `vault:path`. */
const reference =
  /^(?:(?:credentialsJSON|vault|op|ssm|keyvault|secretsmanager):.+|\$\w+|\$[A-Z_]+\/.*|\$\(.*\)|%\w+%|<.*>|@\w+@|\[.*\]|\(.*\)|(?:process|os|env|config|secrets|settings|ENV|System|self|this)\b[.[].*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[\w.]+\(.*\))$/
/** A part of it is put in later. */
const inserted = /\$\{|\{\{|#\{|\$\(|<%|%[sdvq@](?![A-Za-z0-9])|%\(\w+\)s|\{\w*\}/

/** Words of manuals, tests and forms; what is left of a value without them tells whether somebody drew it. */
const words =
  /test(?:ing|user)?|secret|password|passwd|token|abcdef|1234567|0123456789|example|sample|default|demo|hello|world|local|value|string/gi

export function isPlaceholder(value: string): boolean {
  if (saysSo.test(value) || saysSoBriefly.test(value) || reference.test(value) || inserted.test(value))
    return true
  const rest = without(value, words)
  return rest.length < value.length && (rest.length < 8 || entropy(rest) < 2.7)
}

/** Pairs of letters that make up most English words, and names in code. */
const frequentPairs = new Set(
  'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ss us pe na ge el la pr ac ca ho ta et ad em di lo tr id ct un im ec ns po so ot il mo no wi rs ut ow ap ai fo sh ul up ke ey bo do pa ab ag op ie am sa su us ir ol ig gh ty ly ts tt lt mp iv ev wa we vi ui'.split(
    ' ',
  ),
)
const fewestPairs = 8
const wordShare = 0.7
const mostChanges = 4

/** Whether its letters are those of words: about nine in ten pairs are in the list above, of random ones a sixth. */
export function isWordy(value: string): boolean {
  // In names, digits stand at the end of words; in random values, among the letters.
  if ((value.match(/[A-Za-z]\d|\d[A-Za-z]/g) ?? []).length > mostChanges) return false
  let pairs = 0
  let frequent = 0
  const small = value.toLowerCase()
  for (let at = 0; at + 1 < small.length; at++) {
    const pair = small.slice(at, at + 2)
    if (!/^[a-z]{2}$/.test(pair)) continue
    pairs++
    if (frequentPairs.has(pair)) frequent++
  }
  return pairs >= fewestPairs && frequent / pairs >= wordShare
}

const hexadecimal = /^(?:0x)?(?:[0-9a-f]{20,}|[0-9A-F]{20,})$/

/** Random enough to be a key: digits and letters mixed, and no words of a language, path, address or version. */
export function looksRandom(value: string): boolean {
  if (value.length < 16 || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false
  if (hexadecimal.test(value)) return entropy(value) >= 2.9
  if (/[:\\]|^[.~]|\.\w{2,4}$|^\d+(?:\.\d+)+/.test(value)) return false
  return entropy(value) >= 3.2 && !isWordy(value)
}

/** Random enough for what a file of settings keeps secret: letters with digits or signs, and no plain word or path. */
export function looksLikeSecretValue(value: string): boolean {
  return looksLikePassword(value) && !/^[a-z]+[-_]?\d{1,4}$/i.test(value)
}

/** Of two of these, or a digit, people make a password of a word. */
const signs = /[!@#$%^&*+=?~()]/g

/** What a form asks of a field, as frameworks of PHP write it: `required|string|min:8`, `required|min_length[8]|matches[again]`. */
function isFormRules(value: string): boolean {
  const rules = value.split('|')
  // A regular expression may have bars of its own.
  const pattern = rules.findIndex((rule) => /^(?:not_)?regex:\//.test(rule))
  const plain = pattern < 0 ? rules : rules.slice(0, pattern)
  return rules.length > 1 && plain.length > 0 && plain.every((rule) => formRule.test(rule))
}

const formRule = /^[a-z_]+(?::[\w,.]{1,30}|\[[\w,.]{1,30}\])?$/

/** The same for what is named a password: people make them of a word and a number, `summer2024`. */
export function looksLikePassword(value: string): boolean {
  const isVaried = /\d/.test(value) || new Set(value.match(signs)).size >= 2
  return (
    /[A-Za-z]/.test(value) &&
    isVaried &&
    !isPlaceholder(value) &&
    !isConventionalPassword(value, '') &&
    !isFormRules(value) &&
    !(value.startsWith('/') && entropy(value) < 4) &&
    !/^[.~]|:\/\/|^\w+(?:\.\w+)+$|^v?\d+(?:\.\d+)+|^\w+(?:\.\w+)*\([^()]*\)[;,]?$/i.test(value) &&
    entropy(value) >= (value.length < 16 ? 2.5 : 3.1)
  )
}

/** Words of which manuals, tests and containers for development make passwords; whoever wants in would try them anyway. */
const conventionalWords =
  /password|passwd|passphrase|pass|secret|admin|root|username|user|testing|test|guest|postgres|mysql|mongo|redis|rabbitmq|minio|change|other|wrong|invalid|dummy|default|token|key|foo|bar|baz|qux|abc|dev|pwd?|my|me|an?/gi

const conventional = /^(?:x-oauth-basic|1234\d*|\w{1,3})$/i

export function isConventionalPassword(value: string, user: string): boolean {
  if (value === user || conventional.test(value) || isMadeUp(value)) return true
  return /^(?:\$\{|\$\(|\$\w+$|%\w+%|%[sdv]|\{|<|\[|[(:*.…])|[{}<>]/.test(value) || isMadeOfWords(value)
}

/** `password`, `p%40ssw0rd123`, `other-password`: conventional words alone, however they are spelled. */
function isMadeOfWords(value: string): boolean {
  const spelled = unescaped(value)
    .replaceAll('@', 'a')
    .replaceAll('$', 's')
    .replace(/[A-Za-z]0/g, (pair) => `${pair[0]}o`)
  const rest = spelled.replace(conventionalWords, '')
  return rest.length < spelled.length && /^[-_. ]{0,4}\d{0,4}!?$/.test(rest)
}

/** As it was before it was written into an address. */
function unescaped(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
