/** Reads are repeated, writes never; a pause holds back every write; nothing is taken to another host. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WriteUnclear } from '../../../src/hosts/remote/contract.ts'
import { openTransport, WritePause } from '../../../src/hosts/remote/transport.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'

/** Answers in turn; waiting only moves the clock. */
function setUp(answers: readonly (() => Response)[], pause = new WritePause()) {
  const clock = { now: 0 }
  const sent: string[] = []
  const transport = openTransport({
    pause,
    now: () => clock.now,
    sleep: async (ms) => {
      clock.now += ms
    },
    fetch: async (input, init) => {
      sent.push(`${init?.method} ${String(input)} at ${clock.now}`)
      const answer = answers[sent.length - 1]
      if (!answer) throw new TypeError('fetch failed')
      return answer()
    },
  })
  return { transport, sent, clock, pause }
}

const ok = () => new Response('{}')
const status =
  (code: number, headers: Record<string, string> = {}) =>
  () =>
    new Response('', { status: code, headers })
const post = { method: 'POST', body: '{"title":"x"}' }

test('a read is repeated after a failure, a write is not', async () => {
  const read = setUp([status(502), status(500), ok])
  expect((await read.transport('https://h.test/a')).status).toBe(200)
  expect(read.sent).toHaveLength(3)
  const write = setUp([status(502), ok])
  await expect(write.transport('https://h.test/a', post)).rejects.toBeInstanceOf(WriteUnclear)
  expect(write.sent).toHaveLength(1)
  const query = setUp([status(502), ok])
  await query.transport('https://h.test/graphql', { method: 'POST', body: '{"query":"query A { b }"}' })
  expect(query.sent).toHaveLength(2)
})

test('a read that failed is repeated when the host says that it is back', async () => {
  const { transport, sent } = setUp([status(502), status(503, { 'retry-after': '7' }), ok])
  await transport('https://h.test/a')
  const at = (ms: number) => `GET https://h.test/a at ${ms}`
  expect(sent).toEqual([at(0), at(500), at(7500)])
  const other = setUp([status(503, { 'retry-after': '0' }), ok])
  await other.transport('https://h.test/a')
  expect(other.sent).toEqual([at(0), at(0)])
  const long = setUp([status(503, { 'retry-after': '7200' }), ok])
  await expect(long.transport('https://h.test/a')).rejects.toMatchObject({ code: 'host-unavailable' })
})

test('a limit holds back every write of the identity until it ends', async () => {
  const first = setUp([status(403, { 'retry-after': '30' }), ok])
  await first.transport('https://h.test/a', post)
  expect(first.sent).toEqual(['POST https://h.test/a at 0', 'POST https://h.test/a at 30000'])
  const other = setUp([ok], first.pause)
  await other.transport('https://h.test/b', post)
  expect(other.sent, 'a turn later').toEqual(['POST https://h.test/b at 31000'])
  const long = setUp([status(429, { 'retry-after': '7200' })])
  await expect(long.transport('https://h.test/a', post)).rejects.toMatchObject({ code: 'host-unavailable' })
})

test('a write that waits goes on waiting when a longer pause is asked for', async () => {
  const { transport, sent, clock, pause } = setUp([ok])
  pause.extend(1000)
  const isAsked = () => clock.now >= 1000
  const left = pause.left.bind(pause)
  // Another one is refused while this one sleeps.
  pause.left = (now) => {
    if (isAsked()) pause.extend(5000)
    return left(now)
  }
  await transport('https://h.test/a', post)
  expect(sent).toEqual(['POST https://h.test/a at 5000'])
})

test('a limit holds back the writes of other processes, too; a file that is no time does not', async () => {
  const file = join(temporaryFolder(), 'pauses', 'host')
  const first = setUp([status(403, { 'retry-after': '30' }), ok], new WritePause(file))
  await first.transport('https://h.test/a', post)
  // As another process: it knows nothing but the file.
  const other = setUp([ok, ok], new WritePause(file))
  await other.transport('https://h.test/b', post)
  expect(other.sent, 'a turn later').toEqual(['POST https://h.test/b at 31000'])
  for (const text of ['soon', String(1e15), '']) {
    writeFileSync(file, text)
    const odd = setUp([ok], new WritePause(file))
    await odd.transport('https://h.test/c', post)
    expect(odd.sent).toEqual(['POST https://h.test/c at 0'])
  }
})

test('of all that wait in several processes one goes first, and the others hear what it is told', async () => {
  const file = join(temporaryFolder(), 'pauses', 'host')
  new WritePause(file).extend(10_000)
  const clock = { now: 0 }
  const asleep: { until: number; wake: () => void }[] = []
  const sent: number[] = []
  const writers = Array.from({ length: 4 }, () => {
    const transport = openTransport({
      pause: new WritePause(file),
      now: () => clock.now,
      sleep: (ms) => new Promise((wake) => asleep.push({ until: clock.now + ms, wake })),
      // The limit of the hour is not over: whoever comes first after the pause is asked for another one.
      fetch: async () =>
        sent.push(clock.now) === 1 ? status(403, { 'retry-after': '60' })() : new Response('{}'),
    })
    return transport('https://h.test/a', post)
  })
  let isOver = false
  const all = Promise.all(writers).then(() => {
    isOver = true
  })
  while (!isOver) {
    await new Promise(setImmediate)
    const next = asleep.toSorted((one, other) => one.until - other.until).at(0)
    if (!next) continue
    clock.now = next.until
    asleep.splice(asleep.indexOf(next), 1)
    next.wake()
  }
  await all
  expect(sent).toEqual([10_000, 70_000, 71_000, 72_000, 73_000])
})

test('who is asked to wait for less shortens no pause of another process', () => {
  const file = join(temporaryFolder(), 'pauses', 'host')
  new WritePause(file).extend(90_000)
  new WritePause(file).extend(30_000)
  expect(new WritePause(file).left(0)).toBe(90_000)
})

test('a refusal that is no limit is an answer', async () => {
  const { transport, sent } = setUp([status(403)])
  expect((await transport('https://h.test/a', post)).status).toBe(403)
  expect(sent).toHaveLength(1)
})

test('a redirect is followed on the same host, and nowhere else', async () => {
  const same = setUp([status(301, { location: '/renamed' }), ok])
  expect((await same.transport('https://h.test/a')).status).toBe(200)
  expect(same.sent[1]).toContain('GET https://h.test/renamed')
  // Writes only where the host says that they are to be sent again as they are.
  const written = setUp([status(307, { location: '/renamed' }), ok])
  expect((await written.transport('https://h.test/a', post)).status).toBe(200)
  expect(written.sent[1]).toContain('POST https://h.test/renamed')
  const other = setUp([status(301, { location: '/renamed' })])
  expect((await other.transport('https://h.test/a', post)).status).toBe(301)
  const away = setUp([status(301, { location: 'https://evil.test/a' }), ok])
  await expect(away.transport('https://h.test/a')).rejects.toMatchObject({ code: 'host-unavailable' })
  expect(away.sent).toHaveLength(1)
})
