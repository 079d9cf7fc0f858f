/** Planes × groups: who is asked about what, in which words, and what becomes of what they say beside findings. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { Category } from '../../../src/domain/severity.ts'
import type { Gateway, Question } from '../../../src/llm/contract.ts'
import { listModelPlanes } from '../../../src/pipeline/reviewer/panel/model-planes.ts'
import { startFakeProvider } from '../../helpers/fakes/registry.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { scriptedGateway, tagOfLine, wordsOf } from '../../helpers/scripted-gateway.ts'
import { gatewayTo, modelAt } from '../../llm/fake-gateway.ts'
import { byDefault, runDeep } from './deep-stage.ts'
import { wireFinding, wirePlaneAnswer, wireRequest } from './wire.ts'

const promptFolder = join(packageRoot, 'prompts', 'planes')

test('what goes over the wire: two questions about one group, alike up to their own words', async () => {
  await using fake = await startFakeProvider('anthropic', {
    steps: [{ answer: 'good', value: wirePlaneAnswer(), times: 'always' }],
  })
  const planes = byDefault.filter(({ name }) => name === 'correctness' || name === 'security')
  await runDeep(await gatewayTo([modelAt(fake, 'anthropic', 'claude-sonnet-5-5')], { budget: 9 }), { planes })
  expect(fake.mistakes).toEqual([])
  const bodies = fake.requests.map(({ body }) => {
    // Our own words stand in files, and may change without changing the form.
    const texts = [
      'plane-review.v4.md',
      'answer-fields.v4.md',
      'second-reading.v1.md',
      ...planes.map(({ name }) => `planes/${name}.v2.md`),
    ].map((file) => {
      const text = readFileSync(join(packageRoot, 'prompts', file), 'utf8')
      return [file, text.replace(/^---\n[\s\S]*?\n---\n/, '').trim()] as const
    })
    return JSON.parse(
      texts.reduce(
        (json, [file, text]) => json.replace(JSON.stringify(text).slice(1, -1), `(prompts/${file})`),
        JSON.stringify(body),
      ),
    )
  })
  for (const { output_config: output } of bodies)
    output.format.schema = Object.keys(output.format.schema.properties)
  expect(bodies).toMatchSnapshot()
})

test('one file more in the folder is one plane more', async () => {
  const folder = temporaryFolder()
  cpSync(promptFolder, folder, { recursive: true })
  const head = 'description: words that users read\norder: 35\ncategories: [documentation]'
  writeFileSync(join(folder, 'wording.v1.md'), `---\n${head}\n---\nOld.\n`)
  writeFileSync(join(folder, 'wording.v2.md'), `---\n${head}\n---\n# Your topic: wording\n\nRead it aloud.\n`)
  const planes = listModelPlanes(folder)
  expect(planes.map(({ name }) => name)).toEqual([
    'correctness',
    'contract',
    'wording',
    'security',
    'performance',
    'tests',
    'maintainability',
    'intent',
  ])
  const gateway = scriptedGateway((question) =>
    question.prompt.includes('planes/wording@2')
      ? wirePlaneAnswer({
          findings: [wireFinding({ tags: [tagOfLine(question, 'return 10')], category: 'documentation' })],
        })
      : wirePlaneAnswer(),
  )
  const outcome = await runDeep(gateway, { planes })
  expect(gateway.questions.find(({ prompt }) => prompt.includes('planes/wording@2'))?.address).toBe(
    'deep/group-1/wording+security+performance+tests+maintainability+intent/review',
  )
  expect(outcome.drafts).toMatchObject([{ plane: 'wording', rule: 'wording/documentation', byModel: true }])
  expect(outcome.coverage.map(({ plane }) => plane)).toEqual(planes.map(({ name }) => name))
})

test('every prompt: its name at its head, categories of ours, the same effort for all', () => {
  for (const { name, text, description, categories } of listModelPlanes()) {
    expect(text.startsWith(`# Your topic: ${name}\n`)).toBe(true)
    expect(text).toContain('How you think:')
    expect(text).toMatch(/\bOther topics look closely at /)
    expect(text).toContain('Typical false alarms:')
    expect(text).toMatch(/\nFindings of this topic are `/)
    for (const category of categories) expect(text).toContain(`\`${category}\``)
    expect(description.length).toBeLessThan(80)
  }
  // Providers keep apart what they read with different efforts; with one, all planes share one reading.
  expect(new Set(listModelPlanes().map(({ effort }) => effort)).size).toBe(1)
  expect(listModelPlanes().flatMap((plane) => (plane.seesAuthorsWords ? [plane.name] : []))).toEqual([
    'intent',
  ])
})

test('what the author says ends the first question and that of the intent plane, behind the fence', async () => {
  const gateway = scriptedGateway(() => wirePlaneAnswer())
  await runDeep(gateway)
  await runDeep(gateway, { planes: byDefault.filter(({ name }) => name !== 'intent') })
  expect(gateway.questions.map((question) => wordsOf(question).includes('Ten times as much'))).toEqual([
    true,
    true,
    true,
    false,
  ])
  for (const question of gateway.questions) {
    const closing = question.turns[0]?.parts.at(-1)?.text ?? ''
    if (closing.includes('Ten times'))
      expect(closing.indexOf('Ten times')).toBeGreaterThan(closing.lastIndexOf('Typical false alarms:'))
    const unfenced = wordsOf(question).replace(
      /<<<foreign 0123456789abcdef "[^\n]*"\n[\s\S]*?\n>>>end 0123456789abcdef/g,
      '',
    )
    expect(unfenced).not.toMatch(/Ten times|Nothing else changes|src\/[abz]\.ts|return [12]/)
  }
})

test('what both questions share comes first, byte for byte: nearly half of their bytes even for a change of two lines', async () => {
  const gateway = scriptedGateway(() => wirePlaneAnswer())
  await runDeep(gateway, { planes: listModelPlanes() })
  const shared = gateway.questions.map(({ instructions, turns: [turn, ...more] }) => {
    expect(more).toEqual([])
    return JSON.stringify([instructions, turn?.parts.slice(0, -1)])
  })
  expect(new Set(shared).size).toBe(1)
  for (const { turns, instructions } of gateway.questions) {
    // Where the shared part ends is marked, so that providers keep it.
    expect([...instructions, ...(turns[0]?.parts ?? [])].map(({ stable }) => stable ?? false).at(-1)).toBe(
      false,
    )
    expect(turns[0]?.parts.at(-2)?.stable).toBe(true)
  }
  const [all, own] = [
    gateway.questions.map(wordsOf),
    gateway.questions.map(({ turns }) => turns[0]?.parts.at(-1)),
  ]
  const bytes = (texts: readonly string[]) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  expect(bytes(own.map((part) => part?.text ?? '')) / bytes(all)).toBeLessThan(0.55)
})

test('two questions for all planes, and a finding is of the plane that its category belongs to', async () => {
  const category = (name: Category) => wireFinding({ category: name, title: `A ${name} finding` })
  const found = (question: Question<unknown>, ...names: Category[]) =>
    wirePlaneAnswer({
      findings: names.map((name) => ({ ...category(name), tags: [tagOfLine(question, 'return 10')] })),
    })
  const gateway = scriptedGateway((question) =>
    question.address.includes('correctness')
      ? found(question, 'correctness', 'contract', 'documentation', 'security')
      : found(question, 'performance', 'maintainability', 'contract'),
  )
  const outcome = await runDeep(gateway, { planes: listModelPlanes() })
  expect(gateway.questions.map(({ address, prompt }) => `${address} ${prompt}`)).toEqual([
    'deep/group-1/correctness+contract/review planes/correctness@2+planes/contract@2',
    'deep/group-1/security+performance+tests+maintainability+intent/review second-reading@1+planes/security@2+planes/performance@2+planes/tests@2+planes/maintainability@2+planes/intent@2',
  ])
  expect(outcome.drafts.map(({ plane, rule }) => `${plane} ${rule}`)).toEqual([
    'correctness correctness/correctness',
    'contract contract/contract',
    'contract contract/documentation',
    // The first reading reports every defect; its name is that of the plane that users know for it.
    'security security/security',
    'performance performance/performance',
    'maintainability maintainability/maintainability',
  ])
  expect(outcome.coverage.map(({ plane, drafts, together }) => [plane, drafts.length, together])).toEqual([
    ['correctness', 1, ['contract']],
    ['contract', 2, ['correctness']],
    ['security', 1, ['performance', 'tests', 'maintainability', 'intent']],
    ['performance', 1, ['security', 'tests', 'maintainability', 'intent']],
    ['tests', 0, ['security', 'performance', 'maintainability', 'intent']],
    ['maintainability', 1, ['security', 'performance', 'tests', 'intent']],
    ['intent', 0, ['security', 'performance', 'tests', 'maintainability']],
  ])
  expect(outcome.report.prompts).toEqual([
    'plane-review@4',
    'planes/correctness@2',
    'planes/contract@2',
    'second-reading@1',
    ...['security', 'performance', 'tests', 'maintainability', 'intent'].map((name) => `planes/${name}@2`),
  ])
  expect(gateway.questions.map((question) => /You have (\d) topics: /.exec(wordsOf(question))?.[1])).toEqual([
    '2',
    '5',
  ])
})

test('a finding of a topic that no plane of the panel has is of the first that was asked', async () => {
  const gateway = scriptedGateway((question) =>
    wirePlaneAnswer({
      findings: [wireFinding({ category: 'tests', tags: [tagOfLine(question, 'return 10')] })],
    }),
  )
  const { drafts, coverage } = await runDeep(gateway, {
    planes: byDefault.filter(({ name }) => name === 'contract'),
  })
  expect(drafts.map(({ rule }) => rule)).toEqual(['contract/tests'])
  expect(wordsOf(gateway.questions[0] as Question<unknown>)).not.toMatch(/You have \d topics/)
  expect(coverage[0]).not.toHaveProperty('together')
})

test('of planes in one question, each is told its own files; what was not answered is missing for both', async () => {
  const triage = {
    files: [
      { path: 'src/a.ts', categories: ['correctness' as const, 'contract' as const], by: 'rule' as const },
      { path: 'src/b.ts', categories: ['contract' as const], by: 'rule' as const },
    ],
    skipped: [],
  }
  const planes = byDefault.filter(({ question }) => question === 'first')
  const gateway = scriptedGateway(() => wirePlaneAnswer())
  const { report } = await runDeep(gateway, { planes, triage })
  const closing = gateway.questions[0]?.turns[0]?.parts.at(-1)?.text
  expect(closing).toMatch(
    /For the topic correctness, look .* these only.*\n<<<foreign \S+ "files to look at"\nsrc\/a\.ts\n>>>end/,
  )
  expect(closing).not.toContain('For the topic contract')
  expect(report.groups).toMatchObject([{ files: ['src/a.ts', 'src/b.ts'] }])

  const declines = scriptedGateway(({ address }) =>
    address.includes('intent') ? wirePlaneAnswer() : { outcome: 'refused' },
  )
  const { unread } = await runDeep(declines, { triage })
  // The second question then stands alone.
  expect(declines.questions.map(({ prompt }) => prompt)).toEqual([
    'planes/correctness@2+planes/contract@2',
    'planes/intent@2',
  ])
  expect(Object.fromEntries(unread)).toEqual({
    'src/a.ts': {
      state: 'partly',
      reason: 'not reviewed for correctness and contract: the model declined to review it',
    },
    'src/b.ts': {
      state: 'partly',
      reason: 'not reviewed for contract: the model declined to review it',
    },
  })
})

test('the second question waits for the first and its follow-up; with the highest effort of its planes', async () => {
  const request = wireRequest({ file: 'src/b.ts', line_start: 1, line_end: 2 })
  const scripted = scriptedGateway(({ address }) =>
    wirePlaneAnswer(address.endsWith('contract/review') ? { context_requests: [request] } : {}),
  )
  const batches: string[][] = []
  const gateway: Gateway = {
    ...scripted,
    askAll(questions) {
      batches.push(questions.map(({ prompt, effort }) => `${prompt} ${effort}`))
      return scripted.askAll(questions)
    },
  }
  const planes = byDefault.map((plane) =>
    plane.name === 'tests' ? { ...plane, effort: 'high' as const } : { ...plane, effort: 'low' as const },
  )
  await runDeep(gateway, { planes })
  expect(batches.filter((batch) => batch.length > 0)).toEqual([
    ['planes/correctness@2+planes/contract@2 low'],
    ['plane-follow-up@2 low'],
    ['second-reading@1+planes/security@2+planes/performance@2+planes/tests@2+planes/intent@2 high'],
  ])
})

test('triage: a question is about files of its categories only, and told which these are', async () => {
  const gateway = scriptedGateway(() => wirePlaneAnswer())
  const outcome = await runDeep(gateway, {
    triage: {
      files: [
        { path: 'src/a.ts', categories: ['correctness', 'security'], by: 'rule' },
        { path: 'src/b.ts', categories: ['correctness'], by: 'scout' },
      ],
      skipped: [],
    },
  })
  expect(gateway.questions.map(({ prompt }) => prompt)).toEqual([
    'planes/correctness@2',
    'second-reading@1+planes/security@2+planes/intent@2',
  ])
  const closing = gateway.questions.map(({ turns }) => turns[0]?.parts.at(-1)?.text ?? '')
  expect(closing[0]).not.toContain('files to look at')
  expect(closing[1]).toMatch(
    /For the topic security, look .* these only.*\n<<<foreign \S+ "files to look at"\nsrc\/a\.ts\n>>>end/,
  )
  expect(closing[1]).not.toContain('For the topic intent')
  expect(outcome.report.groups.map(({ files }) => files.join())).toEqual([
    'src/a.ts,src/b.ts',
    'src/a.ts,src/b.ts',
  ])
  // Planes that had nothing to look at ran all the same.
  expect(outcome.coverage.map(({ state }) => state)).toEqual(Array(6).fill('ran'))
  expect(outcome.unread.size).toBe(0)
})

test('triage: a file that nobody is asked about is not even shown', async () => {
  const gateway = scriptedGateway(() => wirePlaneAnswer())
  await runDeep(gateway, {
    triage: {
      files: [
        { path: 'src/a.ts', categories: Category.options, by: 'rule' },
        { path: 'src/b.ts', categories: [], by: 'rule' },
      ],
      skipped: [],
    },
  })
  for (const question of gateway.questions) expect(wordsOf(question)).not.toContain('diff of src/b.ts')
})

test('criteria and insights are handed up, the last word on each, and cut to size', async () => {
  const criterion = {
    ticket: 'T1',
    criterion: 'AC1',
    lines: [],
    reason: 'at first',
    state: 'undecidable' as const,
  }
  const tags = Array.from({ length: 90 }, () => '[L2#abc]')
  const gateway = scriptedGateway(({ address }) =>
    address.includes('intent')
      ? wirePlaneAnswer({
          criteria: [
            criterion,
            {
              ...criterion,
              lines: [{ file: './src/a.ts', tags }],
              reason: 'x'.repeat(5_000),
              state: 'covered',
            },
            ...Array.from({ length: 300 }, (_, at) => ({ ...criterion, criterion: `AC${at + 2}` })),
          ],
          memory_insights: [
            { sentence: 'It counts in tens.', file: 'src/a.ts' },
            { sentence: 'y'.repeat(5_000), file: '../../etc/passwd' },
            { sentence: ' ', file: '' },
            ...Array.from({ length: 50 }, () => ({ sentence: 'again', file: '' })),
          ],
        })
      : wirePlaneAnswer(),
  )
  const { criteria, insights } = await runDeep(gateway)
  expect(criteria).toHaveLength(99)
  expect(criteria[0]).toMatchObject({ plane: 'intent', ticket: 'T1', id: 'AC1', state: 'covered' })
  expect(criteria[0]?.reason).toHaveLength(1_000)
  expect(criteria[0]?.lines[0]).toMatchObject({ path: 'src/a.ts' })
  expect(criteria[0]?.lines[0]?.tags).toEqual(Array(40).fill('L2#abc'))
  // Of planes that are asked together, what is worth remembering is of the first.
  expect(insights).toEqual([
    { plane: 'security', text: 'It counts in tens.', path: 'src/a.ts' },
    { plane: 'security', text: 'y'.repeat(300), path: '../../etc/passwd' },
    { plane: 'security', text: 'again', path: null },
    { plane: 'security', text: 'again', path: null },
  ])
})

test('each question has a follow-up of its own', async () => {
  const request = wireRequest({ file: 'src/b.ts', line_start: 1, line_end: 2 })
  const gateway = scriptedGateway(({ address }) =>
    wirePlaneAnswer(address.endsWith('/review') ? { context_requests: [request] } : {}),
  )
  const { report } = await runDeep(gateway)
  expect(report.followUps.map(({ address }) => address)).toEqual(
    ['correctness+contract', 'security+performance+tests+intent'].map(
      (names) => `deep/group-1/${names}/follow-up`,
    ),
  )
  expect(gateway.questions).toHaveLength(4)
  expect(report.prompts.at(-1)).toBe('plane-follow-up@2')
})
