/** Random texts out of everything that some viewer acts on, glued together in ways that nobody thought of. */
import type { Random } from '../../../helpers/random.ts'
import { prose, titles } from '../../../red-team/attacker/words.ts'

const host = 'evil.example'

const pieces: readonly (readonly string[])[] = [
  [
    '`',
    '``',
    '```',
    '````',
    '~~~',
    '```suggestion\nexit()\n```',
    '```mermaid\n',
    '~~~html\n',
    '`a`',
    '`b',
    '``c`',
    '`c`https://a`@octocat',
    '`c`GH-1`',
  ],
  [
    `[a](https://${host})`,
    `![a](https://${host}/p)`,
    '[a][r]',
    `[r]: https://${host}`,
    `[r]: <${host}> "t"`,
    '[',
    '](',
    ')',
    '![',
  ],
  [
    `<https://${host}>`,
    `https://${host}/x`,
    `http://${host}`,
    `www.${host}`,
    `ftp://${host}`,
    `mailto:a@${host}`,
    'a@b.co',
    'xmpp:a@b.co/c',
  ],
  ['@octocat', '@org/team', '@', '＠octocat', '@a', 'x@octocat', '@@octocat'],
  ['#12', '#', 'org/repo#12', 'octocat#12', 'GH-12', 'gh-12', '!4', '12', 'org/repo!4'],
  [
    'deadbeef',
    '0123456789abcdef0123456789abcdef01234567',
    'octocat@deadbeef',
    'org/repo@deadbeef1',
    'a1b2c3d...b2c3d4e',
  ],
  ['/approve', '/merge now', ' /lgtm', '\n/close', '\n  /approve', '::error::x', '##[group]x'],
  [
    '</details>',
    '<details>',
    '<summary>',
    '</summary>',
    '<sub>',
    '<img src=x>',
    '<script>',
    '<!--',
    '-->',
    '<![CDATA[',
    '<?',
    '<a',
    '>',
    '<b>x</b>',
  ],
  ['$x$', '$$', '$`x`$', '$', '[^1]', '\n[^1]: note', '\\', '\\\\', '\\`', '\\|', '\\@octocat', '\\<b>'],
  ['&lt;', '&#64;octocat', '&commat;octocat', '&#35;12', '&num;12', '&NewLine;', '&', '&#x5b;a&#x5d;(//x.y)'],
  ['|', '| a | b |', '\n|---|---|', '\n| - |', '\n:-', '\n:-:', '||'],
  [
    '\n===',
    'x\n===\n\n',
    'x\n:-\n\n',
    '\n---',
    '\n***',
    '\n___',
    '# h',
    '\n# h',
    '> q',
    '\n> [!NOTE]\n> x',
    '- i',
    '\n- i',
    '1. x',
    '\n2) x',
    '+ x',
    '* x',
    '- [ ] t',
    '\n\t',
    '\n    x',
    '=',
  ],
  [
    '\u200b',
    '\u202e',
    '\u{e0041}',
    '\ufeff',
    '\u001b[31m',
    `\u001b]8;;https://${host}\u0007`,
    '\u009b1m',
    '\r',
    '\r\n',
    '\u2028',
    '\u0085',
    '\u0000',
    '\ud800',
    '\udc00',
    '\u00ad',
  ],
  ['*', '_', '~', '**', '__', '~~', ':tada:', '{', '}', '"', "'", '\t', '  \n', '\n\n', '\n'],
  ['word', 'a', 'é', '漢字', '😀', '.', ',', ':', '(', 'APPROVE', 'HIGH', '12.', 'x'.repeat(300)],
]

/** Not empty. */
export function hostileText(random: Random): string {
  if (random.chance(0.1)) return random.pick([...prose, ...titles]).slice(0, 3_000) || 'x'
  const glue = random.pick(['', '', ' ', '\n'])
  return Array.from({ length: random.between(1, 9) }, () => random.pick(random.pick(pieces))).join(glue)
}

/** As git may hold it: neither empty nor with a null; with what else people put into names. */
export function hostilePath(random: Random): string {
  const folder = random.pick(['', `${hostileText(random)}/`, '../../../../other/', './a/'])
  return `${folder}${hostileText(random)}`.replaceAll('\0', '').slice(0, 300) || 'x'
}
