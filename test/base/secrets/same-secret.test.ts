/** Secrets are compared in one place: elsewhere nobody asks Node to compare in constant time, or compares with `===`. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isSameSecret } from '../../../src/base/secrets/same-secret.ts'

test('texts are the same or not, whatever their lengths', () => {
  expect(isSameSecret('', '')).toBe(true)
  expect(isSameSecret('secret', 'secret')).toBe(true)
  for (const given of ['', 'secre', 'secret ', 'Secret']) expect(isSameSecret(given, 'secret')).toBe(false)
})

test('it is the only comparison of its kind, and the only encryption is beside it', () => {
  const sources = globSync(['src/**/*.ts', 'action/*.ts']).map(
    (path) => [path, readFileSync(path, 'utf8')] as const,
  )
  const with_ = (words: RegExp) => sources.filter(([, text]) => words.test(text)).map(([path]) => path)
  expect(with_(/\btimingSafeEqual\b/)).toEqual(['src/base/secrets/same-secret.ts'])
  expect(with_(/\bcreate(?:C|Dec)ipheriv\b/)).toEqual(['src/base/secrets/lock-text.ts'])
  const named = /(?:[tT]oken|[sS]ecret|[sS]ignature|[cC]srf|\bmac) !?== (?!null|undefined|''|')/
  expect(with_(named)).toEqual([])
})
