/** The ledger in files: the contract, several processes, and damage. */
import { execFile } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { FileLedger } from '../../src/ledger/files.ts'
import { ledgerSuite, sampleSeen } from './ledger-suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'sightline-ledger-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

ledgerSuite('a folder', async () => new FileLedger(join(folder, 'contract')))

const fileOf = (place: string) => {
  const [name = ''] = readdirSync(join(folder, place))
  return join(folder, place, name)
}

test('processes that write at one time, one of which is killed, leave whole events', async () => {
  const place = join(folder, 'processes')
  const script = `
    import { FileLedger } from ${JSON.stringify(join(import.meta.dirname, '../../src/ledger/files.ts'))}
    const [, who, sample] = process.argv
    const store = new FileLedger(${JSON.stringify(place)})
    for (let at = 0; at < 20; at++) {
      await store.append('r', [{ ...JSON.parse(sample), id: who + '-' + at }])
      if (who === 'killed' && at === 9) process.kill(process.pid, 'SIGKILL')
    }`
  const sample = JSON.stringify(sampleSeen(1))
  await Promise.all(
    ['a', 'b', 'c', 'killed'].map((who) =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, '--', who, sample]).catch(
        () => {},
      ),
    ),
  )
  const { events, damage } = await new FileLedger(place).read('r')
  expect(damage).toBeNull()
  for (const who of ['a', 'b', 'c', 'killed'])
    expect(events.filter(({ id }) => id.startsWith(`${who}-`)).map(({ id }) => id)).toEqual(
      Array.from({ length: who === 'killed' ? 10 : 20 }, (_, at) => `${who}-${at}`),
    )
})

test('a line that a kill cut off is reported, and spoils nothing that comes after it', async () => {
  const store = new FileLedger(join(folder, 'torn'))
  await store.append('r', [sampleSeen(1)])
  const path = fileOf('torn')
  const whole = readFileSync(path)
  appendFileSync(path, whole.subarray(0, whole.length - 40))
  await store.append('r', [sampleSeen(2)])
  const { events, damage } = await store.read('r')
  expect(events.map(({ id }) => id)).toEqual(['seen-1', 'seen-2'])
  expect(damage).toMatch(/1 entry is damaged/)
})

test('an event that somebody changed by hand is not believed', async () => {
  const store = new FileLedger(join(folder, 'forged'))
  await store.append('r', [sampleSeen(1)])
  await store.append('r', [sampleSeen(2)])
  const path = fileOf('forged')
  writeFileSync(path, readFileSync(path, 'utf8').replace('seen-1', 'seen-9'))
  const { events, damage } = await store.read('r')
  expect(events.map(({ id }) => id)).toEqual(['seen-2'])
  expect(damage).toMatch(/1 entry is damaged/)
})

test('a folder that cannot be used is a fault with a name', async () => {
  const path = join(folder, 'a-file')
  writeFileSync(path, '')
  await expect(new FileLedger(path).append('r', [sampleSeen(1)])).rejects.toMatchObject({
    code: 'ledger-unavailable',
  })
})
