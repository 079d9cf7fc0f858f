/** The shadow itself: what it holds, what it copies, and what it leaves behind. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openShadow, quotePath, type Shadow } from '../../../src/base/git/shadow.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../../helpers/git-repo.ts'

async function shadowOf(repo: TestRepo, signal?: AbortSignal): Promise<Shadow> {
  const shadow = await openShadow(repo.path, signal)
  onTestFinished(() => shadow.close())
  return shadow
}

const text = (bytes: Buffer) => bytes.toString('utf8').trim()

test('it is private, has its own configuration, and is gone when closed', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' })
  repo.git('config', 'core.pager', 'evil')
  repo.git('config', 'core.autocrlf', 'input; evil')
  repo.git('config', 'core.eol', 'crlf')
  const shadow = await shadowOf(repo)
  expect(statSync(shadow.root).mode & 0o777).toBe(0o700)
  const listed = text(await shadow.run(['config', '--list'])).split('\n')
  expect(listed.filter((line) => /evil|autocrlf/.test(line))).toEqual([])
  expect(listed).toContain('core.eol=crlf')
  expect(text(await shadow.run(['rev-parse', '--git-dir']))).toBe(shadow.place.gitDir)
  await shadow.close()
  expect(existsSync(shadow.root)).toBe(false)
  await expect(shadow.objects.info('HEAD')).rejects.toThrow('closed')
})

test('git inherits nothing but absolute folders of PATH', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' })
  const shadow = await shadowOf(repo)
  const before = { ...process.env }
  process.env.PATH = `.:relative:${before.PATH}`
  Object.assign(process.env, {
    GIT_DIR: '/nowhere',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'alias.environment',
  })
  Object.assign(process.env, { GIT_CONFIG_VALUE_0: '!echo evil', GIT_EXTERNAL_DIFF: 'evil', SECRET: 'x' })
  try {
    const args = ['-c', 'alias.environment=!env', 'environment']
    const names = text(await shadow.run(args)).split('\n')
    expect(names.filter((line) => /evil|SECRET|nowhere/.test(line))).toEqual([])
    const path =
      names
        .find((line) => line.startsWith('PATH='))
        ?.slice(5)
        .split(':') ?? []
    expect(path.every((folder) => folder.startsWith('/'))).toBe(true)
  } finally {
    for (const name of [
      'GIT_DIR',
      'GIT_CONFIG_COUNT',
      'GIT_CONFIG_KEY_0',
      'GIT_CONFIG_VALUE_0',
      'GIT_EXTERNAL_DIFF',
      'SECRET',
    ])
      delete process.env[name]
    process.env.PATH = before.PATH
  }
})

test('references are copied as data: loose over packed, symbolic ones, and no nonsense', async () => {
  const repo = createRepo()
  const one = repo.commit({ 'a.txt': '1\n' })
  repo.git('tag', 'v1')
  repo.git('branch', 'moves')
  repo.git('pack-refs', '--all')
  const two = repo.commit({ 'a.txt': '2\n' })
  repo.git('update-ref', 'refs/heads/moves', two)
  repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/heads/main')
  const heads = join(repo.path, '.git/refs/heads')
  writeFileSync(join(heads, 'not-an-id'), 'x'.repeat(40))
  writeFileSync(join(heads, 'outward'), 'ref: ../../outside\n')
  symlinkSync('/dev/zero', join(heads, 'endless'))
  execFileSync('mkfifo', [join(heads, 'pipe')])
  mkdirSync(join(repo.path, '.git/refs/heads/loop'))
  symlinkSync('..', join(repo.path, '.git/refs/heads/loop/up'))
  const packed = join(repo.path, '.git/packed-refs')
  writeFileSync(packed, `${readFileSync(packed, 'utf8')}garbage\n${one} refs/../x\n${one} HEAD\n`)
  const shadow = await shadowOf(repo)
  const listed = text(await shadow.run(['for-each-ref', '--format=%(refname) %(objectname)']))
  expect(listed.split('\n')).toEqual([
    `refs/heads/main ${two}`,
    `refs/heads/moves ${two}`,
    `refs/remotes/origin/HEAD ${two}`,
    `refs/tags/v1 ${one}`,
  ])
  rmSync(join(heads, 'pipe'))
})

test('a HEAD that is a symbolic link or makes no sense does no harm', async () => {
  const repo = createRepo()
  const commit = repo.commit({ 'a.txt': '1\n' })
  const head = join(repo.path, '.git/HEAD')
  rmSync(head)
  symlinkSync('refs/heads/main', head)
  expect((await (await shadowOf(repo)).objects.info('HEAD'))?.id).toBe(commit)
  rmSync(head)
  writeFileSync(head, 'nonsense\n')
  expect(await (await shadowOf(repo)).objects.info('HEAD')).toBeNull()
})

test('an abort ends what runs and what waits', async () => {
  const repo = createRepo()
  repo.commit({ 'a.txt': 'a\n' })
  const controller = new AbortController()
  const shadow = await shadowOf(repo, controller.signal)
  const waiting = [shadow.objects.read('HEAD', 1000), shadow.run(['-c', 'alias.sleep=!sleep 30', 'sleep'])]
  setTimeout(() => controller.abort(new Error('enough')), 50)
  for (const result of await Promise.allSettled(waiting))
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ message: 'enough' })
  await expect(shadow.run(['version'])).rejects.toThrow('enough')
  await expect(shadow.objects.info('HEAD')).rejects.toThrow('enough')
})

test('time and output have limits', async () => {
  const repo = createRepo()
  const shadow = await shadowOf(repo)
  const slow = shadow.run(['-c', 'alias.sleep=!exec sleep 30', 'sleep'], { timeoutMs: 100 })
  await expect(slow).rejects.toMatchObject({
    code: 'git-failed',
    message: 'git sleep took longer than 0.1 s',
  })
  const endless = shadow.run(['-c', 'alias.yes=!exec yes', 'yes'], { maxBytes: 100_000 })
  await expect(endless).rejects.toMatchObject({
    code: 'git-failed',
    message: 'git yes wrote more than 100000 bytes',
  })
})

test('git’s own words carry no control characters and no name of our folder', async () => {
  const shadow = await shadowOf(createRepo())
  const error = await shadow.run(['cat-file', '-p', 'no\u001b[31mthing']).catch((e: unknown) => e)
  expect(error).toMatchObject({ code: 'git-failed' })
  expect(String(error)).not.toMatch(/\p{Cc}|sightline-\d/u)
})

test('paths are quoted for the list of alternates as git unquotes them', () => {
  expect(quotePath('/plain/path')).toBe('"/plain/path"')
  expect(quotePath('/a "b"\\c\nd é')).toBe('"/a \\042b\\042\\134c\\012d \\303\\251"')
})

test('a folder that is left open is removed when the process ends', () => {
  const repo = createRepo()
  const folder = temporaryFolder()
  const script = `import { openShadow } from ${JSON.stringify(join(import.meta.dirname, '../../../src/base/git/shadow.ts'))}
    const shadow = await openShadow(${JSON.stringify(repo.path)}); console.log(shadow.root); process.exit(3)`
  const env = { ...process.env, TMPDIR: folder }
  let root = ''
  try {
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' })
  } catch (error) {
    root = String((error as { stdout: string }).stdout).trim()
  }
  expect(root.startsWith(folder)).toBe(true)
  expect(existsSync(root)).toBe(false)
})
