/** A model's finding on code outside the diff is shown on the one changed line that causes it, or dropped. */
import { expect, test } from 'vitest'
import type { Candidate, Verdict } from '../../../src/domain/finding.ts'
import { validateCandidates } from '../../../src/pipeline/validation/validate.ts'
import {
  candidate,
  contextOf,
  createWorld,
  evidenceOf,
  inputOf,
  reference,
  symbol,
  symbolChange,
  tagAt,
} from './world.ts'

const before = 'export function parse(a) {}\nexport function load(a) {}\nexport const other = 1\n'
const after = 'export function parse(a, b) {}\nexport function load(a, b) {}\nexport const other = 1\n'
const user = "import { load, parse } from './a.ts'\nparse(1)\nparse(load(2))\nown(3)\nfunction own() {}\n"
const imports = ['load', 'parse'].map((name) => ({
  line: 1,
  source: './a.ts',
  imported: name,
  local: name,
  reexport: false,
  typeOnly: false,
}))
const used = {
  imports,
  symbols: [symbol('own', 5)],
  parents: [null],
  references: [reference('parse', 2), reference('parse', 3), reference('load', 3), reference('own', 4)],
}
const names = ['parse', 'load', 'other']
const defined = {
  symbols: names.map((name, at) => symbol(name, at + 1)),
  parents: names.map(() => null),
  exports: names.map((name, at) => ({ exported: name, local: name, line: at + 1 })),
}
const world = createWorld(
  { 'src/a.ts': before, 'src/b.ts': user },
  { 'src/a.ts': after, 'src/b.ts': user },
  {
    facts: {
      'old:src/a.ts': defined,
      'new:src/a.ts': {
        ...defined,
        symbols: defined.symbols.map((one) => ({ ...one, signatureHash: '1'.repeat(16) })),
      },
      'old:src/b.ts': used,
      'new:src/b.ts': used,
    },
  },
)
const symbols = ['parse', 'load'].map((name, at) =>
  symbolChange({
    kind: 'signature-changed',
    before: { path: 'src/a.ts', symbol: symbol(name, at + 1) },
    after: { path: 'src/a.ts', symbol: symbol(name, at + 1) },
  }),
)
const lines = user.split('\n')
const evidence = [2, 3, 4].map((line) =>
  evidenceOf('src/b.ts', line, lines[line - 1] ?? '', { id: `E${line}` }),
)

async function judge(line: number, overrides: Partial<Candidate> = {}): Promise<Verdict | undefined> {
  const said = candidate({
    plane: 'reviewer',
    byModel: true,
    severity: 'low',
    anchor: { path: 'src/b.ts', tags: [`E${line}`] },
    evidence: [{ evidence: `E${line}`, quote: lines[line - 1] ?? '' }],
    ...overrides,
  })
  const input = inputOf(world, { candidates: [said], planes: ['reviewer', 'contract'] })
  const [verdict] = await validateCandidates({
    ...input,
    context: contextOf(world.change, { evidence, symbols }),
  })
  return verdict
}

test('a caller is shown where what it calls changed, and stays as evidence', async () => {
  const verdict = await judge(2)
  expect(verdict?.finding).toMatchObject({
    anchor: { path: 'src/a.ts', tags: [tagAt(world.change, 'src/a.ts', 1)] },
    startLine: 1,
    side: 'new',
    evidence: [{ evidence: 'E2', quote: 'parse(1)' }],
  })
  expect(verdict?.finding?.verifiedBy[0]).toBe(
    'anchor corrected: shown where `parse` changed, which `src/b.ts:2` uses; that line itself is not part of the change',
  )
})

test('a line that uses two changed things is dropped, unless a claim says which', async () => {
  expect(await judge(3)).toMatchObject({
    outcome: 'dropped',
    step: 'anchor',
    reason: expect.stringContaining('2 changed lines may cause it'),
  })
  const claims: Candidate['claims'] = [
    { kind: 'caller-not-updated', symbol: 'load', definedIn: 'src/a.ts', path: 'src/b.ts', line: 3 },
  ]
  expect((await judge(3, { claims }))?.finding).toMatchObject({ startLine: 2 })
})

test('a line that uses nothing that changed is dropped, and a name that looks alike is no use', async () => {
  expect((await judge(4))?.reason).toContain('uses nothing that changed')
})

test('only a model’s finding is moved, and only on evidence that is there', async () => {
  expect((await judge(2, { byModel: false, plane: 'contract' }))?.outcome).toBe('dropped')
  expect((await judge(2, { evidence: [{ evidence: 'E99', quote: 'parse(1)' }] }))?.outcome).toBe('dropped')
})

test('a wrong tag in a file of the change is a fault, not a finding on something else', async () => {
  const anchor = { path: 'src/a.ts', tags: [tagAt(world.change, 'src/a.ts', 2).replace('L2', 'L1')] }
  expect((await judge(2, { anchor }))?.outcome).toBe('dropped')
})
