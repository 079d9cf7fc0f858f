/** Findings through time, as a person at a terminal follows them: dismissed ones stay away until their code changes. */
import { expect, test } from 'vitest'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'

const odd = (name: string, more = '') => `export const ${name} = (value: number) => value === NaN${more}\n`

function setUp() {
  const repo = createRepo()
  repo.commit({ 'src/a.ts': 'export const one = 1\n', 'src/b.ts': 'export const two = 2\n' })
  repo.git('checkout', '-q', '-b', 'feature')
  const env = { XDG_STATE_HOME: temporaryFolder(), USER: 'Ada' }
  const run = (...args: string[]) => sightline(args, { cwd: repo.path, env })
  return {
    repo,
    run,
    async review() {
      const words = 'review --base main --json --depth offline --planes rules,secrets -q'
      const { stdout } = await run(...words.split(' '))
      return JSON.parse(stdout) as {
        findings: { rule: string; anchor: { path: string }; startLine: number }[]
        dismissed?: { how: string; because: string; by: string }[]
        conclusion: { word: string; notices: string[] }
      }
    },
    async list(...more: string[]) {
      const { stdout } = await run('findings', '--json', ...more)
      return JSON.parse(stdout) as { id: string; state: string; record: { path: string; line: number } }[]
    },
  }
}

const edit = (repo: TestRepo, path: string, text: string) => repo.commit({ [path]: text })

test('a dismissal holds through pushes and ends when the code changes in substance', async () => {
  const { repo, run, review, list } = setUp()
  edit(repo, 'src/a.ts', odd('isOdd'))
  expect((await review()).findings).toHaveLength(1)
  const [found] = await list()
  expect(found).toMatchObject({ state: 'open', record: { path: 'src/a.ts', line: 1 } })
  const id = found?.id.slice(0, 8) ?? ''
  expect((await run('dismiss', id, '--because', 'never NaN here')).stdout).toMatch(/^Dismissed [0-9a-f]{8}: /)

  const again = await review()
  expect(again.findings).toEqual([])
  expect(again.dismissed).toMatchObject([{ how: 'here', by: 'Ada', because: 'never NaN here' }])
  expect(again.conclusion).toMatchObject({
    word: 'INCOMPLETE',
    notices: ['1 finding is not shown: 1 dismissed earlier.'],
  })

  // In a file of another name, then moved and formatted in another way.
  repo.git('mv', 'src/a.ts', 'src/c.ts')
  repo.git('commit', '-qm', 'rename')
  expect((await review()).findings).toEqual([])
  edit(
    repo,
    'src/c.ts',
    `export const three = 3\n\nexport const isOdd = (\n  value: number,\n) =>\n  value === NaN\n`,
  )
  expect((await review()).findings).toEqual([])

  edit(repo, 'src/c.ts', `export const three = 3\n${odd('isOdd', ' || value === 0')}`)
  const changed = await review()
  expect(changed.findings).toHaveLength(1)
  const [back] = await list()
  expect(back).toMatchObject({ state: 'reopened', record: { path: 'src/c.ts' } })
  expect(back?.id).not.toBe(found?.id)

  edit(repo, 'src/c.ts', 'export const three = 3\n')
  await review()
  // By the places where they were seen last.
  expect(await list('--all')).toMatchObject([
    { id: back?.id, state: 'fixed', record: { path: 'src/c.ts', line: 2 } },
    // Its code is no longer there; the decision stays.
    { id: found?.id, state: 'fixed', dismissal: { because: 'never NaN here' }, record: { line: 6 } },
  ])
  const { stdout } = await run('findings', '--export')
  expect(
    JSON.parse(stdout)
      .map(({ type }: { type: string }) => type)
      .filter((type: string) => type !== 'seen' && type !== 'reviewed'),
  ).toEqual(['dismissed', 'reopened', 'fixed', 'fixed'])
  expect((await run('stats')).stdout).toMatch(
    /^ +right +wrong .*share right.*\nall findings +1 +1 +0 +0 +50 % \(9 % to 91 %\)\n/,
  )
})

test('two alike in one file are kept apart, and a rule can be dismissed by its paths', async () => {
  const { repo, run, review, list } = setUp()
  const two = `${odd('isOdd')}\nexport const between = 1\n\n${odd('isOdder')}`
  edit(repo, 'src/a.ts', two)
  expect((await review()).findings).toHaveLength(2)
  const [first] = await list()
  await run('dismiss', first?.id ?? '', '--because', 'known')
  edit(repo, 'src/a.ts', `export const above = 0\n${two}`)
  expect((await review()).findings.map(({ startLine }) => startLine)).toEqual([6])

  edit(repo, 'src/b.ts', odd('isEven'))
  expect((await review()).findings).toHaveLength(2)
  await run('dismiss', first?.id ?? '', '--rule', '--paths', 'src/*.ts', '--because', 'not here')
  const all = await review()
  expect(all.findings).toEqual([])
  expect(all.dismissed).toHaveLength(3)
  await run('dismiss', first?.id ?? '', '--undo', '--because', 'it was right')
  expect((await review()).findings).toHaveLength(3)
  expect((await run('dismiss', '--all')).stdout).toBe('Dismissed 3 open findings.\n')
  expect((await review()).findings).toEqual([])
})

test('comments beside the code and the file of the team are counted and shown; never for secrets', async () => {
  const { repo, run, review } = setUp()
  edit(repo, 'src/a.ts', odd('isOdd'))
  const [{ rule = '' } = {}] = (await review()).findings
  edit(repo, 'src/a.ts', `// sightline-ignore ${rule}: compared on purpose\n${odd('isOdd')}`)
  const ignored = await review()
  expect(ignored.findings).toEqual([])
  expect(ignored.dismissed).toMatchObject([{ how: 'comment', because: 'compared on purpose' }])
  expect(ignored.conclusion.notices).toEqual([
    '1 finding is not shown: 1 ignored by `sightline-ignore` comments in this change.',
  ])
  const key = ['AKIA', 'QYLPMN5HFIQR7XYA'].join('')
  const line = `export const key = '${key}'\n`
  const secrets = async () => (await review()).findings.filter(({ rule: of }) => of.startsWith('secrets'))
  edit(repo, 'src/a.ts', line)
  const [secret] = await secrets()
  edit(repo, 'src/a.ts', `// sightline-ignore ${secret?.rule}: test\n${line}`)
  expect(await secrets()).toHaveLength(1)

  // Of the base, where it was reviewed; the head's own does nothing.
  const team = `dismissed:\n  - rule: ${rule}\n    paths: ['src/**']\n    because: agreed\n    by: the team\n`
  repo.commit({ 'src/a.ts': odd('isOdd'), '.sightline/dismissed.yaml': team })
  expect((await review()).findings).toHaveLength(1)
  repo.git('checkout', '-q', 'main')
  repo.commit({ '.sightline/dismissed.yaml': team })
  repo.git('checkout', '-q', 'feature')
  repo.git('rebase', '-q', 'main')
  expect((await review()).dismissed).toMatchObject([{ how: 'team-file', by: 'the team', because: 'agreed' }])
  expect((await run('replay', 'last', '--json')).stderr).not.toMatch(/differs/)
})

test('what is typed wrong is refused with the way out', async () => {
  const { run } = setUp()
  expect(await run('dismiss', 'ffffffff', '--because', 'x')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Finding not found: ffffffff/),
  })
  expect(await run('dismiss', 'ffffffff')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--because is required/),
  })
  expect((await run('findings')).stdout).toBe('No open findings.\n')
  expect((await run('stats')).stdout).toBe('No findings on record.\n')
})

test('the worst findings come first, whatever their paths', async () => {
  const { repo, run, review } = setUp()
  const password = ['const ', "token = 'ghp_", 'Zq3vXw8RtB5nMk2LpYc7DfGh4JsA1eUo6iTx', "'\n"].join('')
  edit(repo, 'src/a.ts', odd('isOdd'))
  edit(repo, 'src/z.ts', password)
  await review()
  const severities = [...(await run('findings')).stdout.matchAll(/ (critical|high|medium|low) /g)].map(
    ([, one]) => one,
  )
  expect(severities).toEqual(['critical', 'high'])
})
