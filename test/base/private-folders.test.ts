/** Temporary folders: one private root for a process, gone with its last folder, swept when its process was killed. */
import { chownSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePrivateFolder, usePrivateFolder } from '../../src/base/private-folders.ts'
import { markOfThisProcess } from '../../src/base/process-mark.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'

const before = process.env.TMPDIR
let scratch = ''

beforeEach(() => {
  scratch = temporaryFolder()
  process.env.TMPDIR = scratch
})

afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
})

test('all folders of a process lie in one root that only its user can enter', async () => {
  const [one, two] = await Promise.all([makePrivateFolder('git'), makePrivateFolder('tree')])
  expect(dirname(one.path)).toBe(dirname(two.path))
  expect(basename(dirname(one.path))).toMatch(new RegExp(`^sightline-${process.pid}-`))
  for (const path of [one.path, dirname(one.path)]) expect(lstatSync(path).mode & 0o777).toBe(0o700)
  await one.remove()
  await one.remove()
  expect(readdirSync(dirname(two.path))).toEqual([basename(two.path)])
  await two.remove()
  expect(readdirSync(scratch)).toEqual([])
})

test('a folder made while the last one is being removed has a root', async () => {
  const first = await makePrivateFolder('git')
  const [, second] = await Promise.all([first.remove(), makePrivateFolder('git')])
  writeFileSync(join(second.path, 'x'), '')
  await second.remove()
  expect(readdirSync(scratch)).toEqual([])
})

test('it is removed also when its use fails', async () => {
  const failing = usePrivateFolder('probe', (path) => Promise.reject(new Error(basename(path))))
  await expect(failing).rejects.toThrow(/^probe-/)
  expect(readdirSync(scratch)).toEqual([])
})

test('roots of processes that run no more are swept, all else stays', async () => {
  const { pid, began, machine } = markOfThisProcess()
  const dead = [`sightline-4194305-1-${machine}-abcdef`]
  // The id was given to another process since; only Linux tells.
  if (began !== '-') dead.push(`sightline-${pid}-1-${machine}-abcdef`)
  const others = [
    `sightline-${pid}-${began}-${machine}-uvwxyz`,
    'sightline-4194305-1-00000000-abcdef',
    'sightline-demo-abcdef',
    `x-sightline-4194305-1-${machine}-abcdef`,
  ]
  for (const name of [...dead, ...others]) {
    mkdirSync(join(scratch, name, 'git'), { recursive: true })
    writeFileSync(join(scratch, name, 'git/config'), '')
  }
  // Somebody else's, whose folders could become links while they are removed.
  if (process.getuid?.() === 0) {
    others.push(`sightline-4194305-3-${machine}-abcdef`)
    mkdirSync(join(scratch, others.at(-1) ?? ''))
    chownSync(join(scratch, others.at(-1) ?? ''), 65_534, 65_534)
  }
  const outside = temporaryFolder()
  writeFileSync(join(outside, 'kept'), '')
  symlinkSync(outside, join(scratch, `sightline-4194305-2-${machine}-abcdef`))
  symlinkSync(outside, join(scratch, 'sightline-4194305-1-00000000-abcdef', 'link'))
  const folder = await makePrivateFolder('git')
  const left = readdirSync(scratch)
  await folder.remove()
  expect(left.filter((name) => dead.includes(name))).toEqual([])
  expect(left).toEqual(expect.arrayContaining(others))
  expect(readdirSync(outside)).toEqual(['kept'])
})

test('a place that cannot be used is an error with a way out, and is tried again', async () => {
  process.env.TMPDIR = join(scratch, 'absent')
  await expect(makePrivateFolder('git')).rejects.toMatchObject({ code: 'no-temporary-folder', exitCode: 3 })
  mkdirSync(process.env.TMPDIR)
  await (await makePrivateFolder('git')).remove()
  expect(readdirSync(process.env.TMPDIR)).toEqual([])
})
