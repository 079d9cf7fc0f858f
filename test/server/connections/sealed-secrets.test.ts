/** What the server keeps sealed opens with its key and in its place only, and not at all once a byte of it was changed. */
import { expect, test } from 'vitest'
import { openSealer } from '../../../src/server/connections/sealed-secrets.ts'

const key = 'a secret key of this test, long enough'
const sealer = openSealer(key)
const text = 'the private key of an App, ünd more'
const refused = { code: 'server-unusable', message: expect.stringContaining('`secretKey` is not the one') }

test('it opens again after a restart, and shows nothing of itself', () => {
  const sealed = sealer.seal(text, 'app github')
  expect(openSealer(key).open(sealed, 'app github')).toBe(text)
  expect(sealed).toMatch(/^v1:[\w+/=]{16}:[\w+/=]+:[\w+/=]{24}$/)
  for (const part of sealed.split(':')) expect(Buffer.from(part, 'base64').toString()).not.toContain('App')
  expect(sealer.seal(text, 'app github')).not.toBe(sealed)
})

test('the form of what earlier versions sealed opens still', () => {
  const kept = 'v1:qXvUb8PzsTPDD+La:2jkQR0Q=:wCDtbFkaLIrCnkiYX3EJUQ=='
  expect(sealer.open(kept, 'app github')).toBe('plain')
})

test('another key, another place, and a change of any byte are refused', () => {
  const sealed = sealer.seal(text, 'app github')
  const refusedAs = (given: string, purpose = 'app github', opener = sealer) =>
    expect(() => opener.open(given, purpose)).toThrow(expect.objectContaining(refused))
  refusedAs(sealed, 'app github', openSealer(`${key}.`))
  refusedAs(sealed, 'app gitlab')
  refusedAs(sealed.replace('v1', 'v2'))
  const [version, ...parts] = sealed.split(':')
  for (const [at, part] of parts.entries()) {
    const bytes = Buffer.from(part, 'base64')
    for (const place of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[place] = (changed[place] ?? 0) ^ 1
      refusedAs([version, ...parts.with(at, changed.toString('base64'))].join(':'))
    }
    refusedAs([version, ...parts.toSpliced(at, 1)].join(':'))
  }
  for (const odd of ['', 'v1', 'v1:::']) refusedAs(odd)
})

test('a tag that was cut to what can be guessed is refused', () => {
  const [version, nonce, bytes, tag = ''] = sealer.seal(text, 'app github').split(':')
  const short = Buffer.from(tag, 'base64').subarray(0, 4).toString('base64')
  expect(() => sealer.open([version, nonce, bytes, short].join(':'), 'app github')).toThrow(
    expect.objectContaining(refused),
  )
})
