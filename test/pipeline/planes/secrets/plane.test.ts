/** The secrets plane on whole changes. All secrets are made up, and put together at run time. */
import { expect, test } from 'vitest'
import { Config } from '../../../../src/config/schema.ts'
import { formatNames, formats, reviewChange as reviewWhole } from '../../../../src/index.ts'
import { secretsPlane } from '../../../../src/pipeline/planes/secrets/plane.ts'
import { createRepo } from '../../../helpers/git-repo.ts'
import type { Changed, Texts } from '../../../helpers/in-memory/change.ts'
import { sharedFacts } from '../../../helpers/shared-facts.ts'
import { outcomesOf, reviewChange } from '../review-commit.ts'

/** Made up, and put together at run time. */
const token = `${'ghp_'}${'q8Zr4TnV1xKp7LmB3wYc9HsD2fGj6RtE5uNa'}`

const review = (after: Changed, before: Texts = { 'a.ts': 'export const a = 1\n' }) =>
  reviewChange(secretsPlane, before, after)
const outcomes = async (after: Changed, before?: Texts): Promise<string[]> =>
  outcomesOf(await review(after, before))

test('a token in an added line is critical, and stands on its line', async () => {
  const told = await review({ 'a.ts': `export const a = 1\nexport const token = '${token}'\n` })
  expect(outcomesOf(told)).toEqual(['a.ts:2 secrets/github-token'])
  expect(told.findings[0]).toMatchObject({ severity: 'critical', confidence: 'certain' })
})

test('a manual may show a token that was never issued, and an example one that opens a demonstration', async () => {
  const shown = `{:password "${token}"}\n`
  for (const path of ['docs/deploy.md', 'examples/shop/index.js']) {
    const told = await review({ [path]: shown })
    expect(told.findings).toMatchObject([{ severity: 'medium', confidence: 'likely' }])
  }
})

test('what another file of the repository had before is not exposed by the change', async () => {
  const before = { 'src/consts.ts': `export const token = '${token}'\n` }
  const script = (value: string) => ({ 'tools/get.py': `TOKEN = '${value}'\n` })
  expect(await outcomes(script(token), before)).toEqual([])
  expect(await outcomes(script(token.replace('q8', 'w7')), before)).toEqual([
    'tools/get.py:1 secrets/github-token',
  ])
})

test('the token that a web page gives to everybody is none of the repository', async () => {
  const bearer = (app: string) =>
    `auth = "Bearer ${'A'.repeat(22)}${app}${token.slice(4)}${token.slice(4)}"\n`
  expect(
    await outcomes({ 'src/api.nim': bearer('NRILgAAAAAA'), 'src/b.nim': bearer('PYXBAAAAAAA') }),
  ).toEqual([])
  expect(await outcomes({ 'src/api.nim': bearer('Nq7LgAAAAAA') })).toEqual([
    'src/api.nim:1 secrets/twitter-token',
  ])
})

test('a line that was there before is not reported', async () => {
  expect(
    await outcomes(
      { 'a.ts': `export const token = '${token}'\nexport const b = 2\n` },
      { 'a.ts': `export const token = '${token}'\n` },
    ),
  ).toEqual([])
})

test('the same kind on several lines is one finding', async () => {
  const { findings } = await review({
    'a.ts': `const x = '${token}'\nconst y = '${token.replace('q8', 'w7')}'\n`,
  })
  expect(findings).toHaveLength(1)
  expect(findings[0]?.title).toContain('on 2 lines')
})

test('tests, manuals and lock files are read with their habits in mind', async () => {
  const uncertain = `apiKey = "${token.slice(4)}"\n`
  expect(
    await outcomes({
      'test/server.test.ts': `${uncertain}const key = \`${'-----BEGIN '}PRIVATE KEY-----\n${token.slice(4)}${token.slice(4)}\`\n`,
      'test_files/sftp/unknown.key': `${'-----BEGIN '}PRIVATE KEY-----\n${token.slice(4)}${token.slice(4)}\n`,
      'README.md': uncertain,
      'yarn.lock': `# yarn lockfile v1\n${uncertain}`,
      'src/real.ts': uncertain,
    }),
  ).toEqual(['src/real.ts:1 secrets/value-of-a-secret'])
})

test('no output of any format holds the secret', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export const a = 1\n' })
  repo.commit({ 'a.ts': `// see ${token}\nexport const token = '${token}'\n` })
  const { review } = await reviewWhole({
    folder: repo.path,
    selector: { kind: 'commit', commit: 'HEAD' },
    cacheFolder: null,
    facts: sharedFacts(),
  })
  expect(review.findings).not.toEqual([])
  for (const format of formatNames) {
    const text = formats[format](review, { color: false, width: 100, explain: true, maxInline: 8 })
    expect(text).not.toContain(token)
    expect(text).not.toContain(token.slice(8))
  }
})

test('neither evidence nor claims hold the secret, nor another one of the same line', async () => {
  const other = `${'sk_live_'}${'4eC39HqLyjWDarjtT1zdp7dc8Xw2'}`
  const { findings, evidence } = await review({ 'a.ts': `pay('${other}', '${token}')\n` })
  expect(findings.map(({ rule }) => rule).sort()).toEqual(['secrets/github-token', 'secrets/stripe-live-key'])
  const said = JSON.stringify([findings.map(({ claims }) => claims), evidence])
  expect(said).toContain('sk_l')
  expect(said).not.toContain(other)
  expect(said).not.toContain(token.slice(8))
})

test('a secret that was only moved or re-indented was known before', async () => {
  expect(
    await outcomes(
      { 'a.ts': 'export {}\n', 'b.ts': `export {}\n    const token = '${token}'\n` },
      { 'a.ts': `const token = '${token}'\n`, 'b.ts': 'export {}\n' },
    ),
  ).toEqual([])
})

/** A private key whose lines are drawn from a letter. */
function keyOf(letter: string): string {
  const line = (at: number) => `${letter}${at}${token.slice(5)}${token.slice(5, 30)}`
  const body = Array.from({ length: 8 }, (_, at) => line(at)).join('\n')
  return `${'-----BEGIN '}RSA PRIVATE KEY-----\n${body}\n${'-----END '}RSA PRIVATE KEY-----\n`
}

test('a key that replaces another is reported, though its first line was there before', async () => {
  const told = await review({ id_rsa: keyOf('N') }, { id_rsa: keyOf('M') })
  expect(outcomesOf(told)).toEqual(['id_rsa:2 secrets/private-key'])
  expect(JSON.stringify(told)).not.toContain(token.slice(5, 30))
})

test('a key of an example that takes the place of another one is not reported; a new one is', async () => {
  const key = (body: string) => `${'-----BEGIN '}PRIVATE KEY-----\n${body}\n${'-----END '}PRIVATE KEY-----\n`
  const told = await review(
    {
      'examples/ca.key': key(token.slice(4, 30).repeat(2)),
      'examples/new.key': key(token.slice(5, 31).repeat(2)),
    },
    { 'examples/ca.key': key(token.slice(4).repeat(2)) },
  )
  expect(outcomesOf(told)).toEqual(['examples/new.key:1 secrets/private-key'])
  expect(told.findings[0]?.severity).toBe('medium')
})

test('an encrypted key is told as one', async () => {
  const [finding] = (await review({ id_rsa: keyOf('M').replaceAll('PRIVATE', 'ENCRYPTED PRIVATE') })).findings
  expect(finding).toMatchObject({ severity: 'medium', title: 'An encrypted private key is committed' })
})

test('more files than three with the same kind of secret are one finding that names them', async () => {
  const letters = ['q8', 'w7', 'e6', 'r5']
  const { findings } = await review(
    Object.fromEntries(letters.map((two) => [`${two}.ts`, `const x = '${token.replace('q8', two)}'\n`])),
  )
  expect(findings).toHaveLength(1)
  for (const two of letters.filter((two) => `${two}.ts` !== findings[0]?.anchor.path))
    expect(findings[0]?.explanation).toContain(`\`${two}.ts:1\``)
})

test('a key that is only indented otherwise was known before', async () => {
  expect(
    await outcomes(
      { 'a.yaml': `key: |\n    ${keyOf('M').replaceAll('\n', '\n    ')}` },
      { 'a.yaml': `key: |\n  ${keyOf('M').replaceAll('\n', '\n  ')}` },
    ),
  ).toEqual([])
})

test('a comment in the change does not switch the search off', async () => {
  expect(await outcomes({ 'a.ts': `// secretlint-disable\nexport const token = '${token}'\n` })).toEqual([
    'a.ts:2 secrets/github-token',
  ])
})

const letters = 'q8Zr4TnV1xKp7LmB3wYc9HsD2fGj6RtE5uNaW0oQ'
const dollar = '$'

test.each([
  ['aws-access-key-id', `${'AKIA'}QX7RZ2LMN4TVB6WP`],
  ['anthropic-api-key', `${'sk-ant-'}api03-${letters}${letters}${letters.slice(0, 15)}AA`],
  ['google-api-key', `${'AIza'}SyD-${letters.slice(0, 31)}`],
  ['hugging-face-token', `${'hf_'}qZrTnVxKpLmBwYcHsDfGjRtEuNaWoQvXbM`],
  ['signed-web-token', `${'eyJ'}hbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MjQyNDIifQ.${letters}`],
  ['value-of-a-secret', `api_key = "${letters.slice(0, 24)}"`],
])('knows %s', async (rule, text) => {
  const line = text.includes('=') ? text : `const value = '${text}'`
  expect(await outcomes({ 'src/a.ts': `${line}\n` })).toEqual([`src/a.ts:1 secrets/${rule}`])
})

test.each([
  ['the example key of a manual', `const key = '${'AKIA'}IOSFODNN7EXAMPLE'`],
  ['a template', `password: "${dollar}{DATABASE_PASSWORD}"`],
  ['the environment', 'const token = process.env.GITHUB_TOKEN_FOR_RELEASES'],
  ['a word in brackets', 'api_key = "<your-api-key-goes-here>"'],
  ['crosses', `const token = '${'ghp_'}${'x'.repeat(36)}'`],
  ['a name', "const secret = 'session-cookie-signature'"],
  ['a local database', 'postgres://postgres:postgres@localhost:5432/app'],
])('%s is no secret', async (_, line) => {
  expect(await outcomes({ 'src/a.ts': `${line}\n` })).toEqual([])
})

test.each([
  'vendor/lib/a.go',
  'web/node_modules/x/i.min.js',
  'src/__snapshots__/a.snap',
  'package-lock.json',
  'go.sum',
])('a token in %s is reported: no path is an excuse', async (path) => {
  expect(await outcomes({ [path]: `a ${token}\n` })).toEqual([`${path}:1 secrets/github-token`])
})

test('a token in an excluded file is reported: excluded is not unseen', async () => {
  const config = Config.parse({ paths: { exclude: ['old/**'] } })
  const after = { 'old/a.ts': `export const a = 1\nexport const token = '${token}'\n` }
  const told = await reviewChange(secretsPlane, { 'old/a.ts': 'export const a = 1\n' }, after, { config })
  expect(outcomesOf(told)).toEqual(['old/a.ts:2 secrets/github-token'])
})
