/** Mistakes on the command line: exit code 2, what is wrong, and what was probably meant. */
import { expect, test } from 'vitest'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'

const mistakes: [args: string[], said: string][] = [
  [['reveiw'], 'unknown command `reveiw`. Did you mean `review`?'],
  [['frobnicate'], 'The commands are review, '],
  [['--staged'], 'options follow the command: `sightline review --staged`'],
  [['review', '--stagd'], "unknown option '--stagd' (Did you mean --staged?)"],
  [['review', '--base'], "option '--base <REF>' argument missing"],
  [['review', '--base', ''], '--base: its value is empty.'],
  [['review', 'a', 'b'], '`a` and `b` both select a change; or one is a path that does not exist'],
  [['review', '--staged', '--unstaged'], '--staged and --unstaged cannot be used together'],
  [['review', '--staged', '--base', 'main'], '--base and --staged cannot be used together'],
  [['review', '--range', 'a..b', '--commit', 'c'], '--range and --commit cannot be used together'],
  [['review', '--uncommitted', '--patch', 'x'], '--uncommitted and --patch cannot be used together'],
  [['review', 'HEAD~1..HEAD', '--staged'], '`HEAD~1..HEAD` and --staged both select a change'],
  [['review', '--json', '--format', 'sarif'], '--json and --format sarif cannot be used together'],
  [['review', '--format', 'markdwn'], 'Did you mean `markdown`?'],
  [['review', '--fail-on', 'hgh'], 'not one of critical, high, medium, low, never. Did you mean `high`?'],
  [['review', '--max-inline', '-1'], 'not a whole number from 0 to 100'],
  [['review', '--max-inline', '1e9'], 'not a whole number from 0 to 100'],
  [['review', '--quiet', '--progress'], '--quiet and --progress cannot be used together'],
  [['review', '--only', 'contract', '--skip', 'contract'], 'is in both --only and --skip'],
  [['review', '--planes', 'contract', '--skip', 'tests'], '--planes and --skip cannot be used together'],
  [['config', '--schema', '--check'], '--check and --schema cannot be used together'],
  [['help', 'reviw'], 'Did you mean `review`?'],
  [['version', 'now'], 'too many arguments'],
]

test.each(mistakes)('sightline %j', async (args, said) => {
  const { code, stdout, stderr } = await sightline(args, { cwd: createRepo().path })
  expect(stderr).toContain(said)
  expect(code).toBe(2)
  expect(stdout === '').toBe(!args.includes('--json'))
  expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(3)
})

test('a path that is a branch as well, and one outside of the repository, are explained, not guessed', async () => {
  const repo = createRepo()
  repo.commit({ 'docs/a.md': 'one\n' })
  repo.git('branch', 'docs')
  const both = await sightline(['review', 'docs'], { cwd: repo.path })
  expect(both.code).toBe(2)
  expect(both.stderr).toContain(
    '`docs` is a path and a branch or commit; write ./docs, --base docs or --commit docs',
  )
  const outside = await sightline(['review', temporaryFolder()], { cwd: repo.path })
  expect(outside.code).toBe(2)
  expect(outside.stderr).toContain(
    `is outside the repository ${repo.path}; to use another repository, add --repo PATH`,
  )
})

test('with --json the mistake is on standard output as an object, and on standard error in words', async () => {
  const { code, stdout, stderr } = await sightline(['review', '--staged', '--unstaged', '--json'])
  expect(code).toBe(2)
  expect(stderr).toContain('cannot be used together')
  expect(JSON.parse(stdout)).toEqual({
    error: {
      code: 'usage',
      title: 'Invalid usage',
      detail: '--staged and --unstaged cannot be used together.',
      help: expect.stringContaining('sightline help'),
      exitCode: 2,
    },
  })
})

test('control characters of an argument do not reach the terminal', async () => {
  const { stderr } = await sightline(['review', '--fail-on', '\u001b]0;owned\u0007\u202e'])
  expect(stderr).toContain('⟦U+001B⟧]0;owned⟦U+0007⟧⟦U+202E⟧')
  expect([...stderr].filter((character) => /\p{Cc}|\p{Cf}/u.test(character) && character !== '\n')).toEqual(
    [],
  )
})

test('a patch that is not there, and one on a closed standard input', async () => {
  const missing = await sightline(['review', '--patch', 'nowhere.patch'], { cwd: temporaryFolder() })
  expect(missing.code).toBe(2)
  expect(missing.stderr).toContain('The patch could not be read')
})
