/** Lines of the log: a failure that repeats is written once, and how often it came is told with the next. */
import { expect, test } from 'vitest'
import { openLog } from '../../src/server/log.ts'

test('a warning that repeats is written once in a minute, with how often it came', () => {
  const lines: string[] = []
  let at = Date.UTC(2026, 10, 24)
  const log = openLog({ level: 'info', write: (line) => lines.push(line), now: () => new Date(at) })
  const away = { detail: 'the database cannot be reached' }
  for (let nth = 0; nth < 5; nth++) {
    log.error('intake-failed', away)
    log.warn('job-trouble', away)
    log.info('server-ready', away)
    at += 1000
  }
  log.error('intake-failed', { detail: 'another reason' })
  at += 60_000
  log.error('intake-failed', away)
  const read = lines.map((line) => JSON.parse(line) as { event: string; repeated?: number; detail: string })
  expect(read.filter(({ event }) => event === 'server-ready')).toHaveLength(5)
  expect(read.filter(({ event }) => event === 'job-trouble')).toHaveLength(1)
  expect(read.filter(({ event }) => event === 'intake-failed')).toMatchObject([
    away,
    { detail: 'another reason' },
    { ...away, repeated: 4 },
  ])
})

test('a secret is masked before a long field is cut', () => {
  const lines: string[] = []
  const log = openLog({ level: 'info', write: (line) => lines.push(line) })
  log.info('server-ready', { detail: `${'x'.repeat(280)} ghp_${'Zq3vXw8RtB5nMk2LpYc7DfGh4JsA1eUo6iTx'}` })
  expect(lines.join()).toContain('xx ghp_…')
  expect(lines.join()).not.toContain('ghp_Z')
})
