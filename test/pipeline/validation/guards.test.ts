/** Every guard of validation, switched off on purpose: then a certain bad candidate gets out, and with it on it does not. */
import { expect, test } from 'vitest'
import type { Candidate, Finding } from '../../../src/domain/finding.ts'
import { parseTag } from '../../../src/domain/line-tag.ts'
import type { Checker, Problems } from '../../../src/pipeline/validation/checker/contract.ts'
import type { ValidationStep } from '../../../src/pipeline/validation/contract.ts'
import { allChecks, type Checks } from '../../../src/pipeline/validation/steps.ts'
import { type ValidationInput, validateCandidates } from '../../../src/pipeline/validation/validate.ts'
import {
  candidate,
  contextOf,
  createWorld,
  evidenceOf,
  factsOf,
  inputOf,
  reference,
  symbol,
  symbolChange,
  tagAt,
} from './world.ts'

const caller = 'import { parse } from "./a.ts"\nparse(1)\n'
const head = "export const x = load('a')\nconst y = 2\n"
const imports = [
  { line: 1, source: './a.ts', imported: 'parse', local: 'parse', reexport: false, typeOnly: false },
]
const parse = symbol('parse', 1)
const atBase = {
  symbols: [parse],
  parents: [null],
  exports: [{ exported: 'parse', local: 'parse', line: 1 }],
}
const callerFacts = { imports, references: [reference('parse', 2)] }
const world = createWorld(
  { 'src/a.ts': 'export function parse() {}\n', 'src/b.ts': caller, 'package.json': '{ "a": 1 }\n' },
  { 'src/a.ts': head, 'src/b.ts': caller, 'package.json': '{ "a": 2 }\n' },
  {
    facts: {
      'old:src/a.ts': atBase,
      'new:src/a.ts': {},
      'old:src/b.ts': callerFacts,
      'new:src/b.ts': callerFacts,
    },
    files: { 'package.json': { role: 'config' } },
  },
)
const evidence = [
  evidenceOf('src/b.ts', 2, 'parse(1)'),
  evidenceOf('src/a.ts', 1, 'another text', { id: 'E2' }),
  evidenceOf('src/a.ts', 1, "export const x = load('a')", { id: 'E3', source: 'diff' }),
]
const symbols = [symbolChange({ kind: 'removed', before: { path: 'src/a.ts', symbol: parse } })]
const first = tagAt(world.change, 'src/a.ts', 1)
const good = candidate({
  severity: 'low',
  anchor: { path: 'src/a.ts', tags: [first] },
  evidence: [{ evidence: 'E3', quote: 'load' }],
})
const brokenCaller = {
  kind: 'caller-not-updated',
  symbol: 'parse',
  definedIn: 'src/a.ts',
  path: 'src/b.ts',
  line: 2,
} as const
const suggest = (replacement: string, startLine = 1, path = 'src/a.ts') => ({
  suggestion: { path, startLine, endLine: startLine, replacement },
})
const offered = (findings: readonly Finding[]) => findings.some(({ suggestion }) => suggestion !== null)
const isHigh = (findings: readonly Finding[]) => findings.some(({ severity }) => severity === 'high')
const stands = (findings: readonly Finding[]) => findings.length > 0

const said: Problems = { by: 'a checker', problems: [], checksTypes: true, knowsGlobals: true }
const error = {
  path: 'src/a.ts',
  line: 1,
  column: 0,
  endLine: 1,
  endColumn: 1,
  names: [],
  messageId: '0',
  code: null,
  isAbsence: false,
}
const checker: Checker = {
  problems: async () => said,
  problemsWith: async () => ({ ...said, problems: [error] }),
  definition: async () => null,
  references: async () => null,
  type: async () => null,
}

type Row = {
  bad: Partial<Candidate> | Partial<Candidate>[]
  /** What must not be seen. */
  escaped?: (findings: readonly Finding[]) => boolean
  input?: Partial<ValidationInput>
}

/** A grammar that minds round brackets only, and so can parse what no fact was given for. */
const brackets: ValidationInput['facts'] = {
  failures: [],
  close: async () => {},
  facts: async (files) =>
    new Map(
      files.map(({ path, text }) => {
        const isOpen = text.split('(').length !== text.split(')').length
        return [path, factsOf({ errorLines: isOpen ? [{ startLine: 1, endLine: 1 }] : [] })]
      }),
    ),
}

const rows: Record<string, Row> = {
  schema: { bad: { title: 'x'.repeat(400) } },
  'known plane': { bad: { plane: 'none' } },
  'known file': {
    bad: {
      byModel: true,
      anchor: { path: 'made/up.ts', tags: ['?'] },
      evidence: [{ evidence: 'E1', quote: 'parse(1)' }],
    },
  },
  size: { bad: { rule: 'no identifier' } },
  'visible words': { bad: { title: 'fine \u202e gnp.exe' } },
  withdrawn: { bad: { withdrawn: 'I was wrong' } },
  anchor: { bad: { anchor: { path: 'src/a.ts', tags: ['L1#000'] } } },
  'something cited': { bad: { evidence: [] } },
  'verbatim quotes': { bad: { evidence: [{ evidence: 'E3', quote: 'made up' }] } },
  'true evidence': { bad: { evidence: [{ evidence: 'E2', quote: 'another text' }] } },
  'further places': {
    bad: { alsoAt: [{ path: 'src/b.ts', cited: 'E1', quote: 'parse(2)' }] },
    escaped: (findings) =>
      findings.some(({ alsoAt, places }) => alsoAt !== undefined || places !== undefined),
  },
  claims: { bad: { claims: [{ ...brokenCaller, line: 9 }] } },
  'bearing of claims': {
    bad: {
      byModel: true,
      severity: 'high',
      title: 'Something else',
      explanation: '',
      anchor: { path: 'src/a.ts', tags: [tagAt(world.change, 'src/a.ts', 2)] },
      claims: [brokenCaller],
    },
    escaped: isHigh,
  },
  'severity cap': { bad: { byModel: true, severity: 'high' }, escaped: isHigh },
  'second witness': {
    bad: { rule: 'contract/signature-arity', severity: 'high', claims: [brokenCaller] },
    escaped: isHigh,
  },
  'place of edits': {
    bad: { edits: [{ old: 'no such line', new: 'x' }] },
    escaped: (findings) => findings.some(({ edits }) => edits !== undefined),
  },
  'protected files': {
    bad: {
      anchor: { path: 'package.json', tags: [tagAt(world.change, 'package.json', 1)] },
      ...suggest('{ 3 }', 1, 'package.json'),
    },
    escaped: offered,
  },
  'size of the suggestion': {
    bad: suggest('load()\n'.repeat(25)),
    escaped: offered,
    input: { facts: brackets },
  },
  'visible suggestion': {
    bad: suggest("export const x\u200b = load('a')"),
    escaped: offered,
    input: { facts: brackets },
  },
  'foreign literals': {
    bad: suggest("export const x = load('evil')"),
    escaped: offered,
    input: { facts: brackets },
  },
  'place of the suggestion': { bad: suggest('const y = 3', 2), escaped: offered, input: { facts: brackets } },
  'suggestion applies': {
    bad: {
      ...suggest('const z = 3'),
      evidence: [],
      claims: [{ kind: 'line-contains', side: 'new', path: 'src/a.ts', line: 1, text: 'load' }],
    },
    escaped: offered,
    input: { head: { ...world.head, read: async () => null, readMany: async () => new Map() } },
  },
  'new code': { bad: suggest("export const x = load('a') "), escaped: offered, input: { facts: brackets } },
  'suggestion parses': {
    bad: suggest("export const x = load('a'"),
    escaped: offered,
    input: { facts: brackets },
  },
  'suggestion type-checks': {
    bad: suggest("export const x = load('a', 1)"),
    escaped: offered,
    input: { facts: brackets, checker },
  },
  duplicates: { bad: [{}, { id: 'C2' }], escaped: (findings) => findings.length > 1 },
  limits: {
    bad: { anchor: { path: 'src/a.ts', tags: [first] } },
    input: {
      config: {
        ...inputOf(world).config,
        paths: { ...inputOf(world).config.paths, exclude: ['src/a.ts'] },
      },
    },
  },
}

/** Lets everything through; to do without an anchor is to believe the number as it stands. */
function without(name: string): Checks {
  const through = (step: ValidationStep): ValidationStep =>
    step.name === name ? { ...step, run: name === 'anchor' ? believeTag : () => ({}) } : step
  return {
    each: allChecks.each.map(through),
    together: allChecks.together.map((step) =>
      step.name === name
        ? { ...step, run: (findings) => ({ kept: [...findings], dropped: new Map() }) }
        : step,
    ),
  }
}

const believeTag: ValidationStep['run'] = ({ candidate: { anchor } }) => {
  const file = world.change.files.find(({ path }) => path === anchor.path)
  const read = parseTag(anchor.tags[0] ?? '')
  if (!file || !read) return {}
  const { side, line } = read
  return {
    location: { file, side, startLine: line, endLine: line, shown: null, tags: anchor.tags, excerpt: [] },
  }
}

async function findingsOf({ bad, input }: Row, checks: Checks): Promise<Finding[]> {
  const candidates = [bad].flat().map((one) => ({ ...good, ...one }))
  const base = inputOf(world, { candidates, planes: ['contract'], ...input })
  const verdicts = await validateCandidates(
    { ...base, context: contextOf(world.change, { evidence, symbols }) },
    checks,
  )
  return verdicts.flatMap(({ finding }) => finding ?? [])
}

const names = [...allChecks.each, ...allChecks.together].map(({ name }) => name)

test('there is a row for every guard, and names are unique', () => {
  expect(Object.keys(rows)).toEqual(names)
  expect(new Set(names).size).toBe(names.length)
})

test('a good candidate passes', async () => {
  expect(await findingsOf({ bad: {} }, allChecks)).toHaveLength(1)
})

test('with a guard on its bad candidate does not get out, and with it off it does', async () => {
  const table: { guard: string; on: string; off: string }[] = []
  for (const [guard, row] of Object.entries(rows)) {
    const { escaped = stands } = row
    const tell = async (checks: Checks) => (escaped(await findingsOf(row, checks)) ? 'gets out' : 'held')
    table.push({ guard, on: await tell(allChecks), off: await tell(without(guard)) })
  }
  console.table(table)
  expect(table.filter(({ on, off }) => on !== 'held' || off !== 'gets out')).toEqual([])
})
