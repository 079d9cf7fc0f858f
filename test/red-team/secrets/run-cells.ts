/**
 * Secrets in every dress: what it is × how its characters are escaped × how it is wrapped × the syntax around it × where it
 * stands × the way by which text leaves. A cell leaks when eight characters in a row of what nobody may see come out, as they
 * were written.
 */
import { findSecrets } from '../../../src/base/secrets/find-secrets.ts'
import type { IssuedForm } from '../../../src/base/secrets/issuers/issued-form.ts'
import { issuers } from '../../../src/base/secrets/issuers/registry.ts'
import { redactStrings, redactText } from '../../../src/base/secrets/redact.ts'
import { redactStream } from '../../../src/base/secrets/redact-stream.ts'
import { maskPatch } from '../../../src/hosts/masked/mask-patch.ts'
import type { Random } from '../../helpers/random.ts'
import { drawToken } from './draw-token.ts'
import { keyCells } from './key-cells.ts'
import { type Syntax, syntaxes } from './syntaxes.ts'

export type CellsOutcome = { cells: number; leaks: string[]; alarms: string[]; harmless: number }

/** A text, and the pieces of a secret as they are written in it. */
export type Cell = { what: string; text: string; pieces: readonly string[]; telling?: number }

/** Of a piece so many characters in a row are a leak; a shorter one is one as a whole. */
const leastTelling = 8
const shown = 4

export function runCells(random: Random, cells: number): CellsOutcome {
  const outcome: CellsOutcome = { cells, leaks: [], alarms: [], harmless: 0 }
  for (let at = 0; at < cells; at++) {
    if (random.chance(0.1)) {
      const text = drawHarmless(random)
      outcome.harmless++
      if (findSecrets(text).length > 0) outcome.alarms.push(JSON.stringify(text))
      continue
    }
    const cell = random.chance(0.15)
      ? keyCells(random)
      : random.chance(0.5)
        ? tokenCell(random)
        : namedCell(random)
    const placed = { ...cell, text: random.pick(places)(cell.text) }
    const [output, out] = random.pick(outputs)
    const seen = out(placed.text)
    const leaked = leakIn(seen, placed)
    if (leaked !== null)
      outcome.leaks.push(`${cell.what}, ${output}: ${JSON.stringify(leaked)} of ${JSON.stringify(cell.text)}`)
    else if (!findSecrets(placed.text).some(({ local }) => !local))
      outcome.leaks.push(`${cell.what}: no finding in ${JSON.stringify(cell.text)}`)
  }
  return outcome
}

function leakIn(seen: string, { pieces, telling = leastTelling }: Cell): string | null {
  for (const [index, piece] of pieces.entries()) {
    const rest = index === 0 ? piece.slice(shown) : piece
    if (rest.length < telling && rest.length >= leastTelling && seen.includes(rest)) return rest
    for (let at = 0; at + telling <= rest.length; at++) {
      const part = rest.slice(at, at + telling)
      if (seen.includes(part)) return part
    }
  }
  return null
}

const outputs: readonly (readonly [string, (text: string) => string])[] = [
  ['text', redactText],
  ['strings of a record', (text) => JSON.stringify(redactStrings({ list: ['plain', text], deep: { text } }))],
  ['stream', (text) => redactStream(`data: ${JSON.stringify({ index: 0, delta: { text } })}\n`)],
  ['patch', (text) => Buffer.from(maskPatch(patchOf(text), null, null)).toString('utf8')],
  ['message', (text) => redactText(`Update the settings\n\n${text}`)],
]

function patchOf(text: string): Uint8Array {
  const lines = text.split('\n')
  return Buffer.from(
    `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}\n`,
  )
}

const places: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `a = 1\n${text}\nb = 2\n`,
  (text) => `${'x = f(1);'.repeat(30)}\n\n${text}\n`,
  (text) => `\t\t${text.replaceAll('\n', '\n\t\t')}`,
  (text) => text.replaceAll('\n', '\r\n'),
]

// Tokens, anywhere.

type Escape = readonly [string, (value: string) => string]
const each = (value: string, which: RegExp, write: (code: number) => string) =>
  value.replace(which, (one) => write(one.charCodeAt(0)))
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0')

const escapes: readonly Escape[] = [
  ['plain', (value) => value],
  ['JSON', (value) => each(value, /[_./+=-]/g, (code) => `\\u${hex(code, 4)}`)],
  ['JSON all', (value) => each(value, /./g, (code) => `\\u${hex(code, 4)}`)],
  ['JSON twice', (value) => each(value, /[_./+=-]/g, (code) => `\\\\u${hex(code, 4)}`)],
  ['hexadecimal escape', (value) => each(value, /[a-e_-]/g, (code) => `\\x${hex(code, 2)}`)],
  ['octal', (value) => each(value, /[_-]/g, (code) => `\\${code.toString(8).padStart(3, '0')}`)],
  ['braces', (value) => each(value, /[_A-F-]/g, (code) => `\\u{${hex(code, 2)}}`)],
  ['URL', (value) => each(value, /[^A-Za-z0-9]/g, (code) => `%${hex(code, 2)}`)],
  ['URL all', (value) => each(value, /./g, (code) => `%${hex(code, 2).toUpperCase()}`)],
  ['URL twice', (value) => each(value, /[^A-Za-z0-9]/g, (code) => `%25${hex(code, 2)}`)],
  ['HTML', (value) => each(value, /[^A-Za-z0-9]/g, (code) => `&#${code};`)],
  ['HTML hexadecimal', (value) => each(value, /[^B-Zb-z]/g, (code) => `&#x${hex(code, 2)};`)],
  ['zero width', (value) => value.replace(/.{7}/g, '$&\u200b')],
  ['soft hyphen', (value) => value.replace(/.{9}/g, '$&\u00ad')],
  ['base64', (value) => Buffer.from(`key=${value}\n`).toString('base64')],
  ['base64 URL', (value) => Buffer.from(`{"token":"${value}"}`).toString('base64url')],
  [
    'base64 wrapped',
    (value) => Buffer.from(`token: ${value}\nuser: app\n`).toString('base64').replace(/.{40}/g, '$&\n  '),
  ],
  ['hexadecimal', (value) => Buffer.from(`token=${value}`).toString('hex')],
]

const before = [
  '',
  'X_',
  '"TOKEN=\\n',
  'token:',
  'See ',
  'url=https://x:',
  'prefix',
  '(',
  '\u2028',
  '<b>',
  '$',
  'é',
  'a\\t',
  '%0A',
  '&quot;',
]

function tokenCell(random: Random): Cell {
  const form = random.pick(issuers)
  const token = drawToken(form, random)
  const isGuarded = form.pattern.source.startsWith('(?<')
  // A sign of percent in a token is itself an escape.
  const [way, write] = random.pick(token.includes('%') ? escapes.slice(0, 1) : escapes)
  const lead = random.pick(
    isGuarded || way.startsWith('base64') || way === 'hexadecimal' ? ['', ' ', '"', '='] : before,
  )
  const syntax = random.pick(syntaxes)
  if (way === 'plain' && !token.includes('%') && syntax.join !== null && random.chance(0.5))
    return joinedCell(random, form.kind, token, syntax)
  const written = write(token)
  const text = random.chance(0.5)
    ? lead + written
    : lineIn(syntax, random, random.chance(0.5) ? 'value' : 'x', written)
  const pieces = written.split(/\n\s*/)
  // What stands before the secret part of a form is no secret: a host, the name of a field.
  const secret = secretPart(form, token)
  return {
    what: `${form.kind} (${form.hint}), ${way}`,
    text,
    pieces:
      way === 'plain' ? [secret] : pieces.length > 1 ? pieces.slice(1) : [written.slice(written.length >> 1)],
    telling: way === 'plain' ? leastTelling : 30,
  }
}

function secretPart({ kind, group, pattern }: IssuedForm, token: string): string {
  pattern.lastIndex = 0
  if (group > 0) return `${'x'.repeat(shown)}${pattern.exec(token)?.[group] ?? ''}`
  return /address|webhook|Telegram/.test(kind) ? token.slice(-20) : token
}

function joinedCell(random: Random, kind: string, token: string, syntax: Syntax): Cell {
  const size = random.between(9, 16)
  const parts = token.match(new RegExp(`.{1,${size}}`, 'g')) ?? []
  const seam = random.pick([
    `${syntax.quote}${syntax.join}${syntax.quote}`,
    `${syntax.quote}${syntax.join}\n    ${syntax.quote}`,
    `${syntax.quote}\n    ${(syntax.join ?? '').trim()} ${syntax.quote}`,
    '\\\n',
  ])
  const text = syntax.quote + parts.join(seam) + syntax.quote
  return {
    what: `${kind} in pieces of ${syntax.name}`,
    text: `x = ${text}`,
    pieces: parts.filter((part) => part.length >= leastTelling).slice(1),
  }
}

// Values by the name that they are given to.

const names = {
  password: [
    ['db', 'password'],
    ['admin', 'passwd'],
    ['smtp', 'pwd'],
    ['user', 'pass'],
    ['client', 'secret'],
    ['key', 'passphrase'],
    ['password'],
  ],
  key: [
    ['api', 'key'],
    ['access', 'token'],
    ['stripe', 'api', 'key'],
    ['signing', 'key'],
    ['encryption', 'key'],
    ['auth', 'token'],
    ['service', 'credential'],
  ],
} as const

function namedCell(random: Random): Cell {
  const isPassword = random.chance(0.5)
  const parts: readonly string[] = random.pick<readonly string[]>(isPassword ? names.password : names.key)
  const syntax = random.pick(syntaxes)
  const [form, value] = isPassword ? ['password', drawPassword(random)] : drawKey(random)
  const text = lineIn(syntax, random, nameOf(parts, syntax), value)
  return { what: `${form} in ${syntax.name}`, text, pieces: [`${'x'.repeat(shown)}${value}`] }
}

function nameOf(parts: readonly string[], { names: style }: Syntax): string {
  if (style === 'capitals') return parts.join('_').toUpperCase()
  if (style === 'snake') return parts.join('_')
  return parts
    .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('')
}

function lineIn(syntax: Syntax, random: Random, name: string, value: string): string {
  const isSetter = (form: string) => form.includes('setNAME')
  const form = random.pick(syntax.forms)
  const line = form
    .replaceAll('setNAME', `set${name.charAt(0).toUpperCase()}${name.slice(1)}`)
    .replaceAll('NAME', () => name)
    .replace('VALUE', () => value)
  return syntax.comment !== '' && !isSetter(form) && random.chance(0.1) && !line.includes('\n')
    ? `${syntax.comment} ${line}`
    : line
}

const alphabets = {
  lower: 'abcdefghijklmnopqrstuvwxyz0123456789',
  hex: '0123456789abcdef',
  mixed: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  signs: 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789!@#%^*+=?~-_',
}

/** Neither few different characters nor what people type. */
function drawOf(random: Random, alphabet: string, length: number): string {
  for (;;) {
    const value = Array.from({ length }, () => random.pick([...alphabet])).join('')
    if (new Set(value).size >= Math.min(8, length - 1) && /[a-z]/i.test(value) && /\d/.test(value))
      return value
  }
}

function drawPassword(random: Random): string {
  const tail = drawOf(random, alphabets.mixed, random.between(8, 12))
  return random.pick([
    () => tail,
    () => `Test${tail}`,
    () => `${tail}$w%4`,
    () => `p${tail}(x7`,
    () => `Tr${drawOf(random, alphabets.mixed, 9)}`,
    () => drawOf(random, alphabets.lower, 14),
  ])()
}

function drawKey(random: Random): readonly [string, string] {
  return random.pick([
    () => ['32 hexadecimal digits', drawOf(random, alphabets.hex, 32)] as const,
    () => ['40 hexadecimal digits', drawOf(random, alphabets.hex, 40)] as const,
    () => ['64 hexadecimal digits', drawOf(random, alphabets.hex, 64)] as const,
    () => ['24 letters and digits', drawOf(random, alphabets.mixed, 24)] as const,
    () => ['40 letters and digits', drawOf(random, alphabets.mixed, 40)] as const,
    () => ['43 characters of base64', drawOf(random, `${alphabets.mixed}+/`, 43)] as const,
    () => ['32 small letters and digits', drawOf(random, alphabets.lower, 32)] as const,
  ])()
}

// What is no secret, in the same dress.

const harmlessNames = [
  'PASSWORD_MIN_LENGTH',
  'passwordHint',
  'tokenType',
  'secretName',
  'api_key_header',
  'TOKEN_URL',
  'publicKey',
  'cacheKey',
  'primary_key',
  'passwordField',
  'token_count',
  'keyboard',
  'compass',
]
const harmlessValues = [
  '8characters',
  'orchard1234',
  'version1234',
  'bearer2header',
  'X-Api-Key-2',
  'v1.2.3',
  'step2of3',
]
const references = [
  'process.env.API_KEY_2',
  `\${DB_PASSWORD_2}`,
  '{{ secrets.TOKEN2 }}',
  '<your-api-key-2>',
  '%DB_PASSWORD2%',
  'changeme1234',
  'example-key-1',
  'xxxxxxxx1234',
  '$(cat key2)',
  'user.password2.label',
  '…',
]

function drawHarmless(random: Random): string {
  const syntax = random.pick(syntaxes.filter(({ name }) => name !== 'address'))
  if (random.chance(0.5))
    return lineIn(syntax, random, random.pick(harmlessNames), random.pick(harmlessValues))
  return lineIn(
    syntax,
    random,
    nameOf(random.pick<readonly string[]>([...names.password, ...names.key]), syntax),
    random.pick(references),
  )
}
