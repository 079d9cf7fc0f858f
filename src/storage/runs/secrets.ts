/**
 * Keeps secrets out of what is written of a run. Keys of this machine are known by their value, all others by their form.
 *
 * Most text is blanked. What a replay needs word for word is not: each secret in it is written as a made-up one of the same
 * form, and the real ones are sealed with a key that never leaves this machine. No bucket and no export holds it, and a run
 * that is replayed elsewhere has the made-up ones.
 */

import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { canonicalJson } from '../../base/canonical-json.ts'
import { compareText } from '../../base/compare-text.ts'
import { writeWhole } from '../../base/durable.ts'
import { findSecrets } from '../../base/secrets/find-secrets.ts'
import { keyBytes, lockText, nonceBytes, tagBytes, unlockText } from '../../base/secrets/lock-text.ts'
import { joinForSearch, redactStrings, withoutValues } from '../../base/secrets/redact.ts'
import { isOwnWork, JournalAnswer, type JournalRequest } from '../../domain/journal.ts'

/** A shorter value would be found in ordinary words. */
const shortest = 12

const keyName = /key|token|secret|passw|credential|auth/i

/** Longest first. `names`: variables that hold keys whatever they are called. */
export function keyValues(environment: NodeJS.ProcessEnv, names: readonly string[] = []): string[] {
  const values = Object.entries(environment).flatMap(([name, value = '']) =>
    (names.includes(name) || keyName.test(name)) && isKey(value) ? [value] : [],
  )
  return [...new Set(values)].sort((a, b) => b.length - a.length || compareText(a, b))
}

/** Not the path of a key file, an address or a plain word, which may stand in any prompt. */
function isKey(value: string): boolean {
  return (
    value.length >= shortest && /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[./~]|\s|:\/\//.test(value)
  )
}

/** Plain JSON values only; keys of objects stay. The very same value when nothing is found. */
export type Blanker = <Value>(value: Value) => Value

export function createBlanker(keys: readonly string[]): Blanker {
  return (value) => redactStrings(mapStrings(value, (text) => withoutValues(text, keys)))
}

/** The very same value when no string changes. */
function mapStrings<Value>(value: Value, change: (text: string) => string): Value {
  let isChanged = false
  const text = JSON.stringify(value, (_key, inner) => {
    if (typeof inner !== 'string') return inner
    const changed = change(inner)
    isChanged ||= changed !== inner
    return changed
  })
  return isChanged ? JSON.parse(text) : value
}

/** The header of ours in which sealed secrets stand. */
const sealedHeader = 'sightline-sealed'
/** With which the gateway marks a body that is no text. */
const bytesHeader = 'sightline-bytes'

export type AnswerPlace = {
  /** Of the key that seals. */
  folder: string
  blanker: Blanker
  /** Values of keys. */
  keys: readonly string[]
}

/**
 * The content of the object. A model's answer was cleaned before anybody used it, so that blanking it changes nothing.
 * What a service or a tool said was used as it is, and a replay needs it as it was.
 */
export function packAnswer(
  request: JournalRequest,
  answer: JournalAnswer,
  { folder, blanker, keys }: AnswerPlace,
): string {
  // Binary frames were cleaned before they were written in base64, in which forms of secrets mean nothing.
  if (answer.headers[bytesHeader] === 'base64') return canonicalJson(answer)
  if (!isOwnWork(request) || !isJson(answer.body)) return canonicalJson(blanker(answer))
  const { text, sealed } = sealSecrets(answer.body, keys, folder)
  const headers = sealed === null ? answer.headers : { ...answer.headers, [sealedHeader]: sealed }
  return canonicalJson({ ...answer, headers, body: text })
}

/** Null for what is no answer. On another machine what was sealed stays made up. */
export function readAnswer(content: string | null, folder: string): JournalAnswer | null {
  if (content === null || !isJson(content)) return null
  const read = JournalAnswer.safeParse(JSON.parse(content))
  if (!read.success) return null
  const { [sealedHeader]: sealed = null, ...headers } = read.data.headers
  if (sealed === null) return read.data
  return {
    ...read.data,
    headers,
    body: openSealed({ text: read.data.body, sealed }, folder) ?? read.data.body,
  }
}

const Pairs = z.array(z.tuple([z.string(), z.string()]))

export type Sealed = {
  /** The same JSON without secrets. */
  text: string
  /** Null when there were none. */
  sealed: string | null
}

/** `text` is JSON; `keys` are values that count as secrets wherever they stand. */
export function sealSecrets(text: string, keys: readonly string[], folder: string): Sealed {
  const values = new Set(keys.filter((key) => text.includes(inJson(key))))
  for (const joined of joinForSearch(stringsIn(text)))
    for (const { value, hidden } of findSecrets(joined)) {
      if (value.includes('\u0000')) continue
      // A key over several lines, line by line: in a JSON text they may stand apart.
      if (hidden.length > 1) for (const { start, end } of hidden) values.add(joined.slice(start, end))
      else values.add(value)
    }
  if (values.size === 0) return { text, sealed: null }
  const longestFirst = [...values].sort((a, b) => b.length - a.length)
  const pairs = longestFirst.map((value): [string, string] => [value, madeUp(value)])
  const clean = pairs.reduce((rest, [value, stand]) => rest.replaceAll(inJson(value), inJson(stand)), text)
  return { text: clean, sealed: lock(JSON.stringify(pairs), folder) }
}

/** Null when the key of this machine does not open it. */
export function openSealed({ text, sealed }: Sealed, folder: string): string | null {
  if (sealed === null) return text
  try {
    const pairs = Pairs.parse(JSON.parse(unlock(sealed, folder)))
    return pairs.reduce((rest, [value, stand]) => rest.replaceAll(inJson(stand), inJson(value)), text)
  } catch {
    return null
  }
}

function lock(text: string, folder: string): string {
  const { nonce, tag, bytes } = lockText(text, machineKey(folder, true))
  return Buffer.concat([nonce, tag, bytes]).toString('base64')
}

function unlock(sealed: string, folder: string): string {
  const all = Buffer.from(sealed, 'base64')
  const [nonce, rest] = [all.subarray(0, nonceBytes), all.subarray(nonceBytes)]
  const locked = { nonce, tag: rest.subarray(0, tagBytes), bytes: rest.subarray(tagBytes) }
  return unlockText(locked, machineKey(folder, false))
}

/** Made with the first secret that is to be sealed. */
function machineKey(folder: string, mayMake: boolean): Buffer {
  const path = join(folder, 'key')
  try {
    return readFileSync(path)
  } catch (error) {
    if (!mayMake) throw error
    // Of two processes that make one, the second finds that of the first.
    writeWhole(path, randomBytes(keyBytes), { replace: false })
    return readFileSync(path)
  }
}

/** Letters for letters and digits for digits behind what makes the form, so that it is found as the real one was. */
function madeUp(value: string): string {
  const form =
    /^(?:[A-Za-z]{2,12}(?:[-_.][a-z]{2,8}\d{0,2}){0,2}[-_.]|AKIA|ASIA|AIza|.{1,4})/.exec(value)?.[0] ?? ''
  const letters = /[g-z]/.test(value) ? 'abcdefghijklmnopqrstuvwxyz' : 'abcdef'
  const rest = value.slice(form.length).replace(/-----[A-Z ]+-----|[A-Za-z0-9]/g, (one) => {
    if (one.length > 1) return one
    if (/\d/.test(one)) return String(randomInt(2, 8))
    const letter = letters[randomInt(letters.length)] ?? 'a'
    return /[A-Z]/.test(one) ? letter.toUpperCase() : letter
  })
  return form + rest
}

/** The id of an object of git: a listing has one for each file, and no form of a secret is found in them. */
const objectId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** Every distinct string of a JSON text, keys too, without ids of objects. The text is not parsed: the whole value would be in memory once more. */
function stringsIn(json: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (let start = json.indexOf('"'); start >= 0; ) {
    let end = json.indexOf('"', start + 1)
    while (end > 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
    if (end < 0) throw new SyntaxError('a string without an end')
    const inner = json.slice(start + 1, end)
    if (!objectId.test(inner)) found.add(inner.includes('\\') ? JSON.parse(`"${inner}"`) : inner)
    start = json.indexOf('"', end + 1)
  }
  return found
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0
  while (json[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/** As it stands in a JSON text. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
