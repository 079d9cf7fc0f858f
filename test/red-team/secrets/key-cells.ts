/** Private keys in every wrapping. */
import type { Random } from '../../helpers/random.ts'
import type { Cell } from './run-cells.ts'

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const labels = [
  'RSA PRIVATE KEY',
  'PRIVATE KEY',
  'EC PRIVATE KEY',
  'OPENSSH PRIVATE KEY',
  'ENCRYPTED PRIVATE KEY',
  'DSA PRIVATE KEY',
  'PGP PRIVATE KEY BLOCK',
]

/** Each makes one text of the lines of a key. */
const wrappings: readonly (readonly [string, (lines: readonly string[]) => string])[] = [
  ['lines', (lines) => lines.join('\n')],
  ['CRLF', (lines) => lines.join('\r\n')],
  ['CR only', (lines) => lines.join('\r')],
  ['U+2028', (lines) => lines.join('\u2028')],
  ['one line with spaces', (lines) => lines.join(' ')],
  ['one line', (lines) => lines.join('')],
  ['JSON', (lines) => `{"private_key": ${JSON.stringify(`${lines.join('\n')}\n`)}}`],
  ['JSON in JSON', (lines) => JSON.stringify(JSON.stringify({ key: lines.join('\n') }))],
  ['\\u000a', (lines) => `"${lines.join('\\u000a')}"`],
  ['&#10;', (lines) => `<key>${lines.join('&#10;')}</key>`],
  ['&#xA;', (lines) => lines.join('&#xA;')],
  ['%0A', (lines) => `key=${lines.join('%0A').replaceAll(' ', '%20').replaceAll('+', '%2B')}`],
  ['form', (lines) => `key=${encodeURIComponent(lines.join('\n')).replaceAll('%20', '+')}`],
  ['<br>', (lines) => lines.join('<br>')],
  ['<br/> and line feeds', (lines) => lines.join('<br/>\n')],
  [
    'line numbers',
    (lines) => lines.map((line, index) => `${String(index + 1).padStart(4)} | ${line}`).join('\n'),
  ],
  [
    'line numbers of cat',
    (lines) => lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`).join('\n'),
  ],
  ['// comments', (lines) => lines.map((line) => `// ${line}`).join('\n')],
  ['# comments', (lines) => lines.map((line) => `# ${line}`).join('\n')],
  [' * comments', (lines) => ['/*', ...lines.map((line) => ` * ${line}`), ' */'].join('\n')],
  ['diff', (lines) => lines.map((line) => `+${line}`).join('\n')],
  ['quote', (lines) => lines.map((line) => `> ${line}`).join('\n')],
  ['strings with +', (lines) => lines.map((line) => `  "${line}\\n"`).join(' +\n')],
  ['array', (lines) => `[\n${lines.map((line) => `  '${line}',`).join('\n')}\n]`],
  ['YAML', (lines) => `key: |\n${lines.map((line) => `    ${line}`).join('\n')}`],
  ['base64', (lines) => Buffer.from(lines.join('\n')).toString('base64')],
  [
    'base64 wrapped',
    (lines) => Buffer.from(lines.join('\n')).toString('base64').replace(/.{64}/g, '$&\n    '),
  ],
]

export function keyCells(random: Random): Cell {
  const label = random.pick(labels)
  const body = Array.from({ length: random.between(3, 8) }, () => draw(random, 64))
  body.push(draw(random, random.between(8, 60)))
  const [wrapping, wrap] = random.pick(wrappings)
  const text = wrap([`-----BEGIN ${label}-----`, ...body, `-----END ${label}-----`])
  const isEncoded = wrapping.startsWith('base64')
  const pieces = isEncoded
    ? text.split(/\n\s*/).map((line) => line.slice(60))
    : body.map((line) => line.replaceAll('+', '%2B'))
  return { what: `${label}, ${wrapping}`, text, pieces: ['', ...pieces, ...(isEncoded ? [] : body)] }
}

function draw(random: Random, length: number): string {
  return Array.from({ length }, () => random.pick([...base64])).join('')
}
