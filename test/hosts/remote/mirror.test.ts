/** The second review of a repository fetches only what is new, and a damaged, foreign or large mirror never decides what is read. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runGit } from '../../../src/base/git/run.ts'
import { defaultConfig } from '../../../src/config/schema.ts'
import type { CollectedChange } from '../../../src/hosts/contract.ts'
import { github } from '../../../src/hosts/github/index.ts'
import { openMirrors } from '../../../src/hosts/remote/mirror.ts'
import { prepareGit, tidyGit } from '../../../src/hosts/remote/remote-git.ts'
import { hostedSource } from '../../../src/hosts/remote/source.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { startGitHub } from '../../helpers/hosts/github/server.ts'
import { Random } from '../../helpers/random.ts'

const signal = new AbortController().signal

/** Words that no compression makes small. */
function noise(seed: number, lines = 400): string {
  const random = new Random(seed)
  return Array.from(
    { length: lines },
    () => `${random.between(0, 2 ** 30)} ${random.between(0, 2 ** 30)}\n`,
  ).join('')
}

async function open() {
  const fake = await startGitHub()
  onTestFinished(() => fake.close())
  const files = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`src/${at}.txt`, noise(at)]))
  const project = fake.world.createProject('acme/shop', { files })
  const change = project.open({ branch: 'topic', files: { 'a.ts': 'first\n' } })
  const cache = join(temporaryFolder(), 'mirrors')
  const collect = async (options: { mostBytes?: number; token?: string | null; number?: number } = {}) => {
    const before = fake.log.length
    const address = {
      kind: 'github',
      host: new URL(fake.url).host,
      webUrl: fake.url,
      apiUrl: fake.apiUrl,
      owner: ['acme'],
      name: 'shop',
      number: options.number ?? change.number,
    } as const
    const access = { token: options.token ?? null, tokenName: null, fetch }
    const source = hostedSource(address, github.openReader(address, access), {
      mirrors: openMirrors(cache, options),
    })
    const collected = await source.collect(defaultConfig.limits, signal)
    const text = (await collected.head.readMany(['a.ts'])).get('a.ts')?.text
    const old = (await collected.base.readMany(['src/7.txt'])).get('src/7.txt')?.text
    const { complete, commits } = await collected.history.recent(100)
    const git = fake.log.slice(before).filter(({ gitBytes }) => gitBytes !== null)
    const close = async () => {
      await collected.close()
      await source.close?.()
    }
    return {
      text,
      old,
      history: { complete, commits: commits.map(({ commit }) => commit) },
      limits: collected.request.limits,
      requests: git.length,
      bytes: git.reduce((sum, { gitBytes }) => sum + (gitBytes ?? 0), 0),
      collected: collected as CollectedChange,
      close,
    }
  }
  const once = async (options?: Parameters<typeof collect>[0]) => {
    const read = await collect(options)
    await read.close()
    return read
  }
  const mirrors = () => readdirSync(cache).filter((name) => /^[0-9a-f]{32}$/.test(name))
  return { fake, project, change, cache, collect, once, mirrors }
}

test('the second review of a head asks only for the right to read, and one of a push gets only the push', async () => {
  const { project, change, once, cache, mirrors } = await open()
  // To list them all would take more bytes than the push.
  for (let at = 0; at < 200; at++) project.moveBranch(`branch-${at}`, project.head('main'))
  const first = await once()
  expect(first).toMatchObject({ text: 'first\n', old: noise(7), limits: [] })
  expect(first.bytes).toBeGreaterThan(100_000)
  const second = await once()
  expect(second).toMatchObject({ text: 'first\n', old: noise(7), limits: [], history: first.history })
  expect(second.bytes).toBeLessThan(2_000)
  expect(second.requests).toBeLessThan(first.requests)
  change.push({ 'a.ts': 'second\n' })
  const third = await once()
  expect(third).toMatchObject({ text: 'second\n', old: noise(7), limits: [] })
  expect(third.bytes).toBeLessThan(10_000)
  change.rebase()
  change.forcePush({ 'a.ts': 'third\n' })
  expect(await once()).toMatchObject({ text: 'third\n', old: noise(7), limits: [] })
  // A second change request shares it.
  const other = project.open({ branch: 'other', files: { 'a.ts': 'other\n' } })
  for (let at = 0; at < 5; at++) project.commit('main', { [`later-${at}.ts`]: `${at}\n` })
  const shared = await once({ number: other.number })
  expect(shared).toMatchObject({ text: 'other\n', limits: [] })
  expect(shared.bytes).toBeLessThan(20_000)
  expect(mirrors()).toHaveLength(1)
  expect(
    readdirSync(cache).filter((name) => !/^[0-9a-f]{32}$/.test(name)),
    'nothing is left behind',
  ).toEqual([])
})

test('a token that may no longer read gets nothing, also of what is in the mirror', async () => {
  const { fake, project, once } = await open()
  const token = fake.state.addToken('ada', ['repo'])
  project.roles.set('ada', 'write')
  project.isPrivate = true
  expect((await once({ token })).text).toBe('first\n')
  await expect(once({ token: null })).rejects.toThrow()
  expect((await once({ token })).bytes, 'it is still there').toBeLessThan(2_000)
})

test('a damaged mirror is replaced, and what a killed git left in one is removed', async () => {
  const { change, once, cache, mirrors } = await open()
  await once()
  const [mirror = ''] = mirrors()
  const history = join(cache, mirror, 'history')
  writeFileSync(join(history, 'shallow.lock'), '')
  writeFileSync(join(history, 'objects/pack/tmp_pack_x'), 'half a pack')
  change.push({ 'a.ts': 'second\n' })
  expect(await once()).toMatchObject({ text: 'second\n', limits: [] })
  expect(existsSync(join(history, 'objects/pack/tmp_pack_x'))).toBe(false)
  for (const part of readdirSync(join(cache, mirror))) {
    const packs = join(cache, mirror, part, 'objects/pack')
    if (!existsSync(packs)) continue
    for (const name of readdirSync(packs)) {
      if (!name.endsWith('.pack')) continue
      chmodSync(join(packs, name), 0o600)
      truncateSync(join(packs, name), Math.floor(statSync(join(packs, name)).size / 2))
    }
  }
  expect(await once()).toMatchObject({ text: 'second\n', old: noise(7), limits: [] })
  expect((await once()).bytes).toBeLessThan(2_000)
})

test('a folder that others may write to is not used, nor one behind a link of theirs; one that they may enter is closed', async () => {
  const { once, cache, mirrors } = await open()
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  chmodSync(cache, 0o777)
  const isOpen = await once()
  expect(isOpen.text).toBe('first\n')
  expect(isOpen.limits.join()).toContain('could not be kept for the next review')
  expect(mirrors()).toEqual([])
  chmodSync(cache, 0o755)
  await once()
  expect(statSync(cache).mode & 0o777).toBe(0o700)
  const [name = ''] = mirrors()
  const elsewhere = temporaryFolder()
  renameSync(join(cache, name), join(elsewhere, 'x'))
  chmodSync(elsewhere, 0o777)
  symlinkSync(join(elsewhere, 'x'), join(cache, name))
  expect((await once()).text).toBe('first\n')
})

test('the mirrors that were not used for longest go when all are too large; a running review keeps what it reads', async () => {
  const { once, collect, cache, mirrors } = await open()
  const read = await collect({ mostBytes: 1 })
  expect(mirrors(), 'it was larger than the limit').toEqual([])
  expect((await read.collected.base.readMany(['src/9.txt'])).get('src/9.txt')?.text).toBe(noise(9))
  await read.close()
  const old = join(cache, 'f'.repeat(32))
  mkdirSync(old, { mode: 0o700 })
  writeFileSync(join(old, 'large'), Buffer.alloc(3_000_000))
  utimesSync(old, 1, 1)
  await once({ mostBytes: 2_000_000 })
  expect(mirrors()).toHaveLength(1)
  expect(existsSync(old)).toBe(false)
})

test('two reviews at once share a mirror, one after the other', async () => {
  const { once, mirrors } = await open()
  const all = await Promise.all([once(), once(), once()])
  expect(all.map(({ text }) => text)).toEqual(['first\n', 'first\n', 'first\n'])
  const large = all.filter(({ limits }) => limits.length === 0)
  expect(large).toHaveLength(3)
  expect(mirrors()).toHaveLength(1)
})

test('packs are made one before there are many, and nothing that was fetched is lost', async () => {
  const head = 'a'.repeat(40)
  const origin = {
    url: 'http://127.0.0.1:9/',
    authorization: null,
    forkUrl: null,
    headRef: 'x',
    baseRef: 'y',
  }
  const place = prepareGit(temporaryFolder(), 'history', { origin, head, signal })
  const blobs: string[] = []
  for (let at = 0; at < 31; at++) {
    const blob = (await runGit(place, ['hash-object', '-w', '--stdin'], { input: `${at}` })).toString().trim()
    const pack = await runGit(place, ['pack-objects', '-q', 'objects/pack/pack'], { input: `${blob}\n` })
    writeFileSync(join(place.gitDir, `objects/pack/pack-${pack.toString().trim()}.promisor`), '')
    blobs.push(blob)
  }
  await runGit(place, ['prune-packed'])
  await tidyGit(place, signal)
  const packs = readdirSync(join(place.gitDir, 'objects/pack')).filter((name) => name.endsWith('.pack'))
  expect(packs).toHaveLength(1)
  const kept = await runGit(place, ['cat-file', '--batch=%(objectname)'], { input: blobs.join('\n') })
  expect(kept.toString()).toBe(blobs.map((blob, at) => `${blob}\n${at}\n`).join(''))
})
