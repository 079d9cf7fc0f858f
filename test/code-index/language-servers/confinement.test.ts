/** What a server gets to see, and what is left when it is gone. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LongRun, Sandbox } from '../../../src/base/sandbox/contract.ts'
import { noSandbox } from '../../../src/code-index/language-servers/open-language-servers.ts'
import { findOnPath } from '../../../src/code-index/language-servers/programs.ts'
import { createRepo, temporaryFolder } from '../../helpers/git-repo.ts'
import { headOf } from '../../helpers/head-of.ts'
import { isRunning } from '../../helpers/is-running.ts'
import { needs } from '../../helpers/needs/needs.ts'
import { open, openFake, places } from './open-servers.ts'

const files = { 'a.rb': 'def total\nend\n', 'b.rb': 'total\n' }
const at = { path: 'a.rb', line: 1, column: 4 }

function ownFolders(): string[] {
  const roots = readdirSync(tmpdir()).filter((name) => name.startsWith(`sightline-${process.pid}-`))
  return roots.flatMap((root) => readdirSync(join(tmpdir(), root))).filter((name) => name.startsWith('tree-'))
}

test('its environment holds no key of the operator, only what the settings name', async () => {
  const servers = await openFake('good', files)
  const answer = await servers.references(at)
  const [environment] = servers.notes()
  expect(environment).toContain('NOTES')
  expect(environment).not.toContain('SECRET_KEY')
  expect(environment).not.toContain('VITEST')
  // What it says of its version is foreign text.
  expect(answer.source).toBe('fake 1.2.3-beta')
})

test('without a sandbox none is started, unless the operator allows it', async () => {
  const findSandbox = async () => null
  const refused = await openFake('good', files, {}, {}, { findSandbox, isOptional: false })
  expect(await refused.references(at)).toMatchObject({
    source: null,
    state: 'silent',
    why: noSandbox,
    found: [],
  })
  expect(await refused.serverFor('ruby')).toBeNull()
  expect(refused.notes()).toEqual([])
  const allowed = await openFake('good', files, {}, {}, { findSandbox, isOptional: true })
  expect((await allowed.references(at)).state).toBe('complete')
  expect(allowed.notes()).not.toEqual([])
})

test('with a sandbox, what is started is what the sandbox says', async () => {
  const asked: LongRun[] = []
  const recorded: Sandbox = {
    name: 'recorded',
    run: () => Promise.reject(new Error('only servers are started here')),
    launch(long) {
      asked.push(long)
      const [command = '', ...rest] = long.command
      const { environment } = long
      return { command, arguments: rest, environment, afterwards: async () => {} }
    },
  }
  const confinement = { findSandbox: async () => recorded, isOptional: false }
  const servers = await openFake('good', files, {}, {}, confinement)
  expect((await servers.references(at)).state).toBe('complete')
  expect(servers.notes()).not.toEqual([])
  expect(asked).toHaveLength(1)
  expect(asked[0]?.writablePaths.every((path) => path.startsWith(tmpdir()))).toBe(true)
})

test('it sees sources and named project files, and nothing that tools run by', async () => {
  const servers = await openFake(
    'good',
    {
      ...files,
      Gemfile: "source 'https://rubygems.org'\n",
      'lib/deep/c.rb': 'total\n',
      '.vscode/settings.json': '{}',
      '.cargo/config.toml': '',
      'node_modules/x/a.rb': 'total\n',
      'README.md': 'total\n',
      'picture.rb': new Uint8Array([0, 1, 2, 3]),
    },
    {},
    { projectFiles: ['**/Gemfile'] },
  )
  expect(places(await servers.references(at))).toEqual(['b.rb:1:0', 'lib/deep/c.rb:1:0'])
  expect(servers.notes()[1]).toBe('files Gemfile a.rb b.rb lib lib/deep lib/deep/c.rb')
})

test('links of the tree are not made, and uncommitted text is not seen', async () => {
  const repo = createRepo()
  symlinkSync('/etc', join(repo.path, 'etc.rb'))
  repo.commit(files)
  repo.write({ 'b.rb': 'nothing\n', 'c.rb': 'total\n' })
  const servers = await openFake('good', await headOf(repo))
  expect(places(await servers.references(at))).toEqual(['b.rb:1:0'])
  expect(servers.notes()[1]).toBe('files a.rb b.rb')
})

test('a tree beyond the limits is not laid out', async () => {
  const few = await openFake('good', files, { files: 1 })
  expect((await few.references(at)).why).toMatch(/2 files .* more than may be laid out/)
  const small = await openFake('good', files, { bytes: 3 })
  expect((await small.references(at)).why).toMatch(/more than may be laid out/)
  expect(ownFolders()).toEqual([])
})

test('closing ends its children too, and removes its files', needs('Linux'), async () => {
  const servers = await openFake('children', files)
  expect((await servers.references(at)).state).toBe('complete')
  const child = Number(/child (\d+)/.exec(servers.notes().join('\n'))?.[1])
  expect(isRunning(child)).toBe(true)
  expect(ownFolders()).toHaveLength(1)
  await servers.close()
  await expect.poll(() => isRunning(child), { timeout: 5_000 }).toBe(false)
  expect(ownFolders()).toEqual([])
  expect(await servers.references(at)).toMatchObject({ state: 'silent', why: 'the servers are closed' })
})

test('one that nobody asks is ended, and started again for the next question', async () => {
  const servers = await openFake('good', files, { idleMs: 20 })
  expect((await servers.references(at)).state).toBe('complete')
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect((await servers.references(at)).state).toBe('complete')
  expect(servers.notes().filter((line) => line.startsWith('files'))).toHaveLength(2)
})

test('programs of the repository are never found', () => {
  const folder = temporaryFolder()
  const [own, bin] = [join(folder, 'repo'), join(folder, 'bin')]
  for (const path of [own, bin, join(folder, 'x/node_modules/.bin')]) mkdirSync(path, { recursive: true })
  const script = (path: string) => writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 })
  script(join(own, 'gopls'))
  script(join(folder, 'x/node_modules/.bin/gopls'))
  symlinkSync(join(own, 'gopls'), join(bin, 'gopls'))
  const PATH = [own, join(folder, 'x/node_modules/.bin'), bin, 'relative', '.'].join(':')
  const around = { environment: { PATH }, foreignFolders: [own] }
  expect(findOnPath('gopls', around)).toBeNull()
  script(join(bin, 'clangd'))
  expect(findOnPath('clangd', around)).toBe(join(bin, 'clangd'))
})

test('settings that name a program that is not there say so', async () => {
  const servers = await open(files, {
    settings: { x: { command: ['no-such-program'], languages: ['ruby'] } },
  })
  expect(await servers.references(at)).toMatchObject({
    source: null,
    state: 'silent',
    why: 'x: `no-such-program` of the settings is not on the PATH',
  })
  const gone = await open(files, { settings: { x: { command: ['/no/such'], languages: ['ruby'] } } })
  expect((await gone.references(at)).why).toBe('x: `/no/such` of the settings does not exist')
})
