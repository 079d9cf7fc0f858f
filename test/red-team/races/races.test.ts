/**
 * Somebody who may write to the checkout exchanges folders and files for links, hard links and pipes while we read and write
 * there: nothing outside is read or changed, and nothing waits for ever. What is kept lies in folders of this user alone, and
 * others are refused. `npm run test:matrices` plays every exchange and command, `npm test` one of each; `SIGHTLINE_RACES=2000` plays
 * more rounds.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readBelow, removeBelow, rewriteBelow, writeBelow } from '../../../src/base/below.ts'
import { makeFolder, writeWhole } from '../../../src/base/durable.ts'
import { Pack } from '../../../src/code-index/cache/pack.ts'
import { IndexFolder } from '../../../src/code-index/index-files/index-folder.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import { openMirrors } from '../../../src/hosts/remote/mirror.ts'
import { FileLedger } from '../../../src/ledger/files.ts'
import { FileRunStore } from '../../../src/storage/runs/files/store.ts'
import { createRepo, temporaryFolder } from '../../helpers/git-repo.ts'
import { drawn, seed } from '../../helpers/matrix.ts'
import { Random } from '../../helpers/random.ts'
import { sightline } from '../../helpers/sightline.ts'

const times = Number(process.env.SIGHTLINE_RACES ?? 300)
const secret = 'nobody-may-read-this'
const limits = { changedFiles: 100, fileBytes: 1_000_000, treeEntries: 10_000 }

/** A folder with what must stay as it is, under the names that are written. */
function outsideWith(names: readonly string[]): string {
  const outside = temporaryFolder()
  for (const name of names) writeFileSync(join(outside, name), `${secret} ${name}\n`)
  execFileSync('mkfifo', [join(outside, 'file.pipe')])
  return outside
}

const stateOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const found = lstatSync(join(folder, name))
    return [
      name,
      found.mtimeMs,
      found.mode,
      found.size,
      found.isFile() ? readFileSync(join(folder, name), 'utf8') : '',
    ]
  })

async function swapping(root: string, path: string, kind: string, outside: string): Promise<ChildProcess> {
  const swapper = join(import.meta.dirname, 'swapper.mjs')
  const child = spawn(process.execPath, [swapper, root, path, kind, outside], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return child
}

const ways = [
  ['a/b', 'link', ''],
  ['a', 'link', ''],
  ['a/b/file', 'link', 'file'],
  ['a/b/file', 'hard link', 'file'],
  ['a/b/file', 'pipe', 'file'],
] as const

test.each(drawn(ways))(`%s is exchanged for a %s: ${times} calls`, async (path, kind, name) => {
  const outside = outsideWith(['file'])
  mkdirSync(join(outside, 'b'))
  writeFileSync(join(outside, 'b/file'), secret)
  // Making a hard link to it changes nothing in it.
  const before = stateOf(outside)
  const root = temporaryFolder()
  mkdirSync(join(root, 'a/b'), { recursive: true })
  writeFileSync(join(root, 'a/b/file'), 'ours')
  const child = await swapping(root, path, kind, join(outside, name))
  const random = new Random(seed)
  const read: string[] = []
  let done = 0
  const calls = {
    read: () => read.push(readBelow(root, 'a/b/file', 1_000)?.toString() ?? ''),
    write: () => writeBelow(root, 'a/b/file', 'ours', { replace: true }),
    add: () => writeBelow(root, `a/b/${random.between(0, 9)}`, 'ours'),
    rewrite: () => rewriteBelow(root, 'a/b/file', 'ours', 'ours'),
    remove: () => removeBelow(root, `a/b/${random.between(0, 9)}`),
  }
  for (let at = 0; at < times; at++)
    try {
      calls[random.pick(Object.keys(calls) as (keyof typeof calls)[])]()
      done++
    } catch {
      // Refused, or not there at this moment.
    }
  child.kill('SIGKILL')
  console.log(`seed ${seed}, ${path} and a ${kind}: ${done} of ${times} calls came through`)
  expect(stateOf(outside)).toEqual(before)
  // A hard link is the file itself, wherever else it has a name; whoever made it could read it.
  if (kind !== 'hard link') expect(read.join()).not.toContain(secret)
  expect(done).toBeGreaterThan(0)
})

test('a file is rewritten whole, and only while it is what it was', () => {
  const root = temporaryFolder()
  writeFileSync(join(root, 'a'), 'a long text')
  rewriteBelow(root, 'a', 'a long text', 'short')
  expect(readFileSync(join(root, 'a'), 'utf8')).toBe('short')
  expect(() => rewriteBelow(root, 'a', 'a long text', 'other')).toThrow('changed meanwhile')
  expect(readFileSync(join(root, 'a'), 'utf8')).toBe('short')
})

const commands: [string, string, string[], string][] = [
  ['init --force', '.sightline.yaml', ['init', '--force'], '.sightline.yaml'],
  ['hook install', '.git/hooks', ['hook', 'install'], 'pre-commit'],
  ['memory propose', '.sightline', ['memory', 'propose', 'Amounts are integers.'], 'amounts-are-integers.md'],
  [
    'review --output',
    'out',
    ['review', '--quiet', '--no-cache', '--no-record', '--output', 'out/report.md'],
    'report.md',
  ],
  ['runs --export', 'out', ['runs', 'last', '--export', 'out/run.sightline'], 'run.sightline'],
  ['collect --out', 'out', ['collect', '--out', 'out'], 'request.json'],
]

test.each(drawn(commands))('%s while %s is a link at times', async (_, path, words, written) => {
  const outside = outsideWith([written])
  if (path === '.sightline') {
    mkdirSync(join(outside, 'memory'))
    writeFileSync(join(outside, 'memory', written), secret)
  }
  const before = stateOf(outside)
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export const a = 1\n', '.sightline.yaml': '' }, 'first')
  repo.write({ 'a.ts': 'export const a = 2\n' })
  for (const folder of ['.git/hooks', '.sightline/memory', 'out'])
    mkdirSync(join(repo.path, folder), { recursive: true })
  const env = { XDG_STATE_HOME: temporaryFolder() }
  if (words[0] === 'runs') await sightline(['review', '--quiet', '--no-cache'], { cwd: repo.path, env })
  const child = await swapping(repo.path, path, 'link', path === written ? join(outside, written) : outside)
  for (let at = 0; at < Math.max(8, times / 40); at++) await sightline(words, { cwd: repo.path, env })
  child.kill('SIGKILL')
  expect(stateOf(outside)).toEqual(before)
})

test('a folder of the work tree is a link at times: what is reviewed is never from outside', async () => {
  const outside = outsideWith(['a.ts', 'b.ts'])
  const repo = createRepo()
  repo.commit({ 'src/a.ts': 'one\n', 'src/b.ts': 'one\n' }, 'first')
  repo.write({ 'src/a.ts': 'two\n' })
  const child = await swapping(repo.path, 'src', 'link', outside)
  let read = 0
  const rounds = Math.max(8, times / 40)
  // One round at least that read something says something.
  for (let at = 0; at < rounds || (read === 0 && at < 100 * rounds); at++)
    try {
      const change = await collectLocal({ folder: repo.path, selector: { kind: 'uncommitted' }, limits })
      for (const path of ['src/a.ts', 'src/b.ts']) {
        const text = (await change.head.read(path))?.text
        if (text !== undefined) read++
        expect(text ?? '').not.toContain(secret)
      }
      await change.close()
    } catch (error) {
      if ((error as Error).name === 'AssertionError') throw error
    }
  child.kill('SIGKILL')
  expect(read).toBeGreaterThan(0)
})

test.runIf(process.getuid)('what is kept is not kept where others could exchange it', async () => {
  const shapes: Record<string, (folder: string) => string> = {
    'others may write to it': (folder) => {
      chmodSync(folder, 0o777)
      return folder
    },
    'others may write to a folder above it': (folder) => {
      chmodSync(folder, 0o777)
      return join(folder, 'below/kept')
    },
    'a link from where others may write': (folder) => {
      mkdirSync(join(folder, 'open'))
      mkdirSync(join(folder, 'own'), { mode: 0o700 })
      symlinkSync(join(folder, 'own'), join(folder, 'open/kept'))
      chmodSync(join(folder, 'open'), 0o777)
      return join(folder, 'open/kept')
    },
  }
  const stores: Record<string, (folder: string) => unknown> = {
    runs: (folder) => new FileRunStore(folder).prepare(),
    ledger: (folder) => new FileLedger(folder).append('a', [{ id: 'x' } as never]),
    facts: (folder) => {
      const opened = Pack.open(folder, 'a.pack')
      if (typeof opened === 'string') throw new Error(opened)
    },
    index: (folder) => {
      const why = new IndexFolder(folder).write('a', Buffer.from('a'))
      if (why !== null) throw new Error(why)
    },
    mirrors: (folder) => openMirrors(folder).take({ webUrl: 'a', id: '1' }, AbortSignal.timeout(5_000)),
    'anything else': (folder) => writeWhole(join(folder, 'a'), Buffer.from('a'), { replace: true }),
  }
  for (const [name, shape] of Object.entries(shapes))
    for (const [store, use] of Object.entries(stores)) {
      const folder = temporaryFolder()
      const place = shape(folder)
      const asked = async () => use(place)
      await expect(asked(), `${name}: ${store}`).rejects.toThrow('other users may write to it')
    }
  const own = join(temporaryFolder(), 'kept')
  mkdirSync(own, { mode: 0o755 })
  makeFolder(own)
  expect(lstatSync(own).mode & 0o777).toBe(0o700)
  rmSync(own, { recursive: true })
})
