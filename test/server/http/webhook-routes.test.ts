/** What becomes of each delivery: stored once under its id, or refused before its body is read, with its reason counted and said. */
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import {
  now,
  openTestListener,
  pull,
  type Sent,
  secret,
  signatureOf,
  signed,
  withHeader,
  without,
} from '../webhooks/webhook-world.ts'

test('the same delivery, and the same body under another id, are stored once', async () => {
  const { send, stored, metrics } = await openTestListener()
  const first = signed(pull(), secret, 'guid-1')
  expect(await send(first)).toBe(202)
  expect(await send(first)).toBe(202)
  expect(await send(withHeader(first, 'x-github-delivery', 'guid-2'))).toBe(202)
  expect(stored).toHaveLength(1)
  const { text } = await metrics.show()
  expect(text).toContain('sightline_webhooks_total{kind="github",result="accepted"} 1')
  expect(text).toContain('sightline_webhooks_total{kind="github",result="duplicate"} 2')
})

test('no log line and no metric holds a secret, a signature or a word of a body', async () => {
  const { send, lines, metrics } = await openTestListener()
  const canary = 'CANARY-of-the-body'
  const sent = signed(pull(now(), canary))
  await send(sent)
  await send(withHeader(sent, signatureOf, 'sha256=00'))
  await send({ path: '/webhooks/gitlab', headers: { 'x-gitlab-token': 'CANARY-token' }, body: canary })
  expect(lines.length).toBeGreaterThan(0)
  const seen = `${lines.join('\n')}\n${(await metrics.show()).text}`
  for (const secretText of ['CANARY', secret, sent.headers[signatureOf] ?? '', 'acme'])
    expect(seen).not.toContain(secretText)
})

test.each([
  ['nobody', '', 404],
  ['github', '', 401],
  ['github', 'x-hub-signature: sha1=00\r\n', 401],
  ['gitlab', 'x-gitlab-token: wrong\r\n', 401],
  ['azure', 'authorization: Basic d3Jvbmc=\r\n', 401],
  ['fresh', `x-hub-signature-256: sha256=${'0'.repeat(64)}\r\n`, 401],
])('a body to %s with the headers %j is refused before it is read', async (name, headers, status) => {
  const { url } = await openTestListener()
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes.toString()
  })
  socket.on('error', () => {})
  // Neither the first byte of a body nor its end is ever sent.
  socket.write(`POST /webhooks/${name} HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n${headers}\r\n`)
  await expect.poll(() => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])).toBe(status)
})

test('each refusal is counted by its reason and host, and logged with neither words nor ids of it', async () => {
  const { send, metrics, lines } = await openTestListener()
  const bare = without(signed(pull()), signatureOf)
  const statuses = []
  for (const sent of [
    bare,
    withHeader(bare, 'x-hub-signature', 'sha1=00'),
    signed(pull(), 'wrong'),
    { ...signed(pull()), path: '/webhooks/fresh' },
    { ...signed(pull()), path: '/webhooks/nobody' },
    withHeader(signed(pull()), 'content-type', 'text/application/json'),
    signed('{'),
  ])
    statuses.push(await send(sent))
  expect(statuses).toEqual([401, 401, 401, 401, 404, 415, 400])
  const { text } = await metrics.show()
  const counted = [...text.matchAll(/^sightline_webhooks_total\{kind="(\w+)",result="([\w-]+)"\} (\d+)$/gm)]
  const counts = Object.fromEntries(
    counted.map(([, kind, result, count]) => [`${kind} ${result}`, Number(count)]),
  )
  expect(counts).toMatchObject({
    ...{ 'github signature-missing': 1, 'github signature-weak': 1, 'github signature-wrong': 2 },
    ...{ 'unknown refused': 1, 'github media-type': 1, 'github malformed': 1 },
  })
  const logged = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'webhook-refused')
  expect(logged).toContainEqual(
    expect.objectContaining({ level: 'warn', connection: 'github', result: 'signature-weak', status: 401 }),
  )
  expect(logged.filter(({ connection }) => connection === 'nobody')).toEqual([])
})

test('a refusal says what to do about it', async () => {
  const { url } = await openTestListener()
  const answer = async ({ path = '/webhooks/github', headers, body }: Sent) =>
    (
      await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
    ).text()
  const bare = without(signed(pull()), signatureOf)
  expect(await answer(bare)).toContain('set its secret')
  expect(await answer(withHeader(bare, 'x-hub-signature', 'sha1=00'))).toContain('only SHA-256')
  expect(await answer(signed(pull(), 'wrong'))).toContain('not the one of this connection')
  expect(await answer(signed(pull('2020-01-01T00:00:00Z')))).toContain('too old')
  expect(await answer(signed(pull()))).toContain('"result":"accepted"')
})

test('a sign of life is answered and not stored; the media type may be in capitals, with a parameter', async () => {
  const { send, stored, metrics } = await openTestListener()
  expect(await send(withHeader(signed('{}'), 'x-github-event', 'ping'))).toBe(200)
  expect(stored).toEqual([])
  const typed = withHeader(signed(pull()), 'content-type', 'Application/JSON; charset=utf-8')
  expect(await send(typed)).toBe(202)
  expect(stored).toHaveLength(1)
  const { text } = await metrics.show()
  expect(text).toContain('sightline_webhooks_total{kind="github",result="ignored"} 1')
  expect(text).toContain('sightline_webhook_seconds_count 2')
})

test('a delivery is stored under its id, or under the hash of its bytes where no id can be used', async () => {
  const { send, stored } = await openTestListener()
  const ids = ['a', 'x'.repeat(200), 'x'.repeat(201), 'a b', null]
  for (const [at, id] of ids.entries()) {
    const sent = signed(pull(now(), `${at}`))
    expect(
      await send(
        id === null ? without(sent, 'x-github-delivery') : withHeader(sent, 'x-github-delivery', id),
      ),
    ).toBe(202)
  }
  expect(stored.map(({ id, hash }) => (id === hash ? 'hash' : id))).toEqual([
    ids[0],
    ids[1],
    'hash',
    'hash',
    'hash',
  ])
  for (const { hash } of stored) expect(hash).toMatch(/^[0-9a-f]{64}$/)
})

test('what is as old as replays may be comes in; what is older does not', async () => {
  const { send } = await openTestListener()
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  expect(await send(signed(pull(hoursAgo(95))))).toBe(202)
  expect(await send(signed(pull(hoursAgo(97))))).toBe(400)
  expect(await send(signed(pull('no time')))).toBe(202)
})

test('more than the rate of a connection are asked to come again; forged ones use none of it', async () => {
  const { send, metrics } = await openTestListener({ perSecond: 2 })
  for (let at = 0; at < 5; at++) expect(await send(signed(pull(), 'forged'))).toBe(401)
  // Five within one second or two: at most four of them fit.
  const statuses = await Promise.all(
    Array.from({ length: 9 }, (_, at) => send(signed(pull(now(), `change ${at}`)))),
  )
  expect(statuses.filter((status) => status === 202).length).toBeGreaterThanOrEqual(2)
  expect(statuses).toContain(429)
  expect((await metrics.show()).text).toContain('sightline_webhooks_total{kind="github",result="rate"}')
})
