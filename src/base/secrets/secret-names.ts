/** Which names mean that their value is secret: those whose last word says so, whatever stands before. */

/** `password`: people choose its value. `key`: machines draw it. `maybe`: only a long random value counts. */
export type NameMeaning = 'password' | 'key' | 'maybe'

/** Words on which a search for such names begins. */
export const nameHints =
  'pass pwd secret token key credential auth signature salt dsn pepper jwt bearer'.split(' ')

const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

const chosen = wordSet(`
  password passwd pwd pass passphrase passcode passwort secret secrets userpass dbpass mypassword dbpassword
  dbpwd userpassword
`)
const drawn = wordSet(`
  token tokens credential credentials creds apikey accesskey secretkey privatekey authkey apitoken accesstoken
  authtoken apisecret clientsecret jwt bearer pepper dsn
`)
/** Before `key`; `publicKey`, `foreignKey` and `cacheKey` open nothing. */
const openers = wordSet(`
  api access private secret auth account signing sign encryption encrypt master service license storage client
  app application consumer admin root session cookie hmac deploy integration subscription server webhook
  shared registration live jwt aes crypto cipher decryption write ingest authorization fernet vault rest pass
  token
`)
/** Say nothing about what a name means when they stand at its end. */
const trailing = wordSet(`
  value val str string text plain raw base base64 b64 hex bytes current new old prev previous default prod
  production dev staging live env main primary secondary backup const literal data encoded fallback x
`)
/** Before a word that means secret: what has such a name opens nothing, `cacheKey`, `pageToken`. */
const notSecret = wordSet(`
  public pub cache primary foreign sort partition object map storage react row column index group translation
  i18n locale message lookup query dedupe idempotency routing registry hash hot short escape enter arrow csrf
  xsrf next page continuation cancel cancellation syntax parser lex lexer site host known ssh gpg fingerprint
  design color semantic theme style push device sync start end left right open close injection provider bot
`)

/** Null for a name that means no secret. */
export function meaningOf(name: string): NameMeaning | null {
  const parts = wordsOf(name)
  while (parts.length > 1 && trailing.has(parts.at(-1) ?? '')) parts.pop()
  const last = parts.at(-1) ?? ''
  const before = parts.at(-2) ?? ''
  if (chosen.has(last)) return notSecret.has(before) ? 'maybe' : 'password'
  if (drawn.has(last) || (last.endsWith('token') && last.length > 5))
    return notSecret.has(before) ? null : 'key'
  if (last === 'auth') return /^_auth$/.test(name.slice(-5)) || before === '' ? 'key' : 'maybe'
  if (last === 'key' || last === 'keys') {
    if (openers.has(before)) return 'key'
    return before === '' || notSecret.has(before) ? null : 'maybe'
  }
  if (last === 'salt' || last === 'signature') return 'maybe'
  return last.endsWith('password') || last.endsWith('passwd') || last.endsWith('secret')
    ? 'password'
    : last.endsWith('apikey')
      ? 'key'
      : null
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}
