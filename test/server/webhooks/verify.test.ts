/** What proves a delivery genuine, host by host, in every way that it may be wrong. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Delivery } from '../../../src/server/webhooks/contract.ts'
import { webhooksOf } from '../../../src/server/webhooks/registry.ts'

const receivedAt = Date.parse('2026-11-30T12:00:00Z')
const signing = `whsec_${Buffer.from('a key of this test').toString('base64')}`
const body = Buffer.from('{}')
const sign = (id: string, seconds: number, key = 'a key of this test') =>
  `v1,${createHmac('sha256', key).update(`${id}.${seconds}.{}`).digest('base64')}`
const now = receivedAt / 1000
const verify = (headers: Delivery['headers'], secrets: string[]) =>
  webhooksOf('gitlab').verify({ headers, body, receivedAt }, secrets)
const signedAt = (seconds: number, signature = sign('w', seconds)) =>
  verify({ 'webhook-id': 'w', 'webhook-timestamp': String(seconds), 'webhook-signature': signature }, [
    signing,
  ])

test('GitLab: a signature holds for five minutes, before and after', () => {
  expect([signedAt(now), signedAt(now - 300), signedAt(now + 300)]).toEqual([null, null, null])
  expect([signedAt(now - 301), signedAt(now + 301)]).toEqual(['too-old', 'too-old'])
  expect(verify({ 'webhook-signature': sign('', 0) }, [signing])).toBe('signature-wrong')
})

test('GitLab: of several signatures one of the first five has to be right', () => {
  const others = (count: number) => Array.from({ length: count }, () => 'v1,AAAA').join(' ')
  expect(signedAt(now, `${others(4)} ${sign('w', now)}`)).toBeNull()
  expect(signedAt(now, `${others(5)} ${sign('w', now)}`)).toBe('signature-wrong')
  expect(signedAt(now, sign('other', now))).toBe('signature-wrong')
  expect(signedAt(now, sign('w', now + 1))).toBe('signature-wrong')
  expect(signedAt(now, '')).toBe('signature-wrong')
})

test('GitLab: a token is no signing secret, nor a signing secret a token', () => {
  const { refuseHead } = webhooksOf('gitlab')
  expect(refuseHead({ 'x-gitlab-token': 'plain' }, ['plain', signing])).toBeNull()
  expect(refuseHead({ 'x-gitlab-token': signing }, ['plain', signing])).toBe('signature-wrong')
  expect(refuseHead({ 'x-gitlab-token': signing }, [signing])).toBe('signature-missing')
  expect(refuseHead({}, ['plain'])).toBe('signature-missing')
  expect(refuseHead({ 'webhook-signature': 'v1,x' }, ['plain'])).toBe('signature-missing')
  expect(refuseHead({ 'webhook-signature': 'v1,x' }, ['plain', signing])).toBeNull()
  // Whoever sends both is held to the signature.
  expect(verify({ 'x-gitlab-token': 'plain', 'webhook-signature': 'v1,x' }, ['plain', signing])).toBe(
    'signature-wrong',
  )
  expect(verify({ 'x-gitlab-token': 'plain' }, ['plain', signing])).toBeNull()
})

test('Azure DevOps: a user and a password in any of their forms; the password alone decides', () => {
  const refuse = (authorization?: string) =>
    webhooksOf('azure').refuseHead(authorization === undefined ? {} : { authorization }, ['word:with:colons'])
  const basic = (text: string) => Buffer.from(text).toString('base64')
  expect(refuse(`Basic ${basic('anybody:word:with:colons')}`)).toBeNull()
  expect(refuse(`basic ${basic('\n:word:with:colons')}`)).toBeNull()
  expect(refuse(`Basic ${basic('x:colons')}`)).toBe('signature-wrong')
  for (const other of [undefined, '', 'Bearer x', `xBasic ${basic('a:word:with:colons')}`, 'Basic a b'])
    expect(refuse(other)).toBe('signature-missing')
})

test('SHA-1 is named for what it is, and is never enough', () => {
  const old = { 'x-hub-signature': 'sha1=00' }
  for (const kind of ['github', 'forgejo'] as const) {
    expect(webhooksOf(kind).refuseHead(old, ['s'])).toBe('signature-weak')
    expect(webhooksOf(kind).refuseHead({}, ['s'])).toBe('signature-missing')
    expect(webhooksOf(kind).verify({ headers: old, body: Buffer.from(''), receivedAt }, ['s'])).toBe(
      'signature-weak',
    )
  }
  expect(webhooksOf('bitbucket').refuseHead({}, ['s'])).toBe('signature-missing')
})
