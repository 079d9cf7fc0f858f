/** Secrets that only their surroundings give away: what is assigned to a password, sent in a header, or kept in a known file. */
import type { SecretForm } from './contract.ts'
import { entropy, isConventionalPassword, isPlaceholder, looksRandom } from './placeholder.ts'

const isKeyLike = (value: string): boolean => !isPlaceholder(value) && looksRandom(value)

/** `user:password` in base64, as Docker and HTTP write it. */
function isUserAndPassword(value: string): boolean {
  const text = Buffer.from(value, 'base64').toString('latin1')
  const [, user = '', password = ''] = /^([!-~]{1,100}?):([!-~]{3,})$/.exec(text) ?? []
  return password !== '' && !isConventionalPassword(password, user)
}

/** Of the three alphabets that a base64 key of AWS mixes, all must be there: an object id has two. */
function isAwsSecret(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && entropy(value) > 4
}

export const valueForms: readonly SecretForm[] = [
  {
    kind: 'AWS secret access key',
    hints: ['secret', 'aws'],
    pattern:
      /(?:secret[-_]?(?:access[-_]?)?key|aws[-_]?secret[\w-]{0,20})["'`]?[^\S\n]{0,3}(?:=>|:=|=|:)[^\S\n]{0,3}["'`]?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/iy,
    group: 1,
    certain: true,
    accept: isAwsSecret,
  },
  {
    kind: 'AWS secret access key',
    hints: ['AKIA', 'ASIA'],
    pattern:
      /(?:AKIA|ASIA)[A-Z2-7]{16}[\s"'`,:;|=\w]{1,40}?(?<![A-Za-z0-9/+])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/y,
    group: 1,
    certain: true,
    accept: isAwsSecret,
  },
  {
    kind: 'npm registry password',
    hints: ['_auth', '_password'],
    pattern: /(?<![A-Za-z0-9])_(?:authToken|auth|password)[^\S\n]{0,8}=[^\S\n]{0,8}["']?([^\s"'`$]{8,400})/y,
    group: 1,
    certain: false,
    accept: (value) => /^[\w+/=.-]+$/.test(value) && /\d|=$/.test(value) && !isPlaceholder(value),
  },
  {
    kind: 'Docker registry password',
    hints: ['"auth"'],
    pattern: /"auth"[^\S\n]{0,3}:[^\S\n]{0,3}"([A-Za-z0-9+/]{8,400}={0,2})"/y,
    group: 1,
    certain: true,
    accept: isUserAndPassword,
  },
  {
    kind: 'password in a header',
    hints: ['authorization'],
    pattern:
      /authorization["'`]?[^\S\n]{0,3}[:=,][^\S\n]{0,3}["'`]?basic[^\S\n]{1,3}([A-Za-z0-9+/]{8,400}={0,2})/iy,
    group: 1,
    certain: false,
    accept: isUserAndPassword,
  },
  {
    kind: 'token in a header',
    hints: ['bearer'],
    pattern: /bearer[^\S\n]{1,3}([A-Za-z0-9+/._~=-]{20,2000})/iy,
    group: 1,
    certain: false,
    accept: isKeyLike,
  },
  {
    kind: 'password in a connection string',
    hints: ['password=', 'pwd='],
    pattern: /(?:password|pwd)=([^;"'`\s${}<>]{4,200})(?=[;"'`\s])/iy,
    group: 1,
    certain: false,
    accept: (value, around) =>
      /(?:server|source|host|user id|uid|username|catalog|database)=/i.test(around()) &&
      // A parameter of a function with what it is by default.
      !/^[\w.]+[([]|[),]$/.test(value) &&
      !isPlaceholder(value),
  },
  {
    kind: 'signed web token',
    hints: ['eyJ'],
    pattern: /eyJ[\w-]{10,600}\.eyJ[\w-]{10,8000}\.[\w-]{16,2000}/y,
    certain: false,
    accept: (value) => /"(?:alg|typ)"/.test(Buffer.from(value.split('.')[0] ?? '', 'base64url').toString()),
  },
]
