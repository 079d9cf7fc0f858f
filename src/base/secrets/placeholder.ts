/** Tells a made-up value from one that could open something. */

const madeUp =
  /example|sample|dummy|fake|placeholder|changeme|change_me|change-me|replace|your[-_]|test|xxxx|\.\.\.|…|redacted|insert|todo|foobar|deadbeef|0123456789|1234567|abcdef|secret|password|token/i

/** References to a value that lies elsewhere: `${VAR}`, `process.env.X`, `<token>`, `{{ x }}`, `%s`. */
const reference = /[$<>{}%()[\]]|^(?:process|os|env|config|secrets|settings)\b|^[A-Z][A-Z0-9_]+$/

export function isPlaceholder(value: string): boolean {
  return madeUp.test(value) || reference.test(value) || /(.)\1{5}/.test(value)
}

/** A provider's form with a made-up filling (`ghp_xxxx…`, the key of a manual) opens nothing. */
export function isMadeUp(value: string): boolean {
  if (/example|xxxx|<|>|\$\{|\*{3}|…|([^A])\1{7}/i.test(value)) return true
  const rest = value.replace(counted, '')
  return rest !== value && (rest.length < 24 || entropy(rest) < 3.5)
}

/** What people type to fill a form. Next to a long random part it may be an id that happens to count up. */
const counted = /1234567890|abcdefghijk?l?m?n?o?p?q?r?s?t?u?v?w?x?y?z?/gi

/** Shannon entropy in bits per character. */
export function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

/** Random enough to be a key: digits and letters mixed, and no words of a language or a path. */
export function looksRandom(value: string): boolean {
  return (
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !/[/\\:]|\.\w{2,4}$/.test(value) &&
    !/[a-z]{8}|[A-Z]{8}|(?:[-_.][a-z]+){2}/.test(value) &&
    entropy(value) >= 3.7
  )
}

/** Random enough for what a file of settings keeps secret: letters with digits or signs, and no plain word or path. */
export function looksLikeSecretValue(value: string): boolean {
  return looksLikePassword(value) && !/^[a-z]+[-_]?\d{1,4}$/i.test(value)
}

/** The same for what is named a password: people make them of a word and a number, `summer2024`. */
export function looksLikePassword(value: string): boolean {
  return (
    /[A-Za-z]/.test(value) &&
    /\d/.test(value) &&
    !isPlaceholder(value) &&
    !isConventionalPassword(value, '') &&
    !/^[./~]|:\/\/|^\w+(?:\.\w+)+$|^v?\d+(?:\.\d+)+/i.test(value) &&
    entropy(value) >= (value.length < 16 ? 2.7 : 3.2)
  )
}

/** Words of which manuals, tests and containers for development make passwords; whoever wants in would try them anyway. */
const conventionalWords =
  /password|passwd|passphrase|pass|secret|admin|root|username|user|testing|test|guest|postgres|mysql|mongo|redis|rabbitmq|minio|change|other|wrong|invalid|dummy|default|token|key|foo|bar|baz|qux|abc|dev|pwd?|my|me|an?/gi

const conventional = /^(?:x-oauth-basic|1234\d*|\w{1,3})$/i

export function isConventionalPassword(value: string, user: string): boolean {
  if (value === user || conventional.test(value) || isMadeUp(value)) return true
  return /^[$%{<[(:*.…]|[{}<>]/.test(value) || isMadeOfWords(value)
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
