/** Mistakes on the command line: exit code 2, what is wrong, and what was probably meant. */
import { expect, test } from 'vitest'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from './run-cli.ts'

const mistakes: [args: string[], said: string][] = [
  [['reveiw'], 'there is no command `reveiw`. Did you mean `review`?'],
  [['frobnicate'], 'The commands are review, '],
  [['--staged'], 'the command comes before its options: `sightline review --staged`'],
  [['review', '--stagd'], "unknown option '--stagd' (Did you mean --staged?)"],
  [['review', '--base'], "option '--base <REF>' argument missing"],
  [['review', '--base', ''], '--base: its value is empty.'],
  [['review', 'a', 'b'], '`a` and `b` both say what to review, or one is a path that is not there'],
  [['review', '--staged', '--unstaged'], '--staged and --unstaged contradict each other'],
  [['review', '--staged', '--base', 'main'], '--base and --staged contradict each other'],
  [['review', '--range', 'a..b', '--commit', 'c'], '--range and --commit contradict each other'],
  [['review', '--uncommitted', '--patch', 'x'], '--uncommitted and --patch contradict each other'],
  [['review', 'HEAD~1..HEAD', '--staged'], '`HEAD~1..HEAD` and --staged both say what to review'],
  [['review', '--json', '--format', 'sarif'], '--json and --format sarif contradict each other'],
  [['review', '--format', 'markdwn'], 'Did you mean `markdown`?'],
  [['review', '--fail-on', 'hgh'], 'not one of critical, high, medium, low, never. Did you mean `high`?'],
  [['review', '--max-inline', '-1'], 'not a whole number from 0 to 100'],
  [['review', '--max-inline', '1e9'], 'not a whole number from 0 to 100'],
  [['review', '--quiet', '--progress'], '--quiet and --progress contradict each other'],
  [['review', '--only', 'contract', '--skip', 'contract'], 'both asked for and left out'],
  [['review', '--planes', 'contract', '--skip', 'tests'], '--planes and --skip contradict each other'],
  [['config', '--schema', '--check'], '--check and --schema contradict each other'],
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
    `lies outside of the repository ${repo.path}; another one is named with --repo`,
  )
})

test('with --json the mistake is on standard output as an object, and on standard error in words', async () => {
  const { code, stdout, stderr } = await sightline(['review', '--staged', '--unstaged', '--json'])
  expect(code).toBe(2)
  expect(stderr).toContain('contradict each other')
  expect(JSON.parse(stdout)).toEqual({
    error: {
      code: 'usage',
      title: 'Invalid usage',
      detail: '--staged and --unstaged contradict each other; keep one of them.',
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
