/** Commands in comments: a closed grammar, and who may use it, compared with a table that was written by hand. */
import { describe, expect, test } from 'vitest'
import {
  type CommandScope,
  type HostCommand,
  mayRun,
  parseHostCommand,
} from '../../src/ledger/host-commands.ts'
import { Random } from '../helpers/random.ts'
import { runReadings } from '../red-team/comments/run-readings.ts'

const id = '3fa94c01'
const isSo = 'What would show it to be wrong was checked, and is so'

describe('what is a command', () => {
  test.each([
    ['@sightline review', { name: 'review' }],
    ['@Sightline  FULL', { name: 'full' }],
    ['@sightline: pause', { name: 'pause' }],
    ['@sightline', { name: 'help' }],
    [`Thanks!\n\n@sightline explain SL-${id}`, { name: 'explain', id }],
    ['@sightline explain', { name: 'explain', id: null }],
    ['@sightline right', { name: 'right', id: null }],
    [`@sightline right ${id}`, { name: 'right', id }],
    ['@sightline wrong', { name: 'ignore', id: null, because: isSo }],
    [`@sightline Wrong ${id}`, { name: 'ignore', id, because: isSo }],
    ['@sightline ignore because of it', { name: 'ignore', id: null, because: 'of it' }],
    [
      `@sightline ignore ${id}-2 because the input is checked before`,
      { name: 'ignore', id: `${id}-2`, because: 'the input is checked before' },
    ],
    ['@sightline why is this a problem?', { name: 'ask', question: 'why is this a problem?' }],
    ['```\ncode\n```\n@sightline resolve', { name: 'resolve' }],
    ['<!--\n@sightline pause\n-->\n@sightline resolve', { name: 'resolve' }],
    ['Write `<!--` and:\n\n@sightline resolve', { name: 'resolve' }],
  ])('%j', async (comment, command) => {
    expect(await parseHostCommand(comment)).toEqual({ kind: 'command', command })
  })

  test.each([
    'Ask @sightline review',
    '> @sightline review',
    '    @sightline review',
    '\t@sightline review',
    '```\n@sightline review\n```',
    '~~~~\n```\n@sightline review\n~~~~',
    '```\n@sightline review',
    '@sightline-bot review',
    '@sightlines review',
    '@sightline/team review',
    '@sightline@example.org review',
    '@ѕightline review',
    '`@sightline review`',
    '<!--\n@sightline review\n-->',
    'From the template: <!-- write here\n@sightline review\n-->',
    '> nice work\u2028@sightline pause',
    '> nice work\n@sightline pause',
    '- a\n  ```\n  @sightline pause\n  ```',
    'like `so\n@sightline pause`.',
    '<pre>\n\n@sightline pause\n</pre>',
    '<blockquote>\n\n@sightline pause\n\n</blockquote>',
    '[x]: /u "\n@sightline pause\n"',
    '<!-- a --> @sightline pause <!-- b -->',
    'Thanks!\n@sightline pause',
    `${'>'.repeat(8000)}\n\n@sightline pause`,
    `${'>'.repeat(4000)}\n\n@sightline pause`,
    `${'> - '.repeat(2000)}\n\n@sightline pause`,
    `@sightline review${' '.repeat(70_000)}`,
  ])('talk among people: %j', async (comment) => {
    expect(await parseHostCommand(comment)).toEqual({ kind: 'none' })
  })

  test.each([
    '@sightline reveiw',
    '@sightline ~~pause~~',
    '@sightline <span hidden>no</span> pause',
    '@sightline depth=deep',
    '@sightline review --depth',
    '@sightline explain ../../x',
    '@sightline explain 3fa94c01 3fa94c02',
    `@sightline ignore ${id}`,
    '@sightline wrong you',
    '@sightline constructor',
    `@sightline ignore ${id} because`,
    `@sightline ignore ${id} ${id} because it is one command for one finding`,
    '@sightline ignore all because I say so',
    `@sightline ignore ${id} because ${'x'.repeat(1001)}`,
  ])('refused without repeating its words: %j', async (comment) => {
    const parsed = await parseHostCommand(comment)
    expect(parsed.kind).toBe('invalid')
    expect(JSON.stringify(parsed)).not.toContain('../')
  })

  test('no option or setting is ever read, however comments are put together', async () => {
    const random = new Random(20_261_122)
    const pieces = [
      '@sightline',
      'review',
      'full',
      '--post',
      'model=x',
      '>',
      '```',
      '\n',
      '  ',
      id,
      'because',
      '@',
      '?',
      'ignore',
      '\u202e',
      'ask',
    ]
    const names = new Set([
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
    ])
    let commands = 0
    for (let at = 0; at < 3_000; at++) {
      const comment = Array.from({ length: random.between(1, 8) }, () => random.pick(pieces)).join(
        random.pick([' ', '', '\n']),
      )
      const parsed = await parseHostCommand(comment)
      if (parsed.kind !== 'command') continue
      commands++
      expect(names.has(parsed.command.name)).toBe(true)
      expect(
        Object.keys(parsed.command).every((key) => ['name', 'id', 'because', 'question'].includes(key)),
      ).toBe(true)
      // A line says so, outside of quotes and code.
      expect(comment.split('\n').some((line) => /^ {0,3}@sightline(?![\w@/.-])/i.test(line))).toBe(true)
    }
    expect(commands).toBeGreaterThan(150)
  })
})

/** `npm run test:red-team` reads more of them. */
test('comments are read as a browser shows them', async () => {
  const { spoken, unclear, differences } = await runReadings(new Random(20_261_124), 200)
  expect(differences).toEqual([])
  expect(Math.min(spoken, unclear)).toBeGreaterThan(3)
})

describe('who may', () => {
  const scope = (
    actor: Partial<CommandScope['actor']> = {},
    more: Partial<CommandScope> = {},
  ): CommandScope => ({
    actor: { id: '7', isBot: false, trust: 'member', ...actor },
    authorId: '8',
    isEdited: false,
    earlier: [],
    now: 10_000_000,
    ...more,
  })
  const review: HostCommand = { name: 'review' }
  const ignore: HostCommand = { name: 'ignore', id, because: 'x' }
  const may = (command: HostCommand, given: CommandScope) => mayRun(command, given).allowed

  test.each([
    // trust, is the author: help, review, ignore
    ['owner', false, true, true, true],
    ['member', false, true, true, true],
    ['contributor', false, true, false, false],
    ['contributor', true, true, true, false],
    ['first-time', true, true, false, false],
    ['none', true, true, false, false],
    ['unknown', true, false, false, false],
  ] as const)('%s, author %s', (trust, isAuthor, help, reviews, ignores) => {
    const given = scope({ trust, id: isAuthor ? '8' : '7' })
    expect([may({ name: 'help' }, given), may(review, given), may(ignore, given)]).toEqual([
      help,
      reviews,
      ignores,
    ])
  })

  test('an author who is a stranger gets no answer, whatever the command', () => {
    const openGate: HostCommand = { name: 'open-gate', because: 'it is fine' }
    for (const command of [openGate, review, ignore])
      expect(mayRun(command, scope({ id: '8', trust: 'none' }))).toMatchObject({ silent: true })
    expect(mayRun(openGate, scope({ id: '8', trust: 'member' }))).toMatchObject({ silent: false })
  })

  test('bots and edited comments never, and silently', () => {
    expect(mayRun(review, scope({ isBot: true, trust: 'owner' }))).toMatchObject({
      allowed: false,
      silent: true,
    })
    expect(mayRun(review, scope({}, { isEdited: true }))).toMatchObject({ allowed: false, silent: true })
  })

  test('at most so often in an hour, for one person and for all', () => {
    const at = 9_999_000
    const times = (count: number, actorId: string) => Array.from({ length: count }, () => ({ at, actorId }))
    expect(may(review, scope({}, { earlier: times(9, '7') }))).toBe(true)
    expect(may(review, scope({}, { earlier: times(10, '7') }))).toBe(false)
    expect(may(review, scope({}, { earlier: times(10, '9') }))).toBe(true)
    expect(may(review, scope({}, { earlier: times(30, '9') }))).toBe(false)
    expect(may(review, scope({}, { earlier: times(10, '7'), now: at + 3_600_000 }))).toBe(true)
  })
})
