/**
 * Secrets in what a replay needs word for word. What is read of the repository is masked when it is collected; this is for
 * what comes from elsewhere: keys of this machine, and whatever a model or a service said. Each is written as a made-up
 * one of the same form, and the real ones are sealed with a key that never leaves this machine: no export holds it, and a
 * run that is imported elsewhere is replayed with the made-up ones.
 */
import { createCipheriv, createDecipheriv, randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeWhole } from '../../base/durable.ts'
import { findSecrets } from '../../base/secrets/find-secrets.ts'

const cipher = 'aes-256-gcm'
const [keyBytes, nonceBytes, tagBytes] = [32, 12, 16]

/** Between strings that are searched together; a secret that spans it is none. */
const separator = '\n\u0000\n'

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
  const joined = stringsIn(JSON.parse(text)).join(separator)
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
  const nonce = randomBytes(nonceBytes)
  const lock = createCipheriv(cipher, machineKey(folder, true), nonce)
  const locked = Buffer.concat([lock.update(text, 'utf8'), lock.final()])
  return Buffer.concat([nonce, lock.getAuthTag(), locked]).toString('base64')
}

function unlock(sealed: string, folder: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const nonce = bytes.subarray(0, nonceBytes)
  const lock = createDecipheriv(cipher, machineKey(folder, false), nonce, { authTagLength: tagBytes })
  lock.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return lock.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + lock.final('utf8')
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

function stringsIn(value: unknown): string[] {
  const found = new Set<string>()
  const visit = (inner: unknown): void => {
    if (typeof inner === 'string') found.add(inner)
    else if (Array.isArray(inner)) for (const item of inner) visit(item)
    else if (inner !== null && typeof inner === 'object')
      for (const [key, item] of Object.entries(inner)) {
        found.add(key)
        visit(item)
      }
  }
  visit(value)
  return [...found]
}

/** As it stands in a JSON text. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
