/** The index that is built after a report: only where the settings allow it, one at a time, and found by the next run. */
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ownMark } from '../../../src/base/process-mark.ts'
import { createRepo, temporaryFolder } from '../../helpers/git-repo.ts'
import { type CliResult, sightline, sightlineProcess } from '../../helpers/sightline.ts'

type Run = (...args: string[]) => Promise<CliResult>
/** `here` runs a command in this process. */
type Place = { lock: string; run: Run; here: Run; status: () => Promise<string> }

function shop(settings = ''): Place {
  const repo = createRepo()
  repo.commit({ 'price.py': 'def parse_price(text):\n    return int(text)\n' })
  repo.commit({
    'shop.py': 'from price import parse_price\n\n\ndef sell(text):\n    return parse_price(text)\n',
  })
  const cache = temporaryFolder()
  const file = join(cache, 'settings.yaml')
  writeFileSync(file, settings)
  const env = { XDG_CACHE_HOME: cache, SIGHTLINE_SETTINGS: file }
  const run: Run = (...args) => sightlineProcess(args, { cwd: repo.path, env })
  const here: Run = (...args) => sightline(args, { cwd: repo.path, env })
  const status = async () => JSON.parse((await here('index', '--status', '--json')).stdout).state
  return { lock: join(cache, 'sightline', 'background-index.lock'), run, here, status }
}

/** The state that the index has come to, and whether the lock was let go. */
async function settled(place: Place): Promise<string> {
  for (let looks = 0; looks < 300; looks++) {
    if ((await place.status()) === 'complete' && !existsSync(place.lock)) return 'complete'
    await wait(200)
  }
  return 'never complete'
}

test('where the settings allow it, a review is followed by the index of its commit', async () => {
  const place = shop('index:\n  background: true\n')
  const review = await place.here('review', 'HEAD', '--depth', 'offline')
  expect([review.code, review.stderr]).toEqual([0, expect.not.stringContaining('index')])
  expect(await settled(place)).toBe('complete')
})

test('otherwise nothing is left running, and nothing is indexed', async () => {
  const place = shop()
  expect((await place.here('context', 'HEAD', '--hash')).code).toBe(0)
  await wait(500)
  expect(existsSync(place.lock)).toBe(false)
  expect(await place.status()).not.toBe('complete')
})

test('one at a time: a run that is at work is left alone, a lock left by a dead or long past one is not heeded', async () => {
  const place = shop()
  const held = ownMark()
  mkdirSync(dirname(place.lock), { recursive: true })
  writeFileSync(place.lock, held)
  // One that does not begin leaves the priority of this process as it is.
  const second = await place.here('index', '--background')
  expect([second.code, second.stderr]).toEqual([
    0,
    'sightline: another background run is active; nothing was indexed\n',
  ])
  expect([readFileSync(place.lock, 'utf8'), await place.status()]).toEqual([held, 'none'])

  // No process has this id: it is larger than any that Linux gives out. Of another machine nothing is known but the time.
  writeFileSync(place.lock, held.replace(/^\d+/, '9999999'))
  expect((await place.run('index', '--background')).code).toBe(0)
  expect([existsSync(place.lock), await place.status()]).toEqual([false, 'complete'])
  writeFileSync(place.lock, held.replace(/\w+$/, 'another'))
  expect((await place.here('index', '--background')).stderr).toContain('another background run is active')
  utimesSync(place.lock, 0, Date.now() / 1000 - 3601)
  expect((await place.run('index', '--background')).stderr).not.toContain('active')
  expect(existsSync(place.lock)).toBe(false)
})
