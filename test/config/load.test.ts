/** Configuration files as people and strangers write them: every fault at once, each with its place. */
import { expect, test } from 'vitest'
import { loadConfig, parseConfig } from '../../src/config/load.ts'
import { ConfigError } from '../../src/config/problem.ts'
import { defaultConfig } from '../../src/config/schema.ts'

function problemsOf(text: string): string[] {
  try {
    parseConfig(text, '.sightline.yaml')
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
  return []
}

function files(contents: Record<string, string>) {
  return async (path: string) => (path in contents ? { text: contents[path] ?? '' } : null)
}

test('no file, an empty one and one with comments only mean the defaults', async () => {
  expect(await loadConfig(files({}))).toEqual({ config: defaultConfig, path: null, lines: new Map() })
  for (const text of ['', '# nothing yet\n', 'review:\nrules:\n', '{}'])
    expect(parseConfig(text, '.sightline.yaml').config).toEqual(defaultConfig)
})

test('a set key wins over its default, and its line is known', () => {
  const loaded = parseConfig(
    '# ours\nreview:\n  failOn: medium\nlimits: { fileBytes: 2048 }\n',
    '.sightline.yml',
  )
  expect(loaded.config.review.failOn).toBe('medium')
  expect(loaded.config.limits.fileBytes).toBe(2048)
  expect(loaded.config.review.minSeverity).toBe(defaultConfig.review.minSeverity)
  expect([...loaded.lines]).toEqual([
    ['review.failOn', 3],
    ['limits.fileBytes', 4],
  ])
})

test('either name is read, both at once are refused', async () => {
  const text = 'review: { failOn: low }'
  expect((await loadConfig(files({ '.sightline.yml': text }))).path).toBe('.sightline.yml')
  expect((await loadConfig(files({ '.sightline.yaml': text }))).path).toBe('.sightline.yaml')
  await expect(loadConfig(files({ '.sightline.yaml': text, '.sightline.yml': text }))).rejects.toThrow(
    'keep only one of them',
  )
})

test('all faults are told at once, in the order of the file, with what was meant', () => {
  const text = [
    'review:',
    '  failOn: hgh',
    '  max_inline: 3',
    '  maxInline: 900',
    '  requireComplete: yes please',
    'rules:',
    '  - mine',
    'exclude: [a]',
    'paths:',
    '  exclude: ["", 3]',
    'limits:',
    '  changedFiles: 0',
    '  fileBytes: 1.5',
    'colour: red',
  ].join('\n')
  expect(problemsOf(text)).toEqual([
    '.sightline.yaml:2:11 review.failOn: `hgh` is not allowed; did you mean `high`? allowed are critical, high, medium, low, never.',
    '.sightline.yaml:3:3 There is no key `review.max_inline`; did you mean `review.maxInline`?',
    '.sightline.yaml:4:14 review.maxInline: `900` is more than 100.',
    '.sightline.yaml:5:20 review.requireComplete: `yes please` is not true or false.',
    '.sightline.yaml:7:3 rules: a list is not a set of keys (`name: value` lines).',
    '.sightline.yaml:8:1 There is no key `exclude`; did you mean `paths.exclude`?',
    '.sightline.yaml:10:13 paths.exclude.0: must not be empty.',
    '.sightline.yaml:10:17 paths.exclude.1: `3` is not a text.',
    '.sightline.yaml:12:17 limits.changedFiles: `0` is less than 1.',
    '.sightline.yaml:13:14 limits.fileBytes: `1.5` is not a whole number.',
    `.sightline.yaml:14:1 There is no key \`colour\`; allowed are ${Object.keys(defaultConfig).join(', ')}.`,
  ])
})

test('a key that is no more is told with what to do about it', () => {
  expect(problemsOf('planes:\n  enable: [maintainability]\ntriage:\n  scout: true\n')).toEqual([
    '.sightline.yaml:2:3 There is no key `planes.enable` any more: every plane is on by default; remove the key.',
    '.sightline.yaml:3:1 There is no key `triage` any more: both readers of depth deep look at every file for every topic; remove the section.',
  ])
})

test('faults of the YAML itself carry their place', () => {
  expect(problemsOf('review:\n\tfailOn: low\n')[0]).toBe(
    '.sightline.yaml:2:1 This line is indented with a tab; YAML allows only spaces.',
  )
  expect(problemsOf('review:\n  failOn: "low\n')[0]).toMatch(/^\.sightline\.yaml:3:1 A closing quote/)
  expect(problemsOf('review: @x\n')[0]).toMatch(/^\.sightline\.yaml:1:9 This is not valid YAML: /)
  expect(problemsOf('a: 1\n---\nb: 2\n')[0]).toMatch(/second document/)
  expect(problemsOf('review: !!js/function "x"\n')[0]).toMatch(/Tags/)
  expect(problemsOf('- 1\n')).toEqual([
    '.sightline.yaml:1:1 The file as a whole: a list is not a set of keys (`name: value` lines).',
  ])
  expect(problemsOf('just words')[0]).toMatch(/is not a set of keys/)
})

test('a key given twice is told beside the other faults', () => {
  expect(problemsOf('review:\n  failOn: low\n  failOn: high\n  maxInlin: 2\n')).toEqual([
    '.sightline.yaml:3:3 The key is given twice.',
    '.sightline.yaml:4:3 There is no key `review.maxInlin`; did you mean `review.maxInline`?',
  ])
})

test('aliases work in reason, and a bomb of them is refused', () => {
  const shared = 'paths:\n  exclude: &all ["a/**"]\n  generated: *all\n'
  expect(parseConfig(shared, 'x').config.paths.generated).toEqual(['a/**'])
  const letters = 'abcdefghi'
  const bomb = [...letters].map((letter, i) => {
    const inner = i === 0 ? 'x' : `*${letters[i - 1]}`
    return `${letter}: &${letter} [${Array.from({ length: 9 }, () => inner).join(', ')}]`
  })
  expect(problemsOf(bomb.join('\n')).join()).toMatch(/Excessive alias count/)
  expect(problemsOf('review: *nowhere')[0]).toMatch(/alias/i)
})

test('hostile sizes and nesting are refused before the parser sees them', () => {
  expect(problemsOf(`a: ${'['.repeat(60_000)}`)[0]).toMatch(/more than 2000 characters/)
  expect(problemsOf(`a:\n${'[\n'.repeat(80)}`)[0]).toMatch(/nest more than 50 deep/)
  expect(problemsOf('# x\n'.repeat(20_000))[0]).toMatch(/more than 64 KB/)
})

test('names that JavaScript treats specially are just unknown keys', () => {
  expect(problemsOf('__proto__: { polluted: 1 }')[0]).toMatch(/There is no key `__proto__`/)
  expect(problemsOf('constructor: 1')[0]).toMatch(/There is no key `constructor`/)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})
