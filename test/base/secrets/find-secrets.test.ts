/** The samples are made up and put together at run time, so that no scanner takes this file for a leak. */
import { describe, expect, test } from 'vitest'
import { findSecrets } from '../../../src/base/secrets/find-secrets.ts'
import {
  joinForSearch,
  maskRanges,
  redactStrings,
  redactText,
  withoutValues,
} from '../../../src/base/secrets/redact.ts'
import { cpuMilliseconds } from '../../helpers/cpu-time.ts'
import { Random } from '../../helpers/random.ts'
import { drawCanaries } from '../../red-team/secrets/kinds.ts'

const random = 'q8Zr4TnV1xKp7LmB3wYc9HsD2fGj6RtE5uNa0XoI'
const upper = 'QZ3RT7VNXKPLMBYW2C'

const secrets: [string, string][] = [
  ['AWS access key id', `${'AKIA'}${upper.slice(0, 16).replaceAll(/[01589]/g, 'Q')}`],
  ['OpenAI', `${'sk-'}proj-${random}${random}`],
  ['Google', `${'AIza'}${random.slice(0, 35)}`],
  ['Stripe', `${'sk_'}live_${random.slice(0, 30)}`],
  ['Hugging Face', `${'hf_'}${random.replaceAll(/\d/g, 'k').slice(0, 34)}`],
  ['GitHub', `${'ghp_'}${random.slice(0, 36)}`],
  ['npm', `${'npm_'}${random.slice(0, 36)}`],
  ['SendGrid', `${'SG.'}${random.slice(0, 22)}.${random}q8Z`],
  ['private key', `${'-----BEGIN '}RSA PRIVATE KEY-----\n${random}${random}`],
  ['generic', `const apiKey = "${random.slice(0, 32)}"`],
]

describe('finds', () => {
  test.each(secrets)('%s', async (_name, text) => {
    expect(findSecrets(`x = 1\nvalue: ${text}\n`)).not.toEqual([])
  })

  test('a secret in a comment that asks to be left alone', async () => {
    const text = `// secretlint-disable\nconst a = "${'ghp_'}${random.slice(0, 36)}"\n// secretlint-enable\n`
    expect(findSecrets(text)).toHaveLength(1)
  })

  test.each(['DB_PASSWORD=', '//r.io/:_authToken='])('what a template literal gives to %s', (name) => {
    expect(findSecrets(`connect(\`${name}p7Kq2mXw9dTz\`)`)).toMatchObject([{ value: 'p7Kq2mXw9dTz' }])
  })

  test('offsets that cut exactly the value', async () => {
    const value = random.slice(0, 32)
    const text = `password = "${value}"`
    const [match] = findSecrets(text)
    expect(text.slice(match?.start, match?.end)).toBe(value)
  })
})

describe('leaves alone', () => {
  test.each([
    'const token = process.env.API_TOKEN',
    `docsearch({\n  appId: "CWUS37S0PK",\n  apiKey: "${'caa591b6dcb2c930'}8551361d954a728b",\n  indexName: "docs",\n})`,
    'def connect(\n    self,\n    username="",\n    password=None,\n    pkey=None,\n):',
    // A token's form in the middle of a table, of which the next line goes on.
    `${random.slice(0, 30)}${'EAAC'}${random}\n${random}${random}`,
    `password: "\${DB_PASSWORD}"`,
    "api_key = '<your-api-key-here>'",
    `secret = "${'AKIA'}IOSFODNN7EXAMPLE"`,
    'function derive(\n  secret: Uint8Array,\n  bits: number,\n)',
    "  authenticationMD5Password = 'authenticationMD5Password',",
    'const passwordField = "input.user-password-field"',
    'token = "aaaaaaaaaaaaaaaaaaaaaaaa"',
    'url = "postgres://user:password@localhost:5432/app"',
    'integrity sha512-abcdef',
    'secretKeyRef: "my-service-credentials"',
    'accessTokenPath = "/etc/app/access-token.json"',
    'url = "https://tom:password123@db.shop.io/"',
    'url = "https://user%20name:p%40ssword@db.shop.io/"',
    'url = "socks5://proxy:testpass@gateway.shop.io:1080"',
    'machine netrc.shop.io\n  login tom\n  password other-password',
    `authorization: Basic ${Buffer.from('username:password').toString('base64')}`,
  ])('%s', async (text) => {
    expect(findSecrets(text)).toEqual([])
  })
})

describe('masks, but does not report,', () => {
  test.each(['localhost', 'example.org', 'db.example.com', 'db.test'])('a password at %s', (host) => {
    expect(findSecrets(`https://app:p7Kq2mXw9d@${host}/x`)).toMatchObject([
      { value: 'p7Kq2mXw9d', local: true },
    ])
  })

  test.each(['redis-prod', 'notexample.com', 'example.com.shop.io'])('other than one at %s', (host) => {
    expect(findSecrets(`https://app:p7Kq2mXw9d@${host}/x`)).toMatchObject([{ local: false }])
  })
})

test('a conventional word inside a password does not make it conventional', () => {
  for (const password of ['password-p7Kq2m', 'admin9Xw2', 'test#Kd8', 'adminadmin20261'])
    expect([password, findSecrets(`https://app:${password}@db.shop.io/x`)]).toMatchObject([
      password,
      [{ value: password }],
    ])
})

describe('redacts', () => {
  const token = `${'ghp_'}${random.slice(0, 36)}`

  test('all but the first four characters', async () => {
    expect(redactText(`a ${token} b`)).toBe('a ghp_… b')
  })

  test('every string of a value and nothing else', async () => {
    const value = { a: [`x ${token}`, 'plain', 3, null], b: { c: token, d: 'ghp' } }
    expect(redactStrings(value)).toEqual({
      a: ['x ghp_…', 'plain', 3, null],
      b: { c: 'ghp_…', d: 'ghp' },
    })
  })

  test('each of many strings by itself, one that is long or holds what is put between them too', () => {
    const texts = ['a'.repeat(1_000_001), `b ${token}`, `c\n\u0000\nd ${token}`, 'e', `${token}`]
    const clean = texts.map((text) => text.replace(token, 'ghp_…'))
    expect(redactStrings(texts)).toEqual(clean)
    expect(redactStrings({ [token]: texts })).toEqual({ [token]: clean })
    expect(redactStrings(token)).toBe('ghp_…')
  })

  test('strings are searched in large groups, in order and without loss', () => {
    const long = 'x'.repeat(600_000)
    expect([...joinForSearch(['a', long, 'b', long, 'c'])]).toEqual([
      ['a', long, 'b', long].join('\n\u0000\n'),
      'c',
    ])
    expect([...joinForSearch([long, 'x'.repeat(400_000), 'c'])]).toHaveLength(2)
    expect([...joinForSearch([])]).toEqual([])
  })

  test('values that are known, whatever they look like, and none for an empty one', () => {
    expect(withoutValues('ab-7 and ab-7 or b', ['ab-7', '', 'b'])).toBe('… and … or …')
  })

  test('a range without characters shows no mask', () => {
    const ranges = [
      { start: 1, end: 1 },
      { start: 2, end: 3 },
    ]
    expect(maskRanges('abcd', ranges)).toBe('ab…d')
    expect(maskRanges('abcd', [])).toBe('abcd')
  })

  test('no hash or id beside a text that ends in the first line of a key, or begins with its last', async () => {
    const hashes = Array.from({ length: 4 }, (_, index) => `${index}a${'0c4d9e8b7f'.repeat(6)}`)
    const value = {
      first: ['kept: -----BEGIN RSA PRIVATE KEY-----', ...hashes, 'E43'],
      last: ['E44', ...hashes, '-----END RSA PRIVATE KEY-----'],
    }
    expect(redactStrings(value)).toBe(value)
  })

  test('a value without secrets is the same object', async () => {
    const value = { a: 'plain' }
    expect(redactStrings(value)).toBe(value)
  })
})

describe('a word with a number', () => {
  test.each(['DB_PASSWORD=orchard1234', 'ADMIN_PASS=Meadowlark7', 'SMTP_PASSWD=kestrel-24'])(
    '%s is a password',
    (text) => {
      const value = text.replace(/^\w+=/, '')
      expect(findSecrets(`${text}\n`)).toMatchObject([{ value, kind: 'password', certain: false }])
    },
  )

  test.each([
    'ADMIN_PASS="Meadowlark7"',
    `db_password: 'Harvest2024'`,
    '{"password": "Harvest2024"}',
    `adminPass := "Meadowlark7"`,
    `:secret => 'Meadowlark-7'`,
    'connect(host, passwd="kestrel-24")',
  ])('%s is a password in quotes', (text) => {
    const value = /["'](\w[\w-]+\d)["']/.exec(text)?.[1]
    expect(findSecrets(`a = 1\n${text}\n`)).toMatchObject([{ value, kind: 'password', certain: false }])
  })

  test.each([
    'ADMIN_PASS="changeme1234"',
    `password: 'example2024'`,
    `password: "\${ADMIN_PASS_2}"`,
    `password: 'xxxx-xxxx-1'`,
    `password: 'postgres123'`,
    `secret: 'process.env.APP_1'`,
    `compass: 'north-2024'`,
    `passwordHint: 'orchard1234'`,
    `password == 'orchard1234'`,
    `password: 'orchards'`,
    'extract_extension_with_pass "a.cmir-linear123"',
  ])('%s is none in quotes', (text) => {
    expect(findSecrets(`${text}\n`)).toEqual([])
  })

  test.each([
    'CACHE_KEY=version1234',
    'DB_PASSWORD=postgres123',
    'DB_PASSWORD=changeme1234',
    'PASS=orchards',
  ])('%s is none', (text) => {
    expect(findSecrets(`${text}\n`)).toEqual([])
  })
})

describe('values without quotes', () => {
  test.each([
    'APP_SECRET=orchard1234',
    'export APP_SECRET=orchard1234',
    'app.secret=orchard1234',
    'spring.datasource.password = orchard1234',
    'password: orchard1234',
    '  - db_password: orchard1234  ',
  ])('the password in %s is masked', (line) => {
    expect(redactText(`a\n${line}\nb\n`)).toBe(`a\n${line.replace('orchard1234', '…')}\nb\n`)
  })

  test.each([
    'password = config.secret1',
    'const secret = sha256(data)',
    'secret: postgres123',
    'password: string1, user: string2',
    'secretName: orchard1234',
    'if (password == orchard1234) {',
    'src: "https://files.example.org/image.png?alt=media&token=4f1c9e7b-53d8-4b6a-9c02-7ae1d05f2b98",',
  ])('%s has none', (line) => {
    expect(findSecrets(`${line}\n`)).toEqual([])
  })
})

test.each(['"', "'"])(
  'a quote (%s) that ends the line of a login stays, one inside a password does not',
  (quote) => {
    const line = `machine shop.io login tom password orch${quote}ard`
    expect(redactText(`x(${quote}${line}${quote}, 1)`)).toBe(
      `x(${quote}machine shop.io login tom password …${quote}, 1)`,
    )
    expect(redactText(`${line}\n`)).toBe('machine shop.io login tom password …\n')
  },
)

test('hostile text takes linear time', async () => {
  const bomb = `${'password'.repeat(20_000)} ${'eyJ'.repeat(50_000)} ${'"'.repeat(50_000)} ${'sk-proj-'.repeat(20_000)}`
  const startedAt = cpuMilliseconds()
  findSecrets(bomb)
  // Not a promise of speed: quadratic matching would take minutes here.
  expect(cpuMilliseconds() - startedAt).toBeLessThan(30_000)
})

test('every kind of the red team is masked whatever its value, and masking twice changes nothing', () => {
  const random = new Random(7)
  for (let round = 0; round < 20; round++)
    for (const { kind, text, hidden } of drawCanaries(random)) {
      const masked = redactText(text)
      for (const value of hidden)
        expect([kind, masked]).not.toEqual([kind, expect.stringContaining(value.slice(4, 12))])
      expect(redactText(masked)).toBe(masked)
    }
})

const cutOf = (text: string) =>
  findSecrets(text).map(({ kind, start, end, hidden }) => ({
    kind,
    whole: text.slice(start, end),
    hidden: hidden.map((part) => text.slice(part.start, part.end)),
  }))

describe('one secret in one place', () => {
  const token = `${'ghp_'}${random.slice(0, 36)}`

  test.each([
    [`const apiKey = "${token}"`, token, token.slice(4)],
    [`password = "${token}-and-more"`, `${token}-and-more`, `${token}-and-more`],
    [`const apiKey = "x-${token}"`, `x-${token}`, `x-${token}`],
    [`https://app:${token}@localhost/x`, token, token.slice(4)],
    [`\\u0061 password = "${token}"`, token, token.slice(4)],
  ])('has the surer name and all of both: %s', (text, whole, hidden) => {
    expect(cutOf(text)).toEqual([{ kind: 'GitHub token', whole, hidden: [hidden] }])
    expect(findSecrets(text)).toMatchObject([{ certain: true, local: false }])
  })

  test('two beside one another are two, in their order', () => {
    const text = `b = "${token}", password = "Meadowlark7", a = "${token}"`
    expect(cutOf(text).map(({ kind }) => kind)).toEqual(['GitHub token', 'password', 'GitHub token'])
    expect(redactText(text)).toBe('b = "ghp_…", password = "…", a = "ghp_…"')
  })

  test('each of two AWS ids leads to its own key', () => {
    const ids = [0, 1].map((at) => `${'AKIA'}${'QZQRTQVNXKPLMBYW'.slice(at)}${'Q'.repeat(at)}`)
    const keys = [0, 1].map((at) => `wJalrXUtnFEMIK7MDENGbPxRfiCYzq8Zr4TnV${at}xK`)
    const text = ids.map((id, at) => `${id} ${keys[at]}`).join('\n')
    expect(cutOf(text).map(({ whole }) => whole)).toEqual(ids.flatMap((id, at) => [id, keys[at]]))
  })
})

test('of a key in a string of JSON the place is the whole block, and its body is hidden', () => {
  const body = [random, `${random.slice(9)}xyzABC123`].join('\\n')
  const block = `-----${'BEGIN'} PRIVATE KEY-----\\n${body}\\n-----END PRIVATE KEY-----`
  expect(cutOf(`{"a": 1, "key": "${block}\\n", "b": 2}`)).toEqual([
    { kind: 'private key', whole: block, hidden: [body] },
  ])
})

test.each([150, 1900])(
  'a connection string is known by what stands %d before or behind its password',
  (far) => {
    for (const text of [
      `"uid=sa;${'x'.repeat(far)};pwd=k7Qm2Zx9bTrL;"`,
      `f("pwd=k7Qm2Zx9bTrL;${'x'.repeat(far)};uid=sa")`,
    ])
      expect(redactText(text)).toBe(text.replace('k7Qm2Zx9bTrL', '…'))
    // In another string only what is near counts.
    const other = `f("uid=sa", ${'x'.repeat(far)}, "pwd=k7Qm2Zx9bTrL;")`
    expect(redactText(other) === other).toBe(far > 200)
  },
)

test.each(['before', 'behind'])(
  'the secret half of an AWS key is known by the id %s it, whatever it is called',
  (where) => {
    const id = `${'AKIA'}QZQRTQVNXKPLMBYW`
    const key = 'wJalrXUtnFEMIK7MDENGbPxRfiCYzq8Zr4TnV1xK'
    const [first, second] = where === 'before' ? [id, key] : [key, id]
    const at = (distance: number) => `one: ${first}${' '.repeat(distance)} two: ${second}`
    expect(cutOf(at(250)).map(({ whole }) => whole)).toEqual([first, second])
    expect(cutOf(at(400)).map(({ whole }) => whole)).toEqual([id])
  },
)

test('base64 in base64 is looked into', () => {
  const once = Buffer.from(`password = "${random.slice(0, 20)}"`).toString('base64')
  const twice = Buffer.from(`data: ${once}`).toString('base64')
  for (const text of [once, twice])
    expect(cutOf(`a: ${text}\n`)).toEqual([{ kind: 'password', whole: text, hidden: [text] }])
})

test.each(['\n', '\r\n'])('a private key in base64 is masked on all of its lines, ending in %j', (feed) => {
  const key = Array.from({ length: 8 }, (_, n) => random.slice(n) + random.slice(0, n + 10)).join('\n')
  const pem = `-----${'BEGIN'} OPENSSH PRIVATE KEY-----\n${key}\n-----END OPENSSH PRIVATE KEY-----\n`
  const lines =
    Buffer.from(pem)
      .toString('base64')
      .match(/.{1,60}/g) ?? []
  const text = ['data:', '  ssh: |', ...lines.map((line) => `    ${line}`), 'kind: Secret', ''].join(feed)
  const masked = ['data:', '  ssh: |', ...lines.map(() => '    …'), 'kind: Secret', '']
  expect(redactText(text)).toBe(masked.join(feed))
})

test('a PuTTY key that ends with the text is masked', () => {
  const text = `Private-Lines: 2\n${random}${random}\n${random}\n`
  expect(redactText(text)).toBe('Private-Lines: 2\n…\n…\n')
  expect(redactText('Private-Lines: 1\n')).toBe('Private-Lines: 1\n')
})
