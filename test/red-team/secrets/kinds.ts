/** Made-up secrets of every kind that must never be shown, drawn from a seed: none is stored anywhere. */
import type { Random } from '../../helpers/random.ts'

export type Canary = {
  kind: string
  /** As it stands in a file. */
  text: string
  /** The parts nobody may see. */
  hidden: readonly string[]
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

type Draw = (alphabet: keyof typeof alphabets, length: number) => string

export function drawCanaries(random: Random): Canary[] {
  const draw: Draw = (alphabet, length) =>
    Array.from({ length }, () => random.pick([...alphabets[alphabet]])).join('')
  return [...tokens(draw), ...inContext(draw), ...keys(draw)]
}

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

function inContext(draw: Draw): Canary[] {
  const jwtHead = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')
  const jwt = `${Buffer.from(`{"sub":"${draw('mixed', 20)}"}`).toString('base64url')}.${draw('mixed', 43)}`
  const docker = Buffer.from(`robot:${draw('mixed', 24)}`).toString('base64')
  const kube = Buffer.from(`-----BEGIN RSA PRIVATE KEY-----\n${draw('base64', 64)}\n${draw('base64', 64)}\n`)
  const made = (kind: string, hidden: string, text: (value: string) => string) => ({
    kind,
    text: text(hidden),
    hidden: [hidden],
  })
  return [
    made('AWS secret', `9aZ${draw('base64', 37)}`, (value) => `aws_secret_access_key = ${value}`),
    { kind: 'JWT', text: `cookie: ${jwtHead}.${jwt}`, hidden: [jwt] },
    made(
      'password in a URL',
      `p7${draw('mixed', 14)}`,
      (value) => `postgres://app:${value}@database-1.c9x.eu-1.rds.amazonaws.com/x`,
    ),
    made('password of redis-prod', `p7${draw('mixed', 14)}`, (value) => `redis://:${value}@redis-prod:6379`),
    made(
      '.netrc',
      `n7${draw('mixed', 14)}`,
      (value) => `machine api.host.io\n  login robot\n  password ${value}`,
    ),
    made('.npmrc', `n7${draw('mixed', 30)}`, (value) => `//registry.npmjs.org/:_authToken=${value}`),
    made(
      'kubeconfig',
      kube.toString('base64').slice(44),
      () => `client-key-data: ${kube.toString('base64')}`,
    ),
    made('.env', `e7${draw('mixed', 16)}`, (value) => `DB_PASSWORD=${value}`),
    made('Docker config', docker, (value) => `{"auths": {"r.io": {"auth": "${value}"}}}`),
  ]
}

function keys(draw: Draw): Canary[] {
  const key = (kind: string, label: string, headers: readonly string[] = [], escaped = false): Canary => {
    const hidden = [...Array.from({ length: 6 }, () => draw('base64', 64)), draw('mixed', 23)]
    const lines = [`-----BEGIN ${label}-----`, ...headers, ...hidden, `-----END ${label}-----`]
    return { kind, hidden, text: escaped ? `{"private_key": "${lines.join('\\n')}\\n"}` : lines.join('\n') }
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
