/** Made-up secrets of every kind that must never be shown, drawn from a seed: none is stored anywhere. */
import type { Random } from '../../helpers/random.ts'

export type Canary = {
  kind: string
  /** As it stands in a file. */
  text: string
  /** The parts nobody may see. */
  hidden: readonly string[]
  /** How many of their first characters may be seen: a token shows four in all. */
  shown: number
}

const lower = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const alphabets = {
  hex: `${digits}abcdef`,
  letters: lower + lower.toUpperCase(),
  mixed: digits + lower + lower.toUpperCase(),
  base64: `${digits + lower + lower.toUpperCase()}+/`,
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
}

type Alphabet = keyof typeof alphabets
type Draw = (alphabet: Alphabet, length: number) => string

/** `any`: any value at all. `telling`: no word, number or name has five of its characters in a row. */
export type Values = 'any' | 'telling'

export function drawCanaries(random: Random, values: Values = 'any'): Canary[] {
  const draw: Draw = (alphabet, length) => {
    let value = ''
    while (value.length < length) {
      const next = value + random.pick([...alphabets[alphabet]])
      if (values === 'any' || isTelling(alphabet, next.slice(-telling))) value = next
    }
    return value
  }
  return [...tokens(draw), ...inContext(draw, random), ...keys(draw)]
}

/** Characters in a row that give a value away. */
export const telling = 5

/** Whether so few characters are unlike any text; what is shorter still may become so. */
function isTelling(alphabet: Alphabet, last: string): boolean {
  const upper = last.replace(/[^A-Z]/g, '').length
  const lowers = last.replace(/[^a-z]/g, '').length
  const numbers = last.replace(/\D/g, '').length
  const missing = {
    hex: Number(lowers === 0) + Number(numbers === 0),
    upper: Number(upper === 0) + Number(numbers === 0),
    letters: Math.max(0, 2 - upper) + Math.max(0, 2 - lowers),
    mixed: Number(upper === 0) + Number(lowers === 0) + Number(numbers === 0),
    base64: Number(upper === 0) + Number(lowers === 0) + Number(numbers === 0),
  }
  return missing[alphabet] <= telling - last.length
}

const triesForThree = 100

/** Base64 of `head` and of so many random characters, of which all but what `head` gives is telling. */
function encoded(head: string, length: number, random: Random): string {
  let text = head
  for (let tries = 0; text.length < head.length + length; tries++) {
    const next = text + Array.from({ length: 3 }, () => random.pick([...alphabets.mixed])).join('')
    const last = toBase64(next).slice(-(telling - 1 + 4))
    const windows = Array.from({ length: 4 }, (_, at) => last.slice(at, at + telling))
    if (text === head || windows.every(isUnlikeWords)) text = next
    // Nothing may fit behind what was taken last.
    else if (tries % triesForThree === triesForThree - 1) text = text.slice(0, -3)
  }
  return toBase64(text)
}

const toBase64 = (text: string): string => Buffer.from(text).toString('base64')

const isUnlikeWords = (window: string): boolean =>
  /[a-z]/.test(window) && /[A-Z]/.test(window) && (/\d/.test(window) || /[A-Z].?[A-Z]/.test(window))

function tokens(draw: Draw): Canary[] {
  const token = (
    kind: string,
    prefix: string,
    hidden: string,
    around = (value: string) => `value: ${value}`,
  ) => ({
    kind,
    text: around(prefix + hidden),
    hidden: [hidden],
    shown: Math.max(0, 4 - prefix.length),
  })
  const [slackTeam, slackBot] = [draw('upper', 9), draw('upper', 9)]
  return [
    token('AWS access key id', 'AKIA', draw('upper', 16)),
    token('GitHub classic', 'ghp_', draw('mixed', 36)),
    token('GitHub fine-grained', 'github_pat_', `${draw('mixed', 22)}_${draw('mixed', 59)}`),
    token('GitLab', 'glpat-', draw('mixed', 20)),
    token('npm', 'npm_', draw('mixed', 36)),
    token('PyPI', 'pypi-AgEIcHlwaS5vcmc', draw('mixed', 100)),
    token('Slack bot', 'xoxb-', `${draw('hex', 12)}-${draw('mixed', 24)}`),
    token('Slack app', 'xapp-', `1-A0${draw('upper', 9)}-${draw('hex', 13)}-${draw('hex', 64)}`),
    token(
      'Slack webhook',
      'https://hooks.slack.com/services/',
      `T${slackTeam}/B${slackBot}/${draw('mixed', 24)}`,
    ),
    token('Stripe', 'sk_live_', draw('mixed', 24)),
    token('Twilio', 'SK', draw('hex', 32)),
    token('SendGrid', 'SG.', `${draw('mixed', 22)}.${draw('mixed', 43)}`),
    token('Hugging Face', 'hf_', draw('letters', 34)),
    token('DigitalOcean', 'dop_v1_', draw('hex', 64)),
    token('OpenAI', 'sk-proj-', draw('mixed', 74)),
    token('Anthropic', 'sk-ant-api03-', `${draw('mixed', 93)}AA`),
    token('Google API key', 'AIza', draw('mixed', 35)),
    token(
      'Azure storage',
      'AccountKey=',
      `${draw('base64', 86)}==`,
      (value) => `AccountName=a;${value};End=b`,
    ),
    token(
      'Azure client secret',
      '',
      `${draw('mixed', 3)}8Q~${draw('mixed', 34)}`,
      (value) => `{"clientSecret": "${value}"}`,
    ),
  ]
}

function inContext(draw: Draw, random: Random): Canary[] {
  const jwtHead = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')
  const jwt = `${encoded('{"iss": "', 30, random)}.${draw('mixed', 43)}`
  const docker = encoded('robot:', 24, random)
  const kube = encoded('-----BEGIN RSA PRIVATE KEY-----\nM', 129, random)
  const made = (kind: string, hidden: string, text: (value: string) => string) => ({
    kind,
    text: text(hidden),
    hidden: [hidden],
    shown: 0,
  })
  return [
    made('AWS secret', `${draw('base64', 37)}9aZ`, (value) => `aws_secret_access_key = ${value}`),
    { kind: 'JWT', text: `cookie: ${jwtHead}.${jwt}`, hidden: [jwt.slice(12)], shown: 0 },
    made(
      'password in a URL',
      `${draw('mixed', 14)}p7`,
      (value) => `postgres://app:${value}@database-1.c9x.eu-1.rds.amazonaws.com/x`,
    ),
    made('password of redis-prod', `${draw('mixed', 14)}p7`, (value) => `redis://:${value}@redis-prod:6379`),
    made(
      '.netrc',
      `${draw('mixed', 14)}n7`,
      (value) => `machine api.host.io\n  login robot\n  password ${value}`,
    ),
    made('.npmrc', `${draw('mixed', 30)}n7`, (value) => `//registry.npmjs.org/:_authToken=${value}`),
    made('kubeconfig', kube.slice(44), (value) => `client-key-data: ${kube.slice(0, 44)}${value}`),
    made('.env', `${draw('mixed', 8)}7e${draw('mixed', 8)}`, (value) => `DB_PASSWORD=${value}`),
    made(
      'quoted password',
      varied(() => `${draw('mixed', 4)}7e${draw('mixed', 4)}`),
      (value) => `admin_pass: "${value}"`,
    ),
    made(
      'Docker config',
      docker.slice(8),
      (value) => `{"auths": {"r.io": {"auth": "${docker.slice(0, 8)}${value}"}}}`,
    ),
  ]
}

/** A short value of few different characters is not taken for a password. */
function varied(drawn: () => string): string {
  const value = drawn()
  return new Set(value).size < 8 ? varied(drawn) : value
}

function keys(draw: Draw): Canary[] {
  const key = (kind: string, label: string, headers: readonly string[] = [], escaped = false): Canary => {
    const hidden = [...Array.from({ length: 6 }, () => draw('base64', 64)), draw('mixed', 23)]
    const lines = [`-----BEGIN ${label}-----`, ...headers, ...hidden, `-----END ${label}-----`]
    return {
      kind,
      hidden,
      shown: 0,
      text: escaped ? `{"private_key": "${lines.join('\\n')}\\n"}` : lines.join('\n'),
    }
  }
  return [
    key('RSA key', 'RSA PRIVATE KEY'),
    key('RSA key, passphrase', 'RSA PRIVATE KEY', [
      'Proc-Type: 4,ENCRYPTED',
      `DEK-Info: AES-128-CBC,${draw('hex', 32)}`,
      '',
    ]),
    key('ed25519 key', 'OPENSSH PRIVATE KEY'),
    key('PKCS#8 key', 'PRIVATE KEY'),
    key('PKCS#8 key, passphrase', 'ENCRYPTED PRIVATE KEY'),
    key('PGP key', 'PGP PRIVATE KEY BLOCK', ['Version: GnuPG v2', '']),
    key('GCP service account', 'PRIVATE KEY', [], true),
  ]
}
