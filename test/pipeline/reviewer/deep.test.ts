/** Two readers × groups: who is asked what, in which words and in which order. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import type { Finding } from '../../../src/domain/finding.ts'
import type { ModelEstimate } from '../../../src/domain/model-report.ts'
import type { Gateway, Question } from '../../../src/llm/contract.ts'
import { startFakeProvider } from '../../helpers/fakes/registry.ts'
import { scriptedGateway, tagOfLine, wordsOf } from '../../helpers/scripted-gateway.ts'
import { gatewayTo, modelAt } from '../../llm/fake-gateway.ts'
import { after, isSecond, readTwice, runDeep } from './deep-stage.ts'
import { wireAnswer, wireFinding, wireRequest } from './wire.ts'

const nothing = () => ({})
const closingOf = ({ turns }: Question<unknown>) => turns[0]?.parts.at(-1)?.text ?? ''

/** All that a question is but its address. */
const sentBy = ({ address: _, signal: __, ...question }: Question<unknown>) => JSON.stringify(question)

test('what goes over the wire: two questions about one group, alike up to one sentence', async () => {
  await using fake = await startFakeProvider('anthropic', {
    steps: [{ answer: 'good', value: wireAnswer(), times: 'always' }],
  })
  await runDeep(await gatewayTo([modelAt(fake, 'anthropic', 'claude-sonnet-5-5')], { budget: 9 }))
  expect(fake.mistakes).toEqual([])
  const bodies = fake.requests.map(({ body }) => {
    // Our own words stand in files, and may change without changing the form.
    const texts = ['quick-review.v4.md', 'answer-fields.v4.md'].map(
      (file) => [file, readFileSync(join(packageRoot, 'prompts', file), 'utf8').trim()] as const,
    )
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

test('the first reader is asked what depth standard asks, byte for byte; the second is told one sentence more', async () => {
  const standard = scriptedGateway(() => wireAnswer())
  await runDeep(standard, { depth: 'standard' })
  const { asked } = await readTwice(nothing, nothing)
  expect(asked.map(({ address, prompt }) => `${address} ${prompt}`)).toEqual([
    'deep/group-1/first/review quick-review@4',
    'deep/group-1/second/review quick-review@4',
  ])
  const [first, second] = asked as [Question<unknown>, Question<unknown>]
  expect(standard.questions.map(sentBy)).toEqual([sentBy(first)])
  const sentence = 'You are the second of two readers; neither sees what the other says.\n\n'
  expect(closingOf(second)).toContain(sentence)
  expect(closingOf(second).replace(sentence, '')).toBe(closingOf(first))
})

test('what both share comes first and is marked, so that providers keep it', async () => {
  const { asked } = await readTwice(nothing, nothing)
  const shared = asked.map(({ instructions, turns: [turn, ...more], answer }) => {
    expect(more).toEqual([])
    return JSON.stringify([instructions, turn?.parts.slice(0, -1), answer.name])
  })
  expect(new Set(shared).size).toBe(1)
  for (const { turns, instructions } of asked) {
    expect([...instructions, ...(turns[0]?.parts ?? [])].map(({ stable }) => stable ?? false).at(-1)).toBe(
      false,
    )
    expect(turns[0]?.parts.at(-2)?.stable).toBe(true)
  }
})

test('whatever the first reader says and asks for, the second is asked the same', async () => {
  const quiet = await readTwice(nothing, nothing)
  const loud = await readTwice(
    (question) =>
      question.address.endsWith('/review')
        ? {
            findings: [
              wireFinding({ tags: [tagOfLine(question, 'return 10')], title: 'Only the first knows' }),
            ],
            walkthrough: [{ sentence: 'Only the first knows.', places: [] }],
            context_requests: [wireRequest({ file: 'src/b.ts', line_start: 1, line_end: 2 })],
          }
        : { verdicts: [{ finding: 'F1', verdict: 'confirmed', reason: 'only the first knows' }] },
    (question) =>
      question.address.endsWith('/review')
        ? { context_requests: [wireRequest({ file: 'src/a.ts', line_start: 1, line_end: 2 })] }
        : {},
  )
  const opening = ({ asked }: typeof quiet) =>
    asked.filter((one) => isSecond(one) && one.address.endsWith('/review')).map(sentBy)
  expect(opening(loud)).toEqual(opening(quiet))
  for (const question of loud.asked.filter(isSecond))
    expect(wordsOf(question).toLowerCase()).not.toContain('only the first knows')
})

test('first readers of all groups, then second ones, then the follow-ups of both, four groups at once', async () => {
  const scripted = scriptedGateway(({ address }) =>
    wireAnswer(
      address.endsWith('/review')
        ? { context_requests: [wireRequest({ file: 'src/b.ts', line_start: 1, line_end: 2 })] }
        : {},
    ),
  )
  const batches: string[][] = []
  const gateway: Gateway = {
    ...scripted,
    askAll(questions) {
      if (questions.length > 0) batches.push(questions.map(({ address }) => address))
      return scripted.askAll(questions)
    },
  }
  const more = Array.from({ length: 60 }, (_, index) => `export const value${index} = ${index}\n`).join('')
  const files = { ...after, 'src/c.ts': '', 'src/d.ts': '', 'src/e.ts': '' }
  const head = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, `${text}${more}`]))
  const { report } = await runDeep(gateway, { head, config: { limits: { groupBytes: 4_096 } } })
  const asked = (groups: readonly number[], reader: string, last: string) =>
    groups.map((group) => `deep/group-${group}/${reader}/${last}`)
  const four = [1, 2, 3, 4]
  expect(batches).toEqual([
    asked(four, 'first', 'review'),
    asked([5], 'first', 'review'),
    asked(four, 'second', 'review'),
    asked([5], 'second', 'review'),
    [...asked(four, 'first', 'follow-up'), ...asked(four, 'second', 'follow-up')],
    [...asked([5], 'first', 'follow-up'), ...asked([5], 'second', 'follow-up')],
  ])
  expect(report.groups.map(({ address }) => address)).toEqual(
    [...four, 5].flatMap((group) => [`deep/group-${group}/first`, `deep/group-${group}/second`]),
  )
  expect(report.prompts).toEqual(['quick-review@4', 'follow-up@2'])
})

test('the author, and what an earlier review found, are read by both, behind the fence', async () => {
  const finding = (path: string) =>
    ({
      ...{ anchor: { path, tags: [] }, startLine: 2, severity: 'low', title: `Known in ${path}` },
    }) as unknown as Finding
  const known = { files: new Set(['src/b.ts']), findings: [finding('src/a.ts'), finding('src/b.ts')] }
  const { asked, report } = await readTwice(nothing, nothing, { known })
  for (const question of asked) {
    const closing = closingOf(question)
    expect(closing).toContain('Ten times as much')
    expect(closing.match(/Known in \S+/g)).toEqual(['Known in src/a.ts', 'Known in src/b.ts'])
    const unfenced = wordsOf(question).replace(
      /<<<foreign 0123456789abcdef "[^\n]*"\n[\s\S]*?\n>>>end 0123456789abcdef/g,
      '',
    )
    expect(unfenced).not.toMatch(/Ten times|Nothing else changes|src\/[abz]\.ts|return [12]/)
  }
  expect(report.groups.map(({ files }) => files)).toEqual([['src/a.ts'], ['src/a.ts']])
  expect(report.prompts).toEqual(['quick-review@4', 'earlier@1'])
})

test('the estimate has both questions, and the second at the price of its own model', async () => {
  let estimate: ModelEstimate | null = null
  const gateway = scriptedGateway(() => wireAnswer())
  await runDeep(
    {
      ...gateway,
      estimate: (question) => ({ ...gateway.estimate(question), usd: question.apartFrom ? 2 : 1 }),
    },
    {
      mayAsk: async (most) => {
        estimate = most
        return true
      },
    },
  )
  const sent = gateway.questions.reduce((sum, question) => sum + Math.ceil(wordsOf(question).length / 3), 0)
  expect(estimate).toMatchObject({ calls: 2, inputTokens: sent, usd: 3 })
})
