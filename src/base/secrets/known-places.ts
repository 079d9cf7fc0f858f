/** Secrets that are found by where they stand: passwords in addresses and login files, and the second half of an AWS key. */
import type { SecretMatch, TextRange } from './contract.ts'
import { entropy, isConventionalPassword, isMadeUp } from './placeholder.ts'

const address =
  /:\/\/([^\s:@/"'`<>]{0,100}):([^\s@/"'`<>]{1,200})@([\w.-]{1,253}|\[[0-9a-f:]{2,45}\]|[$%{][^\s/"'`]{1,100})/gi

/**
 * The machine itself, and the names that are reserved for tests and manuals (RFC 2606). A name such as `redis-prod` or `db`
 * may be any host of a network.
 */
const nobodysHost =
  /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[::1\])$|\.(?:test|invalid|example)$|(?:^|\.)example\.(?:com|net|org)$/i

/** Passwords in addresses: `postgres://app:…@db-1.internal/orders`. */
export function findAddressPasswords(text: string): SecretMatch[] {
  if (!text.includes('://')) return []
  return [...text.matchAll(address)].flatMap((match) => {
    const [whole, user = '', password = '', host = ''] = match
    if (isConventionalPassword(password, user)) return []
    const start = match.index + whole.length - host.length - 1 - password.length
    return [
      onOneLine('password in an address', password, start, { certain: false, local: nobodysHost.test(host) }),
    ]
  })
}

const login = /\bpassword\s{1,10}(\S{1,200}?(?=["'`][,;)\]}]{0,5}(?:\s|$)|\s|$)|\S{1,200})/g
/** The other words of an entry stand before or behind it, in any order. */
const entryReach = 300

/** Passwords in a `.netrc`, or in a quoted line of one: the quote that ends it stays. */
export function findLoginPasswords(text: string): SecretMatch[] {
  if (!text.includes('password') || !text.includes('login')) return []
  return [...text.matchAll(login)].flatMap((match) => {
    const [whole, password = ''] = match
    const entry = text.slice(Math.max(0, match.index - entryReach), match.index + whole.length + entryReach)
    if (!/\b(?:machine\s{1,10}\S|default\s{1,10}\w)/.test(entry) || !/\blogin\s{1,10}\S/.test(entry))
      return []
    if (isConventionalPassword(password, '')) return []
    const start = match.index + whole.length - password.length
    return [onOneLine('password of a login', password, start, { certain: false, local: false })]
  })
}

const base64Key = /(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g
/** The two halves of an AWS key stand side by side, or one below the other. */
const pairReach = 300

/** The secret half of an AWS key by the id next to it, whatever it is called. `ids` in order of place. */
export function findAwsPairs(text: string, ids: readonly TextRange[]): SecretMatch[] {
  const near: TextRange[] = []
  for (const { start, end } of ids) {
    const last = near.at(-1)
    if (last && start - pairReach <= last.end) last.end = end + pairReach
    else near.push({ start: Math.max(0, start - pairReach), end: end + pairReach })
  }
  return near.flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(base64Key)].flatMap(({ index, 0: value }) => {
      const isKey = /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && entropy(value) > 4.2
      if (!isKey || isMadeUp(value)) return []
      return [onOneLine('AWS secret access key', value, start + index, { certain: true, local: false })]
    }),
  )
}

function onOneLine(
  kind: string,
  value: string,
  start: number,
  how: Pick<SecretMatch, 'certain' | 'local'>,
): SecretMatch {
  const end = start + value.length
  return { kind, value, start, end, hidden: [{ start, end }], ...how }
}
