/** `sightline hook`: beside other hooks, never over them, and gone without a trace. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'

function repository() {
  const repo = createRepo()
  const script = join(repo.path, '.git/hooks/pre-commit')
  mkdirSync(join(repo.path, '.git/hooks'), { recursive: true })
  return { cwd: repo.path, script }
}

test('an own script stays, ours runs first, and git runs both', async () => {
  const { cwd, script } = repository()
  const own = '#!/bin/sh\necho own >> ran\nexit 0\n'
  writeFileSync(script, own)
  expect((await sightline(['hook', 'install'], { cwd })).code).toBe(0)
  const text = readFileSync(script, 'utf8')
  expect(text.startsWith('#!/bin/sh\n# sightline: begin')).toBe(true)
  expect(text.endsWith('echo own >> ran\nexit 0\n')).toBe(true)
  expect(statSync(script).mode & 0o111).toBe(0o111)
  expect((await sightline(['hook', 'install'], { cwd })).stdout).toContain('already has the hook')
  expect(readFileSync(script, 'utf8')).toBe(text)

  // With a command that ends as told, in place of ours: findings stop the commit, an outage does not.
  const bin = temporaryFolder()
  writeFileSync(join(bin, 'sightline'), '#!/bin/sh\necho "$@" >> called\nexit "$ENDS"\n')
  chmodSync(join(bin, 'sightline'), 0o755)
  const commit = (ends: string) =>
    execFileSync(
      'git',
      ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--allow-empty', '-qm', 'x'],
      {
        cwd,
        env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, ENDS: ends },
        stdio: 'pipe',
      },
    )
  expect(() => commit('1')).toThrow()
  expect(existsSync(join(cwd, 'ran'))).toBe(false)
  commit('3')
  expect(readFileSync(join(cwd, 'ran'), 'utf8')).toBe('own\n')
  expect(readFileSync(join(cwd, 'called'), 'utf8')).toBe('review --staged --quiet\n'.repeat(2))

  expect((await sightline(['hook', 'remove'], { cwd })).code).toBe(0)
  expect(readFileSync(script, 'utf8')).toBe(own)
})

test('a script of ours alone is removed as a whole, also from core.hooksPath and husky', async () => {
  const { cwd, script } = repository()
  const config = (path: string) => execFileSync('git', ['config', 'core.hooksPath', path], { cwd })
  const husky = join(cwd, '.husky/pre-commit')
  for (const [path, at] of [
    [null, script],
    ['tools/hooks', join(cwd, 'tools/hooks/pre-commit')],
    ['.husky/_', husky],
  ] as const) {
    if (path !== null) config(path)
    await sightline(['hook', 'install'], { cwd })
    expect(readFileSync(at, 'utf8')).toContain('sightline review --staged')
    expect((await sightline(['hook', 'remove'], { cwd })).code).toBe(0)
    expect(existsSync(at)).toBe(false)
  }
  expect((await sightline(['hook', 'remove'], { cwd })).stdout).toContain('no hook of Sightline')
})

test.each([
  [
    'a folder of all repositories',
    ({ cwd }) => void execFileSync('git', ['config', 'core.hooksPath', '/hooks'], { cwd }),
    'outside this repository',
  ],
  ['lefthook', ({ cwd }) => writeFileSync(join(cwd, 'lefthook.yml'), ''), 'lefthook manages'],
  ['pre-commit', ({ cwd }) => writeFileSync(join(cwd, '.pre-commit-config.yaml'), ''), 'pre-commit manages'],
  [
    'another language',
    ({ script }) => writeFileSync(script, '#!/usr/bin/env python3\n'),
    'not a shell script',
  ],
  ['a link', ({ script }) => symlinkSync('/bin/sh', script), 'not a regular file'],
] as [string, (place: ReturnType<typeof repository>) => void, string][])(
  '%s is left alone',
  async (_, arrange, says) => {
    const place = repository()
    arrange(place)
    const { code, stderr } = await sightline(['hook', 'install'], { cwd: place.cwd })
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
  },
)
