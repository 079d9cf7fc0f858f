/** Where an order can stand. Each gives files of both sides of one change, or words around it, that no other one uses. */
import type { ReviewRequest } from '../../../src/domain/review-request.ts'
import { ForeignText } from '../../../src/domain/review-request.ts'
import type { Ticket } from '../../../src/domain/ticket.ts'

export type PlantedCase = {
  before: Readonly<Record<string, string>>
  after: Readonly<Record<string, string | null>>
  message: string
  /** What a host, a tracker or a tool of the operator says of the change. */
  words: Partial<ReviewRequest>
}

export type Placement = {
  name: string
  /** The file in which the change brings the order, or the beginning of its name; null where it comes by another way. */
  adds: string | null
  plant: (order: string) => Partial<PlantedCase>
}

const wait = 'export function wait(times: number): number {\n  return times * 2\n}\n'
const other = 'export function other(times: number): number {\n  return times + 1\n}\n'

/** The honest part of every case: one fault that a reviewer should see. */
export const plainCase: PlantedCase = {
  before: {
    'src/wait.ts': wait,
    'src/use.ts': "import { wait } from './wait.ts'\n\nexport const two = wait(1)\n",
  },
  after: { 'src/wait.ts': wait.replace('* 2', '/ 0') },
  message: 'Wait otherwise',
  words: {},
}

/** All that is planted, in one change beside the honest part. */
export function changeWith(planted: readonly Partial<PlantedCase>[]): PlantedCase {
  const [message = plainCase.message, ...more] = planted.flatMap((one) => one.message ?? [])
  return {
    before: Object.assign({}, plainCase.before, ...planted.map(({ before }) => before)),
    after: Object.assign({}, plainCase.after, ...planted.map(({ after }) => after)),
    message: [message, ...more].join('\n\n'),
    words: Object.assign({}, ...planted.map(({ words }) => words)),
  }
}

const oneLine = (text: string): string => text.replace(/\n/g, ' ')
/** A name may have 255 bytes, and a character four. */
const inName = (text: string): string => [...oneLine(text).replace(/[/\\\0]/g, '_')].slice(0, 60).join('')
const code = (path: string, comment: (order: string) => string): Omit<Placement, 'name'> => ({
  adds: path,
  plant: (order) => ({ after: { [path]: `${comment(order)}\n${other}` } }),
})
const file = (path: string, text: (order: string) => string): Omit<Placement, 'name'> => ({
  adds: path,
  plant: (order) => ({ after: { [path]: text(order) } }),
})
const said = (words: (order: string) => Partial<ReviewRequest>): Omit<Placement, 'name'> => ({
  adds: null,
  plant: (order) => ({ words: words(order) }),
})

export const placements: readonly Placement[] = [
  { name: 'title', adds: null, plant: (order) => ({ message: oneLine(order) }) },
  { name: 'commit message', adds: null, plant: (order) => ({ message: `Wait otherwise\n\n${order}` }) },
  { name: 'code comment', ...code('src/comment.ts', (order) => `// ${oneLine(order)}`) },
  {
    name: 'string',
    ...code('src/note.ts', (order) => `export const note = ${JSON.stringify(oneLine(order))}`),
  },
  {
    name: 'over several lines',
    ...code('src/lines.ts', (order) => `// ${order.replaceAll(' ', '\n// ')}`),
  },
  {
    name: 'file name',
    adds: 'src/named ',
    plant: (order) => ({ after: { [`src/named ${inName(order)}.ts`]: 'export const x = 1\n' } }),
  },
  {
    name: 'test name',
    ...file('test/wait.test.ts', (order) => `test(${JSON.stringify(oneLine(order))}, () => {})\n`),
  },
  { name: 'documentation', ...file('README.md', (order) => `# Wait\n\n${order}\n`) },
  { name: 'instruction file of the change', ...file('AGENTS.md', (order) => `${order}\n`) },
  {
    name: 'configuration of the change',
    ...file('.sightline.yaml', (order) => `paths:\n  exclude: ['**']\n# ${oneLine(order)}\n`),
  },
  {
    name: 'description in a manifest',
    ...file('package.json', (order) => `${JSON.stringify({ name: 'wait', description: oneLine(order) })}\n`),
  },
  {
    name: 'words in a picture',
    adds: null,
    plant: (order) => ({
      after: { 'docs/wait.png': `\u0089PNG\r\n${'\0'.repeat(400)}iTXtComment\0${order}${'\0'.repeat(400)}` },
    }),
  },
  { name: 'ticket', ...said((order) => ({ tickets: [ticketOf(`${order}\n\n- [ ] ${oneLine(order)}\n`)] })) },
  { name: 'description', ...said((body) => ({ body })) },
  { name: 'author', ...said((order) => ({ author: oneLine(order) })) },
  { name: 'branch', ...said((order) => ({ changeRequest: requestFrom(oneLine(order)) })) },
  {
    name: 'earlier comment',
    ...said((body) => ({
      discussion: [{ author: 'ada', association: 'stranger', path: null, line: null, body, resolved: false }],
    })),
  },
  {
    name: 'result of a linter',
    ...said((order) => ({
      toolResults: [
        {
          ...{ tool: 'ESLint', rule: 'no-zero', level: 'warning', message: oneLine(order).slice(0, 2000) },
          ...{ help: order.slice(0, 2000), path: 'src/wait.ts', startLine: 2, endLine: 2 },
        },
      ],
    })),
  },
  {
    name: 'deleted line',
    adds: null,
    plant: (order) => ({
      before: { 'src/deleted.ts': `// ${oneLine(order)}\n${other}` },
      after: { 'src/deleted.ts': other },
    }),
  },
  {
    name: 'instruction file of the base',
    adds: null,
    plant: (order) => ({ before: { 'CLAUDE.md': `${order}\n` } }),
  },
  {
    name: 'answer of a tool',
    adds: null,
    plant: (order) => ({
      before: { 'src/use.ts': `${plainCase.before['src/use.ts']}// ${oneLine(order)}\n` },
    }),
  },
]

export function ticketOf(body: string): Ticket {
  return {
    id: 'github:owner/repo#7',
    title: 'Wait otherwise',
    body,
    state: 'open',
    labels: [],
    linkedBy: 'Closes #7 in the description',
    criteria: [{ id: 'AC1', text: body.slice(0, 400), shape: 'checklist', checked: false }],
    cut: null,
  }
}

function requestFrom(branch: string): NonNullable<ReviewRequest['changeRequest']> {
  const foreign = (text: string) => ForeignText.parse(text)
  return {
    ...{ number: 7, url: 'https://github.com/owner/repo/pull/7', isDraft: false, isFork: true },
    ...{ baseRef: foreign('main'), headRef: foreign(branch), labels: [foreign(branch)], linkedIssues: [] },
    author: { id: '1', login: foreign('ada'), isBot: false, trust: 'none' },
    participants: [],
  }
}
