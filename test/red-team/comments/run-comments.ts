/**
 * Comments on a change request, put together so that it is known beforehand what each one is and who may give it, against
 * what the product makes of them. What is expected is written down here, and comes from no code of the product.
 */
import {
  type CommandScope,
  type HostCommand,
  mayRun,
  type ParsedComment,
  parseHostCommand,
} from '../../../src/ledger/host-commands.ts'
import { Random } from '../../helpers/random.ts'

export type CommentsOutcome = {
  comments: number
  commands: number
  carriedOut: number
  differences: string[]
}

type Trust = CommandScope['actor']['trust']

const id = '3fa94c01'

/** What a line that is spoken to us comes to; null: it is refused, with words that are ours. */
const spoken: readonly (readonly [string, HostCommand | null])[] = [
  ['@sightline', { name: 'help' }],
  ['@sightline help', { name: 'help' }],
  ['@Sightline Review', { name: 'review' }],
  ['@sightline: full', { name: 'full' }],
  ['  @sightline, pause  ', { name: 'pause' }],
  ['@sightline resume', { name: 'resume' }],
  ['@sightline resolve', { name: 'resolve' }],
  ['@sightline\tconfig', { name: 'config' }],
  ['@sightline explain', { name: 'explain', id: null }],
  [`@sightline explain SL-${id}`, { name: 'explain', id }],
  [`@sightline ignore ${id} because it is checked`, { name: 'ignore', id, because: 'it is checked' }],
  ['@sightline ignore because tested', { name: 'ignore', id: null, because: 'tested' }],
  ['@sightline is this safe?', { name: 'ask', question: 'is this safe?' }],
  ['@sightline depth=deep', null],
  ['@sightline --post', null],
  ['@sightline model=attacker/model', null],
  ['@sightline approve', null],
  ['@sightline ignore all because I say so', null],
  ['@sightline ignore', null],
  ['@sightline explain ../../etc/passwd', null],
  ['@sightline explain one two', null],
]

/** Lines that are not spoken to us, whatever they say. */
const asides: readonly string[] = [
  'Please run @sightline review',
  '@sightline-bot review',
  '@sightlines review',
  '@sightline/team review',
  '@sightline@example.org review',
  '@ѕightline review',
  '@sight\u200bline review',
  '\u202e@sightline review',
  '＠sightline review',
  '`@sightline review`',
  '**@sightline review**',
  '- @sightline review',
  '[@sightline review](x)',
  '<!-- @sightline review -->',
  'LGTM',
  '',
]

/** Around a line so that people still read it as spoken; and so that they do not. */
const open: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => `Thanks, fixed.\n\n${line}`,
  (line) => `${line}\r\nThanks.`,
  (line) => `> @sightline pause\n\n${line}`,
  (line) => `\`\`\`sh\n@sightline pause\n\`\`\`\n${line}`,
  (line) => `<!-- @sightline pause -->\n${line}`,
  (line) => `> nice work\u2028@sightline pause\n\n${line}`,
  (line) => `- \`\`\`\n  @sightline pause\n  \`\`\`\n\n${line.trim()}`,
  (line) => `<!--\n@sightline pause\n-->\n${line}`,
]
const closed: readonly ((line: string) => string)[] = [
  (line) => `> ${line}`,
  (line) => `>${line}`,
  (line) => `\`\`\`\n${line}\n\`\`\``,
  (line) => `~~~~\n\`\`\`\n${line}\n~~~~`,
  (line) => `\`\`\`\n${line}`,
  (line) => `    ${line.trim()}`,
  (line) => `\t${line.trim()}`,
  (line) => `<!--\n${line}\n-->`,
  (line) => `Looks good. <!-- from the template\n${line}\n-->`,
  (line) => `<!--\n${line}`,
  (line) => `> nice work\u2028${line}`,
  (line) => `> nice work\n${line}`,
  (line) => `> nice work\r${line}`,
  (line) => `- a\n  \`\`\`\n  ${line.trim()}\n  \`\`\``,
  (line) => `like \`so\n${line}\`.`,
  (line) => `<pre>\n${line}\n</pre>`,
  (line) => `<blockquote>\n\n${line}\n\n</blockquote>`,
  (line) => `<![CDATA[\n${line}\n]]>`,
  (line) => `[x]: /u "\n${line}\n"`,
  (line) => `<!-- a --> ${line.trim()} <!-- b -->`,
  (line) => `Thanks!\n${line}`,
]

const everything = [
  'review',
  'full',
  'resolve',
  'pause',
  'resume',
  'config',
  'help',
  'explain',
  'ignore',
  'ask',
]
const costly = ['review', 'full', 'explain', 'ask', 'help']
/** By the host's word on whoever wrote the comment: for anybody, and for the author of the change. */
const rights: Readonly<Record<Trust, { anybody: readonly string[]; author: readonly string[] }>> = {
  owner: { anybody: everything, author: everything },
  member: { anybody: everything, author: everything },
  contributor: { anybody: ['help'], author: costly },
  'first-time': { anybody: ['help'], author: ['help'] },
  none: { anybody: ['help'], author: ['help'] },
  unknown: { anybody: [], author: [] },
}
const trusts = Object.keys(rights) as Trust[]

/** In one hour, of one person and for one change request. */
const most = { person: 10, change: 30 }

export async function runComments({
  seed,
  comments,
}: {
  seed: number
  comments: number
}): Promise<CommentsOutcome> {
  const random = new Random(seed)
  const outcome: CommentsOutcome = { comments, commands: 0, carriedOut: 0, differences: [] }
  for (let at = 0; at < comments; at++) {
    const { text, expected } = makeComment(random)
    const found = await parseHostCommand(text)
    const difference = differenceOf(found, expected)
    if (difference) outcome.differences.push(`${JSON.stringify(text)}: ${difference}`)
    if (found.kind !== 'command') continue
    outcome.commands++
    const { scope, why } = makeScope(random, found.command)
    const { allowed } = mayRun(found.command, scope)
    if (allowed) outcome.carriedOut++
    if (allowed !== (why === null))
      outcome.differences.push(
        `${found.command.name} of ${JSON.stringify(scope.actor)}: ${allowed ? `carried out although ${why}` : 'refused'}`,
      )
  }
  return outcome
}

function makeComment(random: Random): { text: string; expected: HostCommand | 'refused' | 'none' } {
  if (random.chance(0.25))
    return { text: random.pick(open.slice(0, 3))(random.pick(asides)), expected: 'none' }
  const [line, command] = random.pick(spoken)
  if (random.chance(0.4)) return { text: random.pick(closed)(line), expected: 'none' }
  return { text: random.pick(open)(line), expected: command ?? 'refused' }
}

function differenceOf(found: ParsedComment, expected: HostCommand | 'refused' | 'none'): string | null {
  const wanted =
    expected === 'none' ? 'none' : expected === 'refused' ? 'invalid' : JSON.stringify(inOrder(expected))
  const got = found.kind === 'command' ? JSON.stringify(inOrder(found.command)) : found.kind
  return got === wanted ? null : `${got} instead of ${wanted}`
}

function inOrder(command: HostCommand): [string, unknown][] {
  return Object.entries(command).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Somebody, and why this person may not give the command; null when they may. */
function makeScope(random: Random, command: HostCommand): { scope: CommandScope; why: string | null } {
  const trust = random.pick(trusts)
  const isAuthor = random.chance(0.3)
  const isBot = random.chance(0.1)
  const isEdited = random.chance(0.1)
  const now = 1_800_000_000_000
  const own = random.pick([0, 0, 1, most.person - 1, most.person])
  const others = random.pick([0, 5, most.change - own - 1, most.change - own])
  const isLongAgo = random.chance(0.3)
  const at = isLongAgo ? now - 3_600_001 : now - random.between(0, 3_599_000)
  const earlier = [
    ...Array.from({ length: own }, () => ({ at, actorId: '7' })),
    ...Array.from({ length: others }, () => ({ at, actorId: '9' })),
  ]
  const scope = { actor: { id: '7', isBot, trust }, authorId: isAuthor ? '7' : '8', isEdited, earlier, now }
  const mayDo = rights[trust][isAuthor ? 'author' : 'anybody']
  const isTooMuch = !isLongAgo && (own >= most.person || own + others >= most.change)
  const why = isBot
    ? 'a bot wrote it'
    : isEdited
      ? 'it was edited'
      : isTooMuch
        ? 'there were too many in this hour'
        : mayDo.includes(command.name)
          ? null
          : 'the right is missing'
  return { scope, why }
}
