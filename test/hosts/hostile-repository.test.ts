/**
 * A repository that names a program of its own under every key git would run one from. Nothing of it may run,
 * whatever is asked; and plain git does run it there, so the test can see.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ChangeSelector } from '../../src/hosts/contract.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { changesOf, collect, useAll } from './collecting.ts'

/** Every hook of githooks(5). */
const hooks =
  'applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman post-index-change p4-changelist p4-prepare-changelist p4-post-changelist p4-pre-submit'.split(
    ' ',
  )

type Trap = { program: string; marker: string }

/** A program that notes its first argument in the marker file and passes its input through. */
function setTrap(): Trap {
  const folder = temporaryFolder()
  const trap = { program: join(folder, 'trap'), marker: join(folder, 'marker') }
  writeFileSync(trap.program, `#!/bin/sh\necho "$0 $1" >> '${trap.marker}'\nexec cat\n`)
  chmodSync(trap.program, 0o755)
  return trap
}

function hostileConfig({ program }: Trap, included: string): string {
  const run = (key: string) => `"${program} ${key}"`
  return `[core]
  repositoryformatversion = 0
  bare = false
  fsmonitor = ${program}
  hooksPath = hostile-hooks
  pager = ${run('core.pager')}
  sshCommand = ${run('core.sshCommand')}
  editor = ${run('core.editor')}
  gitProxy = ${run('core.gitProxy')}
  askPass = ${program}
  alternateRefsCommand = ${run('core.alternateRefsCommand')}
  attributesFile = .gitattributes
  worktree = /
[diff]
  external = ${program}
[diff "trap"]
  command = ${run('diff.trap.command')}
  textconv = ${run('diff.trap.textconv')}
[diff "lfs"]
  textconv = ${run('diff.lfs.textconv')}
[filter "trap"]
  clean = ${run('filter.trap.clean')}
  smudge = ${run('filter.trap.smudge')}
  process = ${run('filter.trap.process')}
  required = true
[filter "lfs"]
  clean = ${run('filter.lfs.clean')}
  process = ${run('filter.lfs.process')}
  required = true
[merge "trap"]
  driver = ${run('merge.trap.driver')}
[merge]
  tool = trap
[mergetool "trap"]
  cmd = ${run('mergetool')}
[difftool "trap"]
  cmd = ${run('difftool')}
[gpg]
  program = ${program}
[gpg "ssh"]
  program = ${program}
[log]
  showSignature = true
[credential]
  helper = ${run('credential.helper')}
[alias]
  diff-tree = !${program} alias
  log = !${program} alias
  x = !${program} alias
[pager]
  log = ${run('pager.log')}
  diff-tree = ${run('pager.diff-tree')}
[interactive]
  diffFilter = ${run('interactive.diffFilter')}
[sequence]
  editor = ${run('sequence.editor')}
[trailer "sign"]
  command = ${run('trailer.command')}
  cmd = ${run('trailer.cmd')}
[uploadpack]
  packObjectsHook = ${program}
[remote "origin"]
  url = ext::${program} remote
  uploadpack = ${program}
  promisor = true
  partialclonefilter = blob:none
[extensions]
  partialClone = origin
[protocol "ext"]
  allow = always
[gc]
  recentObjectsHook = ${program}
[submodule]
  recurse = true
[status]
  submoduleSummary = true
[include]
  path = ${included}
[includeIf "gitdir:/"]
  path = ${included}
`
}

/** Puts the hostile configuration, hooks and attributes into a git directory. */
function arm(gitDir: string, trap: Trap): void {
  const included = join(gitDir, 'included-config')
  writeFileSync(included, `[core]\n  fsmonitor = ${trap.program}\n[diff]\n  external = ${trap.program}\n`)
  writeFileSync(join(gitDir, 'config'), hostileConfig(trap, included))
  writeFileSync(join(gitDir, 'info/attributes'), '* filter=trap diff=trap merge=trap\n')
  mkdirSync(join(gitDir, 'hooks'), { recursive: true })
  for (const hook of hooks)
    writeFileSync(join(gitDir, 'hooks', hook), `#!/bin/sh\necho ${hook} >> '${trap.marker}'\n`, {
      mode: 0o755,
    })
}

/** Commits, a branch, staged, unstaged and untracked changes, a dirty submodule, an embedded bare repository. */
function buildHostileRepo(trap: Trap): TestRepo {
  const inner = createRepo()
  inner.commit({ 'inner.txt': 'one\n' })
  const repo = createRepo()
  repo.commit({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.bin': 'three\n' }, 'first')
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'sub')
  const attributes = '* filter=trap diff=trap merge=trap text=auto\n*.bin filter=lfs diff=lfs -text\n'
  repo.commit({ '.gitattributes': attributes }, 'second')
  repo.git('checkout', '--quiet', '-b', 'feature')
  repo.commit({ 'a.txt': 'one\nmore\n', 'd.txt': 'new\n' }, 'third\n\nSigned-off-by: Ada <ada@example.com>')
  const bare = join(repo.path, 'embedded')
  execFileSync('git', ['init', '--quiet', '--bare', bare])
  execFileSync('git', ['init', '--quiet', join(repo.path, 'nested')])
  repo.write({
    'b.txt': 'two\nstaged\n',
    'hostile-hooks/post-index-change': `#!/bin/sh\n${trap.program} hook\n`,
  })
  chmodSync(join(repo.path, 'hostile-hooks/post-index-change'), 0o755)
  repo.git('add', 'b.txt')
  repo.write({ 'a.txt': 'one\nmore\nunstaged\n', 'e.txt': 'untracked\n', 'sub/inner.txt': 'dirty\n' })
  repo.write({ 'c.bin': 'changed\n', 'nested/x.txt': 'x\n' })
  arm(bare, trap)
  arm(join(repo.path, 'nested/.git'), trap)
  arm(join(repo.path, '.git/modules/sub'), trap)
  arm(join(repo.path, '.git'), trap)
  return repo
}

const patch = Buffer.from('diff --git a/b.txt b/b.txt\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-two\n+three\n')

const selectors: ChangeSelector[] = [
  { kind: 'auto' },
  { kind: 'uncommitted' },
  { kind: 'staged' },
  { kind: 'unstaged' },
  { kind: 'base', base: 'main' },
  { kind: 'range', range: 'main..feature' },
  { kind: 'range', range: 'main...feature' },
  { kind: 'commit', commit: 'HEAD' },
  { kind: 'patch', patch, base: null },
]

test('nothing that a hostile repository names is run, whatever is asked, and plain git does run it there', async () => {
  const trap = setTrap()
  const repo = buildHostileRepo(trap)
  const expectUntouched = (during: string) =>
    expect(existsSync(trap.marker), `ran during ${during}: ${marks(trap)}`).toBe(false)
  for (const selector of selectors) {
    const change = await collect(repo.path, selector)
    expect((await change.diff()).files.length, selector.kind).toBeGreaterThan(0)
    await useAll(change)
    expectUntouched(selector.kind)
  }
  // The places inside it that are repositories of their own are as harmless.
  const sub = await collect(join(repo.path, 'sub'), { kind: 'uncommitted' })
  expect(await changesOf(sub)).toEqual(['M inner.txt'])
  await useAll(sub)
  for (const folder of ['embedded', 'nested', '.git'])
    await collect(join(repo.path, folder), { kind: 'auto' }).then(useAll, () => {})
  expectUntouched('a repository inside')
  // So the test can see.
  for (const args of [
    ['status'],
    ['diff'],
    ['diff', 'main', 'feature'],
    ['log', '-p', '-1'],
    ['add', '-A'],
  ]) {
    rmSync(trap.marker, { force: true })
    // A removed `core.worktree = /` leaves the rest as it was; with it git would look at the whole machine.
    const config = join(repo.path, '.git/config')
    writeFileSync(config, readFileSync(config, 'utf8').replace('worktree = /', ''))
    try {
      execFileSync('git', args, { cwd: repo.path, stdio: 'ignore', timeout: 20_000 })
    } catch {
      // Filters that lie make git fail; that they ran is what counts.
    }
    expect(existsSync(trap.marker), `git ${args.join(' ')}`).toBe(true)
  }
})

function marks({ marker }: Trap): string {
  return existsSync(marker) ? readFileSync(marker, 'utf8') : 'nothing'
}
