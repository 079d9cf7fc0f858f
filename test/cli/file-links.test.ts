/** Paths as links, a pager for what does not fit, and neither where no person reads. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linkFilesIn, showsLinks } from '../../src/cli/output/file-links.ts'
import { choosePager } from '../../src/cli/output/pager.ts'
import { keepColors } from '../../src/cli/output/safe-text.ts'
import { createPaint } from '../../src/pipeline/publish/terminal/text.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'

const at = (path: string) => ({ path, side: 'new' as const, startLine: 1, endLine: 1 })

test('plain files of the work tree are linked, nothing that a click would start', () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'a b'))
  for (const name of ['a b/ü;\u001b[2J.ts', 'run.sh', 'trap.desktop']) writeFileSync(join(root, name), '')
  chmodSync(join(root, 'run.sh'), 0o755)
  symlinkSync('/etc/passwd', join(root, 'link.txt'))
  const { open, prefix } = linkFilesIn(root)
  const address = open(at('a b/ü;\u001b[2J.ts')) ?? ''
  expect(address.startsWith(prefix)).toBe(true)
  // Only what may be in an address, so that nothing ends it early.
  expect(address).toMatch(/^file:\/\/[\w.%-]*\/[!-~]+$/)
  for (const path of ['run.sh', 'trap.desktop', 'link.txt', 'gone.ts', '../outside.ts', 'a b'])
    expect(open(at(path))).toBeNull()
  expect(open({ ...at('a b/ü;\u001b[2J.ts'), side: 'old' })).toBeNull()

  const line = createPaint(false, open).place(at('a b/ü;\u001b[2J.ts'), 'a.ts:1')
  expect(line).toBe(`\u001b]8;;${address}\u001b\\a.ts:1\u001b]8;;\u001b\\`)
  expect(keepColors(line, prefix)).toBe(line)
  // Text of a repository that forges a link to elsewhere, or a title of the window, loses it.
  expect(keepColors('\u001b]8;;https://evil.example\u001b\\x', prefix)).not.toContain('\u001b')
  expect(keepColors(`\u001b]8;;${prefix}../x\u001b\\\u001b]0;title\u0007`, `${prefix}sub/`)).not.toContain(
    '\u001b',
  )
  expect(keepColors(line)).not.toContain('\u001b')
})

test.each([
  [{ TERM_PROGRAM: 'iTerm.app' }, true],
  [{ TERM: 'xterm-kitty' }, true],
  [{ VTE_VERSION: '6800' }, true],
  [{ VTE_VERSION: '4800' }, false],
  [{ TERM: 'xterm-256color' }, false],
  [{ TERM: 'xterm-kitty', TMUX: '/tmp/x' }, false],
  [{ TERM_PROGRAM: 'vscode', CI: '1' }, false],
  [{ TERM_PROGRAM: 'vscode', FORCE_HYPERLINK: '0' }, false],
])('links in a terminal of %j: %s', (environment, expected) => {
  expect(showsLinks(environment)).toBe(expected)
})

test.each([
  [{}, true, 'less'],
  [{ PAGER: 'more' }, true, 'more'],
  [{ PAGER: 'more', SIGHTLINE_PAGER: 'less -S' }, true, 'less -S'],
  [{ PAGER: 'cat' }, true, null],
  [{ SIGHTLINE_PAGER: '' }, true, null],
  [{ NO_PAGER: '1' }, true, null],
  [{ TERM: 'dumb' }, true, null],
  [{}, false, null],
])('the pager of %j, at a terminal: %s', (environment, isTTY, expected) => {
  const stdout = Object.assign(Object.create(process.stdout), { isTTY })
  const shell = { environment, stdout, stderr: stdout, stdin: process.stdin, folder: '/', facts: null }
  expect(choosePager(shell, false)).toBe(expected)
  expect(choosePager(shell, true)).toBeNull()
})
