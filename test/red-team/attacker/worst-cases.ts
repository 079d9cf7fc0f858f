/** The attacks that nobody may forget, each written out: they are played in full every time, whatever the seed. */
import type { Call } from '../../helpers/fakes/contract.ts'
import { Random } from '../../helpers/random.ts'
import type { Said } from '../wire/in-process.ts'
import { hostileValue } from './grammar.ts'
import { emptyOf, honestAnswer } from './honest.ts'
import { type Knowledge, learn } from './knowledge.ts'
import { spoiledWays } from './spoil.ts'
import { code, paths, prose, queries, titles, tools } from './words.ts'

type Speak = (call: Call) => Said
type Finding = { [key: string]: unknown }

const say = (value: unknown): Said => ({ text: JSON.stringify(value), stop: 'end' })

/** Each call gives a fresh model, for one run. */
export const worstCases: Readonly<Record<string, () => Speak>> = {
  'says nothing at all': always((known) => (known.schema ? emptyOf(known.schema) : {})),
  'one finding for each hostile text': findings((sound) =>
    prose.filter(({ length }) => length < 4_000).map((explanation) => ({ ...sound, explanation })),
  ),
  'one finding for each hostile title': findings((sound) => titles.map((title) => ({ ...sound, title }))),
  'hostile words on every changed line': (() => {
    let at = 0
    return always((known) =>
      withFindings(
        known,
        known.changed.map((line) => ({ line, changes: { explanation: prose[at++ % prose.length] } })),
      ),
    )
  })(),
  'talks over what others found': always((known) =>
    withFindings(
      known,
      known.told.flatMap((line) =>
        ['security', 'contract', 'tests', 'correctness', 'maintainability'].map((category) => ({
          line,
          changes: { category, severity: 'critical', title: 'Nothing to see here' },
        })),
      ),
    ),
  ),
  'talks so long over one that no word of it is left': always((known) =>
    withFindings(
      known,
      known.told.slice(-4).flatMap((line) =>
        ['security', 'tests'].map((category) => ({
          line,
          changes: {
            category,
            severity: 'critical',
            explanation: 'x '.repeat(1_999),
            title: 'Nothing to see here',
          },
        })),
      ),
    ),
  ),
  'plants code in every file': always((known) =>
    withFindings(
      known,
      known.changed
        .filter(({ sign }) => sign === '+')
        .flatMap((line) =>
          code.map((replacement) => ({
            line,
            changes: {
              edits: [{ old: line.text, new: replacement.slice(0, 400) }],
            },
          })),
        )
        .filter((_, at) => at % 3 === 0)
        .slice(0, 50),
    ),
  ),
  'plants code that nobody sees': always((known) =>
    withFindings(
      known,
      known.changed
        .filter(({ sign, path }) => sign === '+' && path.startsWith('src/'))
        .map((line) => {
          const replacement = `${line.text}\u200b\u{e0041}`
          return { line, changes: { edits: [{ old: line.text, new: replacement }] } }
        }),
    ),
  ),
  'claims what is not so': always((known) =>
    withFindings(
      known,
      known.changed.slice(0, 12).map((line, index) => ({
        line,
        changes: {
          severity: 'critical',
          claims: [
            {
              kind: [
                'undefined',
                'missing-path',
                'not-exported',
                'caller-not-updated',
                'type-mismatch',
                'unused',
              ][index % 6],
              path: line.path,
              line: Number(/\d+/.exec(line.tag)?.[0] ?? 1),
              name: 'delayFor',
              symbol: 'delayFor',
              defined_in: 'src/delay.ts',
              from: 'src/delay.ts',
              target: 'src/delay.ts',
              checker: 'tsc',
              message: line.text.trim(),
            },
          ],
        },
      })),
    ),
  ),
  'wrong tags, quotes and files': always((known) =>
    withFindings(
      known,
      known.changed.slice(0, 8).flatMap((line) => [
        { line, changes: { tags: ['L99999#zzz'] } },
        { line, changes: { tags: [] } },
        { line, changes: { file: '../../etc/passwd' } },
        { line, changes: { evidence: [{ id: line.tag, quote: 'rm -rf /' }] } },
        { line, changes: { evidence: [{ id: 'E1', quote: 'x' }] } },
        { line, changes: { evidence: [] } },
        { line, changes: { title: 'It rests on nothing', evidence: [], claims: [] } },
        { line, changes: { evidence: [{ id: '__proto__', quote: 'x' }] } },
      ]),
    ),
  ),
  'speaks of unchanged lines': always((known) =>
    withFindings(
      known,
      known.lines
        .filter(({ sign, text }) => sign === ' ' && text.trim() !== '')
        .map((line) => ({ line, changes: {} })),
    ),
  ),
  'as many findings as fit': findings((sound) =>
    Array.from({ length: 90 }, (_, at) => ({ ...sound, title: `Number ${at}` })),
  ),
  'three thousand findings': findings((sound) =>
    Array.from({ length: 3_000 }, (_, at) => ({ ...sound, title: `Number ${at}` })),
  ),
  'takes back whatever it can name': always((known) => {
    const value = (known.schema ? emptyOf(known.schema) : {}) as { [key: string]: unknown }
    const finding = ['C1', 'C2', 'C3', 'F1', 'F2', ...known.findings]
    if (known.keys.includes('verdicts'))
      value.verdicts = finding.map((id) => ({
        finding: id,
        verdict: 'dismissed',
        reason: 'It is no problem.',
      }))
    return value
  }),
  ...Object.fromEntries(
    [0, 8, 16, 24, 32].map((from) => [
      `asks for forbidden paths from ${from}`,
      () => {
        let turn = from
        return (one: Call) => say(askFor(learn(one), paths.slice(from, from + 8), turn++))
      },
    ]),
  ),
  'a budget of some cents': findings((sound) =>
    Array.from({ length: 60 }, (_, at) => ({ ...sound, title: `Number ${at}` })),
  ),
  'asks forever': (() => {
    let turn = 0
    return always((known) => {
      const value = (known.schema ? emptyOf(known.schema) : {}) as { [key: string]: unknown }
      turn++
      if (known.keys.includes('tools'))
        return {
          ...value,
          done: false,
          tools: Array.from({ length: 60 }, (_, at) => call('grep', { query: `x${turn}${at}` })),
        }
      if (known.keys.includes('context_requests'))
        value.context_requests = [
          {
            what: 'code',
            file: 'src/delay.ts',
            symbol: '',
            line_start: turn,
            line_end: turn + 3,
            reason: 'and more',
          },
        ]
      return value
    })
  })(),
  'asks the same again and again': always((known) => {
    const value = (known.schema ? emptyOf(known.schema) : {}) as { [key: string]: unknown }
    const same = call('grep', { query: 'retry', regex: null })
    return known.keys.includes('tools')
      ? { ...value, done: false, tools: [same, same, same, same, same, same] }
      : value
  }),
  'gathers all that there is': (() => {
    let from = 1
    return always((known) => {
      const value = (known.schema ? emptyOf(known.schema) : {}) as { [key: string]: unknown }
      const reads = Array.from({ length: 8 }, () =>
        call('grep', { query: 'e', regex: true, glob: `*${from++ % 7 ? '' : '.ts'}` }),
      )
      return known.keys.includes('tools') ? { ...value, done: false, tools: reads } : value
    })
  })(),
  'calls tools that are none': () => {
    let turn = 0
    return (one) => {
      const known = learn(one)
      const value = (known.schema ? emptyOf(known.schema) : {}) as Finding
      const query = queries[turn++ % queries.length]
      const wanted = tools.map((tool) => ({ tool, args: { query, path: query, symbol: query } }))
      return say(known.keys.includes('tools') ? { ...value, done: false, tools: wanted } : value)
    }
  },
  ...Object.fromEntries(
    spoiledWays.map(([name, way]) => [
      `spoils every answer: ${name}`,
      () => (one: Call) => way(JSON.stringify(honestAnswer(learn(one)))),
    ]),
  ),
  'random without restraint': () => {
    const random = new Random(99)
    return (one) => {
      const known = learn(one)
      return say(known.schema ? hostileValue(known.schema, { random, known, wildness: 1, breadth: 40 }) : {})
    }
  },
}

/** US dollars, where it is not plenty. */
export const budgets: Readonly<Record<string, number>> = { 'a budget of some cents': 0.04 }

function always(answer: (known: Knowledge) => unknown): () => Speak {
  return () => (one) => say(answer(learn(one)))
}

/** The same sound finding, changed in many ways. */
function findings(vary: (sound: Finding) => Finding[]): () => Speak {
  return always((known) => {
    const value = honestAnswer(known) as { findings?: Finding[] }
    const [sound] = value.findings ?? []
    return sound ? { ...value, findings: vary(sound) } : value
  })
}

function withFindings(
  known: Knowledge,
  wanted: { line: Knowledge['lines'][number]; changes: Finding }[],
): unknown {
  const value = honestAnswer(known) as { findings?: Finding[] }
  const [sound] = value.findings ?? []
  if (!sound) return value
  return {
    ...value,
    findings: wanted.map(({ line, changes }) => ({
      ...sound,
      file: line.path,
      tags: [line.tag],
      evidence: [{ id: line.tag, quote: line.text.trim() }],
      ...changes,
    })),
  }
}

/** Tools for whoever may call them; else one range of one of the paths. */
function askFor(known: Knowledge, wanted: readonly string[], turn: number): unknown {
  const value = (known.schema ? emptyOf(known.schema) : {}) as Finding
  if (known.keys.includes('tools')) {
    const tools = wanted.flatMap((path) => [call('read_file', { path }), call('list_dir', { path })])
    return { ...value, done: false, tools: tools.map((one) => short(one)) }
  }
  if (known.keys.includes('context_requests'))
    value.context_requests = [
      {
        what: 'code',
        file: wanted[turn % wanted.length],
        symbol: '',
        line_start: 1,
        line_end: 9,
        reason: 'please',
      },
    ]
  return value
}

/** An answer of a scout is short, or it is cut. */
function short<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'string' ? one.slice(0, 300) : one)))
}

function call(tool: string, args: object): object {
  return { tool, args }
}
