/** Secrets that only their surroundings give away: what is assigned to a password, sent in a header, or kept in a known file. */
import type { SecretForm } from './contract.ts'
import {
  entropy,
  isConventionalPassword,
  isPlaceholder,
  looksLikePassword,
  looksLikeSecretValue,
  looksRandom,
} from './placeholder.ts'

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
      /(?:secret[-_]?(?:access[-_]?)?key|aws[-_]?secret[\w-]{0,20})["'`]?[^\S\n]{0,3}(?:=>|:=|=|:)[^\S\n]{0,3}["'`]?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    group: 1,
    certain: true,
    accept: isAwsSecret,
  },
  {
    kind: 'AWS secret access key',
    hints: ['AKIA', 'ASIA'],
    pattern:
      /(?<![A-Za-z0-9/+])(?:AKIA|ASIA)[A-Z2-7]{16}[\s"'`,:;|=\w]{1,40}?(?<![A-Za-z0-9/+])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g,
    group: 1,
    certain: true,
    accept: isAwsSecret,
  },
  {
    kind: 'npm registry password',
    hints: [':_auth', ':_password'],
    pattern: /:_(?:authToken|auth|password)[^\S\n]{0,3}=[^\S\n]{0,3}["']?([^\s"'`$]{8,400})/g,
    group: 1,
    certain: false,
    accept: (value) => !isPlaceholder(value),
  },
  {
    kind: 'Docker registry password',
    hints: ['"auth"'],
    pattern: /"auth"[^\S\n]{0,3}:[^\S\n]{0,3}"([A-Za-z0-9+/]{8,400}={0,2})"/g,
    group: 1,
    certain: true,
    accept: isUserAndPassword,
  },
  {
    kind: 'password in a header',
    hints: ['authorization'],
    pattern:
      /authorization["'`]?[^\S\n]{0,3}[:=,][^\S\n]{0,3}["'`]?basic[^\S\n]{1,3}([A-Za-z0-9+/]{8,400}={0,2})/gi,
    group: 1,
    certain: false,
    accept: isUserAndPassword,
  },
  {
    kind: 'token in a header',
    hints: ['bearer'],
    pattern: /\bbearer[^\S\n]{1,3}([A-Za-z0-9+/._~=-]{20,2000})/gi,
    group: 1,
    certain: false,
    accept: isKeyLike,
  },
  {
    kind: 'password in a connection string',
    hints: ['password=', 'pwd='],
    pattern: /\b(?:password|pwd)=([^;"'`\s${}<>]{4,200})(?=[;"'`\s])/gi,
    group: 1,
    certain: false,
    accept: (value, { before, after }) =>
      /(?:server|source|host|user id|uid|username|catalog|database)=/i.test(before + after) &&
      !isPlaceholder(value),
  },
  {
    kind: 'private key in base64',
    hints: ['LS0tLS1CRUdJTi'],
    pattern: /LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,20000}={0,2}/g,
    certain: true,
    accept: (value) => Buffer.from(value.slice(0, 80), 'base64').toString('latin1').includes('PRIVATE KEY'),
  },
  {
    kind: 'value of a secret',
    hints: ['passw', 'secret', 'token', 'key', 'credential'],
    pattern:
      /(?:password|passwd|secret|token|api[-_]?key|access[-_]?key|account[-_]?key|private[-_]?key|credential)s?["'`]?[^\S\n]{0,3}(?:=>|:=|=|:)[^\S\n]{0,3}["'`]([^\s"'`]{16,200})["'`]/gi,
    group: 1,
    certain: false,
    accept: isKeyLike,
  },
  {
    kind: 'value of a secret',
    hints: ['passw', 'secret', 'token', 'key', 'credential'],
    pattern:
      /(?:password|passwd|secret|token|api[-_.]?key|access[-_.]?key|private[-_.]?key|credential)[^\S\n]{0,3}[:=][^\S\n]{0,3}([^\s"'`,;(){}<>[\]$]{16,400})/gi,
    group: 1,
    certain: false,
    accept: (value, { after }) => /^[^\S\n]{0,10}(?:\n|$)/.test(after) && isKeyLike(value),
  },
  {
    kind: 'password',
    hints: ['PASS'],
    pattern: /(?:PASSWORD|PASSWD|PASS)[A-Z0-9_]{0,20}=["']?([^\s"'`$<>{}()&|;,\\]{8,200})/g,
    group: 1,
    certain: false,
    accept: (value, { after }) => /^(?:["'`\s]|$)/.test(after) && looksLikePassword(value),
  },
  {
    kind: 'password',
    hints: ['pass', 'secret'],
    pattern:
      /(?:[Pp]ass(?:word|wd)|[Ss]ecret|Pass|(?<![A-Za-z])pass|PASSWORD|PASSWD|(?<![A-Z])PASS|SECRET)["'`]?[^\S\n]{0,3}(?:=>|:=|=|:)[^\S\n]{0,3}["'`]([^\s"'`]{8,200})["'`]/g,
    group: 1,
    certain: false,
    accept: looksLikePassword,
  },
  {
    kind: 'value of a secret',
    hints: ['SECRET', 'TOKEN', 'KEY', 'CREDENTIAL'],
    pattern: /(?:SECRET|TOKEN|KEY|CREDENTIALS?)[A-Z0-9_]{0,20}=["']?([^\s"'`$<>{}()&|;,\\]{8,200})/g,
    group: 1,
    certain: false,
    accept: (value, { after }) => /^(?:["'`\s]|$)/.test(after) && looksLikeSecretValue(value),
  },
  // Lines of files whose values need no quotes: `.env`, then properties, INI and YAML. A statement of code is longer.
  {
    kind: 'password',
    hints: ['SECRET'],
    pattern:
      /^[^\S\n]{0,20}(?:export[^\S\n]{1,3})?[A-Z0-9_]{0,60}SECRET[A-Z0-9_]{0,20}=([^\s"'`$<>{}()&|;,\\]{8,200})[^\S\n]{0,10}$/gm,
    group: 1,
    certain: false,
    accept: looksLikePassword,
  },
  {
    kind: 'password',
    hints: ['pass', 'secret'],
    pattern:
      /^[^\S\n]{0,40}(?:- )?[\w.-]{0,60}(?:password|passwd|secret)[^\S\n]{0,3}[:=][^\S\n]{0,3}([^\s"'`$<>{}()[\]&|;,\\]{8,200})[^\S\n]{0,10}$/gim,
    group: 1,
    certain: false,
    accept: looksLikePassword,
  },
]
