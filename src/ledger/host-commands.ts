/**
 * What people may tell Sightline in a comment: a closed grammar, and who may use it. Pure: the caller says who wrote the
 * comment, by the host's word, and what was asked before; it acts on the answer.
 *
 *   @sightline review | full | explain ID | wrong ID | right ID | ignore ID because REASON | resolve |
 *   open-gate because REASON | pause | resume | config | help
 *   @sightline why is this a problem?     a free question, in words
 *
 * In a thread of a finding, `explain`, `wrong`, `right` and `ignore because REASON` need no id: they are about that finding.
 * `wrong` and `right` answer what it says would show it to be wrong.
 */
import { type Actor, mayWrite } from '../domain/review-request.ts'
import { findSpokenLine } from './spoken-line.ts'

export type HostCommand =
  /** `review`: what is new; `full`: everything again. */
  | { name: 'review' | 'full' | 'resolve' | 'pause' | 'resume' | 'config' | 'help' }
  /** Null: the finding of the thread. */
  | { name: 'explain'; id: string | null }
  /** What would show the finding to be wrong was looked at, and is not so. */
  | { name: 'right'; id: string | null }
  | { name: 'ignore'; id: string | null; because: string }
  /** The gate of the commit that is there now. */
  | { name: 'open-gate'; because: string }
  | { name: 'ask'; question: string }

export type ParsedComment =
  /** It does not speak to us. */
  | { kind: 'none' }
  | { kind: 'command'; command: HostCommand }
  /** It does, and is no command: `why` goes into the answer; it holds no word of the comment. */
  | { kind: 'invalid'; why: string }

const longestReason = 1_000
const longestQuestion = 2_000

/** What `sightline findings` and comments show of an id; more digits are welcome. */
const findingId = /^(?:sl-)?([0-9a-f]{6,16}(?:-\d{1,4})?)$/i

const plain: ReadonlySet<string> = new Set(['review', 'full', 'resolve', 'pause', 'resume', 'config', 'help'])

/** What was looked at is in the finding. */
const isSo = 'What would show it to be wrong was checked, and is so'

type AboutFinding = (id: string | null) => HostCommand

/** Commands that take the id of a finding and nothing else. */
const aboutFinding: ReadonlyMap<string, AboutFinding> = new Map<string, AboutFinding>([
  ['explain', (id) => ({ name: 'explain', id })],
  ['right', (id) => ({ name: 'right', id })],
  ['wrong', (id) => ({ name: 'ignore', id, because: isSo })],
])

/** A reason or question ends with its line. */
export async function parseHostCommand(comment: string): Promise<ParsedComment> {
  const spoken = await findSpokenLine(comment)
  if (spoken === null) return { kind: 'none' }
  if (spoken === 'unclear')
    return { kind: 'invalid', why: 'A command is plain text, without HTML, pictures or struck out words.' }
  const { words } = spoken
  const [first = '', ...rest] = words.split(' ')
  const name = first.toLowerCase()
  if (first === '') return { kind: 'command', command: { name: 'help' } }
  if (plain.has(name) && rest.length === 0)
    return { kind: 'command', command: { name: name as Extract<HostCommand, { name: 'help' }>['name'] } }
  const about = aboutFinding.get(name)
  if (about && rest.length === 0) return { kind: 'command', command: about(null) }
  if (about && rest.length === 1) return withId(rest[0] ?? '', about)
  if (name === 'ignore') return parseIgnore(rest)
  if (name === 'open-gate') return parseOpenGate(rest)
  if (about) return { kind: 'invalid', why: `\`${name}\` takes the id of one finding.` }
  if (/\?$/.test(words) || rest.length >= 2)
    return words.length > longestQuestion
      ? { kind: 'invalid', why: `A question may have ${longestQuestion} characters.` }
      : { kind: 'command', command: { name: 'ask', question: words } }
  return { kind: 'invalid', why: 'This command is unknown; `@sightline help` lists all of them.' }
}

function parseIgnore(rest: readonly string[]): ParsedComment {
  const at = rest.findIndex((word) => word.toLowerCase() === 'because')
  const because = rest.slice(at + 1).join(' ')
  if (at < 0 || at > 1 || because === '')
    return { kind: 'invalid', why: '`ignore` needs a reason: `@sightline ignore ID because …`.' }
  if (because.length > longestReason)
    return { kind: 'invalid', why: `A reason may have ${longestReason} characters.` }
  if (at === 0) return { kind: 'command', command: { name: 'ignore', id: null, because } }
  return withId(rest[0] ?? '', (id) => ({ name: 'ignore', id, because }))
}

function parseOpenGate([first = '', ...rest]: readonly string[]): ParsedComment {
  const because = rest.join(' ')
  if (first.toLowerCase() !== 'because' || because === '')
    return { kind: 'invalid', why: '`open-gate` needs a reason: `@sightline open-gate because …`.' }
  return because.length > longestReason
    ? { kind: 'invalid', why: `A reason may have ${longestReason} characters.` }
    : { kind: 'command', command: { name: 'open-gate', because } }
}

function withId(typed: string, make: (id: string) => HostCommand): ParsedComment {
  const [, id] = findingId.exec(typed) ?? []
  return id === undefined
    ? { kind: 'invalid', why: 'The id of a finding has 6 to 16 hexadecimal digits, such as `3fa94c01`.' }
    : { kind: 'command', command: make(id.toLowerCase()) }
}

export type CommandScope = {
  /** Whoever wrote the comment, as the host says now. */
  actor: Pick<Actor, 'id' | 'isBot' | 'trust'>
  /** The author of the change request, by id. */
  authorId: string
  /** The comment was changed after it was written; who did it is not known. */
  isEdited: boolean
  /** When commands of this change request were carried out before (milliseconds since 1970), and for whom. */
  earlier: readonly { at: number; actorId: string }[]
  now: number
}

export type Permission =
  | { allowed: true }
  /** `silent`: not even an answer, since it could be used to make us answer. */
  | { allowed: false; silent: boolean; why: string }

const anHour = 3_600_000
/** In an hour, for one person and for a change request. */
const mostOfPerson = 10
const mostOfChange = 30

/** Commands that only inform cost nothing; those that cost money or change something need a right. */
const costly: ReadonlySet<HostCommand['name']> = new Set(['review', 'full', 'ask', 'explain'])

/**
 * Bots never, edited comments never. Writers of the repository everything; the author of a change who is known to the
 * repository may ask for reviews and answers, but decides nothing about findings. Everybody: `help`.
 */
export function mayRun(command: HostCommand, scope: CommandScope): Permission {
  const { actor, authorId, isEdited, earlier, now } = scope
  if (actor.isBot) return refused('Bots cannot give commands.', true)
  if (isEdited) return refused('An edited comment is not carried out; write a new one.', true)
  const recent = earlier.filter(({ at }) => now - at < anHour)
  const own = recent.filter(({ actorId }) => actorId === actor.id)
  if (recent.length >= mostOfChange || own.length >= mostOfPerson)
    return refused('Too many commands in the last hour; try again later.', own.length > mostOfPerson)
  const isStranger = actor.trust === 'unknown' || actor.trust === 'none'
  if (command.name === 'open-gate' && actor.id === authorId)
    return refused('Somebody else than the author of the change has to open its gate.', isStranger)
  if (mayWrite(actor.trust)) return { allowed: true }
  if (command.name === 'help' && actor.trust !== 'unknown') return { allowed: true }
  const isKnownAuthor = actor.id === authorId && actor.trust === 'contributor'
  if (isKnownAuthor && costly.has(command.name)) return { allowed: true }
  const who = costly.has(command.name)
    ? 'Only people with write access, or an author who contributed before, can do this.'
    : 'Only people with write access can do this.'
  return refused(who, isStranger)
}

function refused(why: string, silent: boolean): Permission {
  return { allowed: false, silent, why }
}
