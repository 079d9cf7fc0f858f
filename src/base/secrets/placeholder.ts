/** Tells a made-up value from one that could open something. */

const madeUp =
  /example|sample|dummy|fake|placeholder|changeme|change_me|replace|your[-_]|test|xxxx|\.\.\.|…|redacted|insert|todo|foobar|deadbeef|0123456789|1234567|abcdef|secret|password|token/i

/** References to a value that lies elsewhere: `${VAR}`, `process.env.X`, `<token>`, `{{ x }}`, `%s`. */
const reference = /[$<>{}%()[\]]|^(?:process|os|env|config|secrets|settings)\b|^[A-Z][A-Z0-9_]+$/

export function isPlaceholder(value: string): boolean {
  return madeUp.test(value) || reference.test(value) || /(.)\1{5}/.test(value)
}

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
