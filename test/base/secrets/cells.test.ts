/** Secrets in every dress: a sample of `npm run test:red-team -- --only cells`, and each that once got out. */
import { expect, test } from 'vitest'
import { findSecrets } from '../../../src/base/secrets/find-secrets.ts'
import { issuers } from '../../../src/base/secrets/issuers/registry.ts'
import { redactText } from '../../../src/base/secrets/redact.ts'
import { Random } from '../../helpers/random.ts'
import { drawToken } from '../../red-team/secrets/draw-token.ts'
import { runCells } from '../../red-team/secrets/run-cells.ts'

const seed = 20_261_124

test('no cell leaks, and nothing harmless is an alarm', () => {
  const { leaks, alarms, harmless } = runCells(new Random(seed), 1200)
  expect(leaks).toEqual([])
  expect(alarms).toEqual([])
  expect(harmless).toBeGreaterThan(100)
})

test('the table has at least 150 forms, and each is found behind a word character where it needs no boundary', () => {
  const random = new Random(seed)
  expect(new Set(issuers.map(({ hint }) => hint)).size).toBeGreaterThanOrEqual(150)
  for (const form of issuers) {
    const before = form.pattern.source.startsWith('(?<') ? '"' : 'X_'
    const text = `a = 1\n${before}${drawToken(form, random)}`
    expect([form.kind, form.hint, findSecrets(text).length]).toEqual([form.kind, form.hint, 1])
  }
})

const drawn = 'k7Qm2ZxV9bTr4LwN'
const token = `${'ghp_'}${drawn}${drawn}c8Yd`

test.each([
  ['behind a word character', `X_${token}`, token.slice(4)],
  ['behind an escaped line feed', `"TOKEN=\\n${token}"`, token.slice(4)],
  ['TypeScript', `const apiKey: string = "${drawn}"`, drawn],
  ['Rust', `let api_key: &'static str = "${drawn}";`, drawn],
  ['Go', `var apiKey string = "${drawn}"`, drawn],
  ['Kotlin', `val apiKey: String = "${drawn}"`, drawn],
  ['Swift', `let apiKey: String? = "${drawn}"`, drawn],
  ['a fallback', `const key = env.API_KEY ?? "${drawn}"`, drawn],
  ['aligned', `api_key          = "${drawn}"`, drawn],
  ['a comment behind it', `password: ${drawn} # prod`, drawn],
  ['JSON in a string', `const a = "{\\"password\\": \\"${drawn}\\"}"`, drawn],
  ['32 hexadecimal digits', `apiKey = "${'9f86d081884c7d65'}${'2ea11b5cd3e8f740'}"`, '2ea11b5c'],
  ['signs', `password = "k7$Qm%2Zx(9b"`, '$Qm%2Zx('],
  ['the word Test', `password = "Test${drawn}"`, drawn],
  ['four crosses by chance', `password = 'pi${drawn.slice(0, 4)}xXxxw3(x7'`, 'xXxxw3'],
  ['a word by chance', `password = 'TestiNg5${drawn.slice(2, 8)}'`, 'iNg5'],
  ['.netrc, password first', `machine api.shop.io password ${drawn} login tom`, drawn],
  ['_auth', `_auth = ${Buffer.from(`tom:${drawn}`).toString('base64')}`, 'a7Qm'],
  ['glimt-', `${'glimt-'}${drawn}${drawn}`, drawn],
  ['glffct-', `${'glffct-'}${drawn}${drawn}`, drawn],
])('%s', (_name, text, hidden) => {
  expect(redactText(text)).not.toContain(hidden)
  expect(findSecrets(text).length).toBeGreaterThan(0)
})

test.each([
  'export CREDENTIALS=$KEYSTORE_DIR/72523_go_integration_service_account',
  'PASSWORD_MIN_LENGTH=8characters',
  'const tokenType = "bearer2header"',
  'passwordHint: "orchard1234"',
  'secret_name = "orders-db-secret-2"',
])('%s is no secret', (text) => {
  expect(findSecrets(text)).toEqual([])
})
