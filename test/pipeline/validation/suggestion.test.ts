import { expect, test } from 'vitest'
import type { FactStore } from '../../../src/code-index/contract.ts'
import type { FileChange } from '../../../src/domain/change-set.ts'
import type { Candidate, Suggestion } from '../../../src/domain/finding.ts'
import { anchorCandidate } from '../../../src/pipeline/validation/anchor/anchor-candidate.ts'
import { type CandidateState, isDropped } from '../../../src/pipeline/validation/contract.ts'
import { suggestionSteps } from '../../../src/pipeline/validation/suggestion/check-suggestion.ts'
import { delicateChanges } from '../../../src/pipeline/validation/suggestion/safety.ts'
import { openValidationContext } from '../../../src/pipeline/validation/validate.ts'
import { candidate, createWorld, factsOf, inputOf, tagAt } from './world.ts'

/** Counts a line with an odd number of brackets as an error: enough of a grammar to see a broken suggestion. */
const brackets: FactStore = {
  failures: [],
  close: async () => {},
  facts: async (files) =>
    new Map(
      files.map(({ path, text }) => {
        const odd = text
          .split('\n')
          .flatMap((line, at) => ((line.match(/[()]/g) ?? []).length % 2 ? [at + 1] : []))
        return [path, factsOf({ errorLines: odd.map((line) => ({ startLine: line, endLine: line })) })]
      }),
    ),
}

async function offer(
  suggestion: Partial<Suggestion>,
  words: Partial<Candidate> = {},
  path = 'src/a.ts',
  file: Partial<FileChange> = {},
) {
  const after = `${'// top\n'.repeat(20)}log('start')\nrun(items)\nend()\n`
  const world = createWorld(
    { [path]: after.replace('run(items)', 'run()') },
    { [path]: after },
    { files: { [path]: file } },
  )
  const tested = candidate({
    anchor: { path, tags: [tagAt(world.change, path, 22)] },
    suggestion: { path, startLine: 22, endLine: 22, replacement: 'run(items, 1)', ...suggestion },
    ...words,
  })
  const anchored = anchorCandidate(tested, world.change)
  if (isDropped(anchored)) throw new Error(anchored.dropped)
  const bench = openValidationContext(inputOf(world, { facts: brackets }))
  let state: CandidateState = { candidate: tested, location: anchored.location, checkedClaims: [] }
  let reason = ''
  for (const { run } of suggestionSteps) {
    const result = await run(state, bench)
    if (isDropped(result)) throw new Error(result.dropped)
    reason += result.demotions?.join() ?? ''
    state = { ...state, ...result }
  }
  const { suggestion: offered, example } = state.candidate
  expect(offered === null || example === undefined).toBe(true)
  return offered ? 'offered' : `${reason} ${example === undefined ? 'and gone' : 'and an example'}`
}

test('a small change that parses is offered', async () => {
  expect(await offer({})).toBe('offered')
})

test.each<[string, Partial<Suggestion>, string]>([
  ['the existing code', { replacement: 'run(items)  \n' }, 'identical to the existing code'],
  ['another file', { path: 'src/b.ts' }, 'another file'],
  ['lines of the whole file', { startLine: 2, endLine: 22 }, 'longer than 20 lines'],
  ['lines beyond the file', { endLine: 40 }, 'beyond the diff'],
  [
    'lines beside the finding',
    { startLine: 23, endLine: 23, replacement: 'stop()' },
    'other lines than the finding',
  ],
  ['backward lines', { startLine: 23, endLine: 22 }, 'run backwards'],
  ['too many lines', { replacement: 'x()\n'.repeat(21) }, 'longer than 20 lines'],
  ['too many characters', { replacement: 'x'.repeat(4001) }, 'longer than 4000 characters'],
  ['a hidden character', { replacement: 'run(items\u200b, 1)' }, 'hidden or control'],
  ['a broken line', { replacement: 'run(items' }, 'no longer parse'],
  [
    'a string the finding does not name',
    { startLine: 21, endLine: 22, replacement: "log('evil')\nrun(items)" },
    'does not name',
  ],
  ['a new address', { replacement: 'run(items) // see http://evil.example/x' }, 'does not name'],
  ['a word that runs things', { replacement: 'eval(items)' }, 'does not name'],
])('%s is not offered', async (_, suggestion, reason) => {
  expect(await offer(suggestion)).toContain(reason)
})

test('a string that the finding names may change', async () => {
  const words = { explanation: "`'start'` should be `'begin'`." }
  const change = { startLine: 21, endLine: 22, replacement: "log('begin')\nrun(items)" }
  expect(await offer(change, words)).toBe('offered')
})

test.each([
  ['.github/workflows/ci.yml', 'config'],
  ['AGENTS.md', 'docs'],
  ['docs/CLAUDE.local.md', 'docs'],
  ['.eslintrc.js', 'source'],
  ['package.json', 'source'],
  ['yarn.lock', 'lock'],
  ['src/settings.toml', 'config'],
] as const)('nothing is offered on %s', async (path, role) => {
  expect(await offer({ path }, {}, path, { role })).toContain('workflow, lock, configuration or instruction')
})

test('delicate changes are strings, addresses and powerful words on either side', () => {
  expect(delicateChanges(`a("x", 'y')`, `a('y', "x")`)).toEqual([])
  expect(delicateChanges('f("x")', 'f("x"); f("x")')).toEqual(['x'])
  expect(delicateChanges('require(a)', 'b')).toEqual(['require'])
  expect(delicateChanges('x', 'x // ftp://h/p')).toEqual(['ftp://h/p'])
})
