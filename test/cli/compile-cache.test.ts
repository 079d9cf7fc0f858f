/** Compiled code is kept where only its user can write, and nowhere else. In processes: Node keeps it as it starts. */
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { sightlineProcess } from '../helpers/sightline.ts'

/** Whatever is in the shared folder for temporary files stays as it is. */
async function startWith(caches: string): Promise<string[]> {
  const TMPDIR = temporaryFolder()
  const { code } = await sightlineProcess(['version'], {
    env: { XDG_CACHE_HOME: caches, TMPDIR, NODE_COMPILE_CACHE: '' },
  })
  expect(code).toBe(0)
  expect(readdirSync(TMPDIR)).toEqual([])
  const compiled = join(caches, 'sightline/compiled')
  return existsSync(compiled) ? readdirSync(compiled) : []
}

test('it lies in the cache folder of the user, with mode 0700', async () => {
  const caches = temporaryFolder()
  expect(await startWith(caches)).not.toEqual([])
  expect(lstatSync(join(caches, 'sightline/compiled')).mode & 0o777).toBe(0o700)
})

test('a folder that others may write to is not used', needs('POSIX'), async () => {
  const open = temporaryFolder()
  mkdirSync(join(open, 'sightline/compiled'), { recursive: true })
  chmodSync(join(open, 'sightline/compiled'), 0o777)
  expect(await startWith(open)).toEqual([])

  const above = temporaryFolder()
  mkdirSync(join(above, 'sightline'))
  chmodSync(join(above, 'sightline'), 0o777)
  expect(await startWith(above)).toEqual([])
})

test('without a folder that can be made, the command works all the same', async () => {
  expect(await startWith('/dev/null')).toEqual([])
})
