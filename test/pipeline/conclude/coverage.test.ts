import { describe, expect, test } from 'vitest'
import type { ParseFailure } from '../../../src/code-index/contract.ts'
import { Config } from '../../../src/config/schema.ts'
import type { FileChange } from '../../../src/domain/change-set.ts'
import { describeGaps } from '../../../src/domain/conclusion.ts'
import { Coverage } from '../../../src/domain/coverage.ts'
import { rateConfidence } from '../../../src/pipeline/conclude/confidence.ts'
import { buildCoverage, type CoverageInput } from '../../../src/pipeline/conclude/coverage.ts'
import { Random } from '../../helpers/random.ts'
import { createWorld } from '../validation/world.ts'
import { contextWith, fileChange, outcome } from './parts.ts'

function cover(files: FileChange[], overrides: Partial<CoverageInput> & { config?: Config } = {}) {
  return buildCoverage({
    context: contextWith({ files }),
    outcomes: [outcome('contract'), outcome('secrets', { drafts: [1, 2] })],
    parseFailures: [],
    config: Config.parse({}),
    ...overrides,
  })
}

const stateOf = (file: Partial<FileChange>, overrides: Partial<CoverageInput> = {}) => {
  const { files, complete } = cover([fileChange('a.ts', file)], overrides)
  return [files[0]?.state, files[0]?.reason, complete]
}

describe('a file', () => {
  test.each<[string, Partial<FileChange>, unknown[]]>([
    ['plain', {}, ['reviewed', null, true]],
    ['renamed only', { status: 'renamed', oldPath: 'b.ts', hunks: [] }, ['reviewed', null, true]],
    ['binary', { kind: 'binary', hunks: [] }, ['excluded', 'binary', true]],
    [
      'a submodule',
      { kind: 'submodule', hunks: [] },
      ['excluded', expect.stringContaining('submodule'), true],
    ],
    ['a lock file', { role: 'lock' }, ['excluded', 'lock file', true]],
    ['generated', { role: 'generated' }, ['excluded', 'generated', true]],
    [
      'left out, too large',
      { omitted: 'larger than 1 MB', hunks: [] },
      ['not-reviewed', 'larger than 1 MB', false],
    ],
    ['cut', { omitted: 'only the first 500 hunks' }, ['partly', 'only the first 500 hunks', false]],
    ['binary and left out', { kind: 'binary', omitted: 'binary', hunks: [] }, ['excluded', 'binary', true]],
  ])('%s', (_, file, expected) => {
    expect(stateOf(file)).toEqual(expected)
  })

  test('that the change puts where nobody reads is named', () => {
    const added = cover([fileChange('i.min.js', { status: 'added', role: 'minified' })])
    expect(added.files[0]).toMatchObject({ state: 'excluded', newlyExcluded: true })
    // The base says that it is left out, so it is not the change that does.
    const agreed = cover([fileChange('gen/i.min.js', { status: 'added', role: 'minified' })], {
      config: Config.parse({ paths: { exclude: ['gen/**'] } }),
    })
    expect(agreed.files[0]).toEqual({
      path: 'gen/i.min.js',
      state: 'excluded',
      reason: 'left out by paths.exclude',
    })
    const moved = cover([fileChange('vendor/a.ts', { status: 'renamed', oldPath: 'src/a.ts' })])
    expect(moved.files[0]?.state).toBe('reviewed')
    expect(moved.limits).toEqual([expect.stringContaining('moved here from `src/a.ts`')])
    const config = Config.parse({ paths: { exclude: ['docs/**'] } })
    const away = cover([fileChange('docs/a.ts', { status: 'renamed', oldPath: 'src/a.ts' })], { config })
    expect(away.files[0]?.state).toBe('reviewed')
  })

  test.each([
    ['left out by paths.exclude', { path: 'gen/a.ts', role: 'excluded' }],
    ['lock file', { path: 'package-lock.json', role: 'lock' }],
  ] as const)('that is %s and could not be searched for secrets is named', (reason, { path, role }) => {
    const config = Config.parse({ paths: { exclude: ['gen/**'] } })
    const reasonOf = (omitted: string | null) =>
      cover([fileChange(path, { role, omitted, hunks: [] })], { config }).files[0]?.reason
    expect(reasonOf('the change is too large to be read whole')).toBe(
      `${reason}; not searched for secrets and hidden text: the change is too large to be read whole`,
    )
    expect([reasonOf(null), reasonOf('excluded by the configuration')]).toEqual([reason, reason])
  })

  test('that could not be parsed was read as text only', () => {
    const parseFailures: ParseFailure[] = [
      { path: 'a.ts', reason: 'timeout' },
      { path: 'other.ts', reason: 'crash' },
    ]
    expect(stateOf({}, { parseFailures })).toEqual([
      'partly',
      expect.stringContaining('read as text only'),
      false,
    ])
  })

  test('that could not be parsed and that a model read whole is reviewed, with a remark', () => {
    const context = contextWith({ files: [fileChange('a.ts'), fileChange('b.ts')] })
    const parseFailures: ParseFailure[] = [
      { path: 'a.ts', reason: 'timeout' },
      { path: 'b.ts', reason: 'crash' },
    ]
    const whole = cover([], { context, parseFailures, readByModel: new Set(['a.ts', 'b.ts']) })
    expect(whole).toMatchObject({
      files: [
        { path: 'a.ts', state: 'reviewed', reason: null },
        { path: 'b.ts', state: 'reviewed', reason: null },
      ],
      limits: [
        '`a.ts`: not parsed (it took too long); a model read all of it as text',
        '`b.ts`: not parsed (the parser crashed); a model read all of it as text',
      ],
      complete: true,
    })
    expect(rateConfidence(whole, [], 'standard').score).toBe(5)
    const half = cover([], { context, parseFailures, readByModel: new Set(['a.ts']) })
    expect(half.files.map(({ state }) => state)).toEqual(['reviewed', 'partly'])
    expect(half.complete).toBe(false)
  })
  test('that a model was shown in part stays so, whether it could be parsed or not', () => {
    const unreadByModel = new Map([['a.ts', { state: 'partly', reason: 'cut' } as const]])
    const parseFailures: ParseFailure[] = [{ path: 'a.ts', reason: 'timeout' }]
    const { files, complete } = cover([fileChange('a.ts')], {
      unreadByModel,
      parseFailures,
      readByModel: new Set(),
    })
    expect(files[0]?.state).toBe('partly')
    expect(complete).toBe(false)
  })

  test('that the collector did not read, or that is beyond the limit, is listed', () => {
    const context = contextWith({ files: [fileChange('a.ts')], overflow: ['z.ts'] })
    context.request.unread = [{ path: 'big.sql', reason: 'larger than 1 MB' }]
    const { files, complete } = cover([], { context })
    expect(files.map(({ path, state }) => `${path} ${state}`)).toEqual([
      'a.ts reviewed',
      'big.sql not-reviewed',
      'z.ts not-reviewed',
    ])
    expect(files[2]?.reason).toContain('beyond the limit of 3000 changed files')
    expect(complete).toBe(false)
  })

  test('that is beyond the limit and not even named is counted', () => {
    const unlisted = { files: 5, sha256: 'e'.repeat(64) }
    const coverage = cover([], { context: contextWith({ files: [], overflow: ['z.ts'], unlisted }) })
    expect(coverage).toMatchObject({
      files: [{ path: 'z.ts', state: 'not-reviewed' }],
      unlisted: { ...unlisted, reason: 'beyond the limit of 3000 changed files' },
      complete: false,
    })
    expect(describeGaps(coverage)).toBe('6 files not reviewed')
  })

  test('that the configuration leaves out is excluded by rule', () => {
    expect(stateOf({}, { config: Config.parse({ paths: { exclude: ['*.ts'] } }) })).toEqual([
      'excluded',
      'left out by paths.exclude',
      true,
    ])
  })

  test('is not reviewed when no plane ran to the end', () => {
    expect(stateOf({}, { outcomes: [outcome('contract', { state: 'failed', reason: 'x' })] })[0]).toBe(
      'not-reviewed',
    )
    expect(stateOf({}, { outcomes: [] })[0]).toBe('not-reviewed')
  })
})

describe('planes', () => {
  test('are listed with what they proposed; one that failed or fell short makes the review incomplete', () => {
    expect(cover([]).planes.map(({ plane, candidates }) => [plane, candidates])).toEqual([
      ['contract', 0],
      ['secrets', 2],
    ])
    for (const state of ['failed', 'partly'] as const)
      expect(cover([], { outcomes: [outcome('a'), outcome('b', { state, reason: 'x' })] }).complete).toBe(
        false,
      )
  })
  test('that the configuration switches off are skipped; one that an option left out is missing', () => {
    const off = { plane: 'duplicate', state: 'skipped', reason: 'switched off' } as const
    const { planes, complete } = cover([], { off: [off] })
    expect(planes.at(-1)).toEqual({ ...off, candidates: 0 })
    expect(complete).toBe(true)
    const leftOut = { plane: 'intent', state: 'left-out', reason: 'left out by --skip intent' } as const
    expect(cover([], { off: [leftOut] }).complete).toBe(false)
  })
})

test('context that was not gathered is a note; symbols that were not compared make it incomplete', () => {
  const context = contextWith({})
  context.request.limits = ['the clone is shallow']
  expect(cover([], { context })).toMatchObject({ limits: ['the clone is shallow'], complete: true })
  const cut = (words: string) => cover([fileChange('a.ts')], { context: { ...context, cuts: [words] } })
  expect(cut('the time for neighbours ran out')).toMatchObject({
    limits: ['the clone is shallow', 'the time for neighbours ran out'],
    complete: true,
  })
  const late = 'the symbols of the changed files were not compared: 5 s were over'
  expect(cut(late).complete).toBe(false)
  // Models read every line all the same.
  const { files } = createWorld({}, { 'a.ts': 'one()\n', 'b.ts': 'two()\n' }).change
  const read = (...paths: string[]) =>
    cover([], { context: { ...contextWith({ files }), cuts: [late] }, readByModel: new Set(paths) })
  expect(read('a.ts', 'b.ts')).toMatchObject({ limits: [late], complete: true })
  expect(read('a.ts').complete).toBe(false)
  expect(read().complete).toBe(false)
})

test('what was read less well than people may think is told', () => {
  const { limits } = cover([
    fileChange('a.rb', { language: null }),
    fileChange('b.rb', { language: null }),
    fileChange('c.md', { language: null, role: 'docs' }),
    fileChange('d.ts', { lossyText: true }),
  ])
  expect(limits).toEqual([
    '`a.rb` and 1 more file: in a language that is not parsed here, read as text only',
    '`d.ts`: not valid UTF-8, read with replacement characters',
  ])
})

test('in 100 random changes every file is in the manifest once, and complete means complete', () => {
  const random = new Random(7)
  for (let run = 0; run < 100; run++) {
    const size = run === 0 ? 5_000 : random.between(0, 60)
    const files = Array.from({ length: size }, (_, at) =>
      fileChange(`src/${at}.ts`, {
        kind: random.pick(['text', 'text', 'text', 'binary', 'submodule', 'symlink'] as const),
        role: random.pick(['source', 'test', 'docs', 'generated', 'minified', 'lock'] as const),
        omitted: random.chance(0.02) ? 'too large' : null,
        ...(random.chance(0.1) ? { hunks: [] } : {}),
      }),
    )
    const overflow = random.chance(0.1) ? ['over/1.ts', 'over/2.ts'] : []
    const context = contextWith({ files, overflow })
    context.request.unread =
      random.chance(0.1) && files[0] ? [{ path: files[0].path, reason: 'too large' }] : []
    const parseFailures = files
      .filter(() => random.chance(0.02))
      .map(({ path }) => ({ path, reason: 'crash' as const }))
    const coverage = cover([], { context, parseFailures })
    expect(coverage.files.map(({ path }) => path).sort()).toEqual(
      [...files.map(({ path }) => path), ...overflow].sort(),
    )
    expect(coverage.files.every(({ state, reason }) => (state === 'reviewed') === (reason === null))).toBe(
      true,
    )
    expect(coverage.complete).toBe(
      coverage.files.every(({ state }) => state === 'reviewed' || state === 'excluded'),
    )
    if (run < 20) expect(Coverage.parse(coverage)).toEqual(coverage)
  }
})
