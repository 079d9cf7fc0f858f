/** The chapter on writing a rule does what it says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../../../../src/config/load.ts'
import { questionFor, wholeText } from '../../../../src/pipeline/planes/rules/engine/protocol.ts'
import { runQuestions } from '../../../../src/pipeline/planes/rules/engine/run-questions.ts'
import { readRules } from '../../../../src/pipeline/planes/rules/format/read-rules.ts'
import { documentKeys } from '../../../../src/pipeline/planes/rules/format/rule-schema.ts'
import { builtInRules } from '../../../../src/pipeline/planes/rules/load-rules.ts'
import { rulesPlane } from '../../../../src/pipeline/planes/rules/plane.ts'
import { reviewChange } from '../review-commit.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/writing-a-rule.md'), 'utf8')
const blocks = [...page.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}))
const yaml = blocks.filter(({ kind }) => kind === 'yaml').map(({ text }) => text)
const example = yaml[0] ?? ''

test('the example reports the line it says, in the words it says', async () => {
  const line = blocks.find(({ kind }) => kind === 'ts')?.text ?? ''
  const { findings, limits } = await reviewChange(
    rulesPlane,
    { '.sightline/rules/fetch-timeout.yaml': example },
    { 'src/users.ts': line, 'src/http.ts': line },
  )
  expect(limits).toEqual([])
  expect(findings.map(({ anchor, rule, severity }) => [anchor.path, rule, severity])).toEqual([
    ['src/users.ts', 'fetch-timeout', 'medium'],
  ])
  expect(findings[0]?.title).toBe(blocks.find(({ kind }) => kind === '')?.text.trim())
})

test('the snippets of the example mean what they say', async () => {
  const [rule] = readRules(example, 'example.yaml', false).rules
  if (!rule) throw new Error('the example is no rule')
  const snippets = [...rule.tests.valid, ...rule.tests.invalid]
  const { texts } = await runQuestions(
    'typescript',
    [questionFor(rule)],
    snippets.map(wholeText),
    new AbortController().signal,
  )
  const matched = texts.map((answer) => answer.type === 'matched' && answer.matches.length > 0)
  expect(matched).toEqual([...rule.tests.valid.map(() => false), ...rule.tests.invalid.map(() => true)])
})

test('every key is explained, and the number of rules is right', () => {
  const table = page.slice(page.indexOf('## The file'), page.indexOf('## Patterns'))
  for (const key of documentKeys) expect(table, key).toContain(`\`${key}\``)
  expect(page).toContain(`Sightline includes ${builtInRules().length} rules`)
})

test('the configuration it shows is valid, and names a rule there is', () => {
  const text = yaml.find((block) => block.startsWith('rules:')) ?? ''
  const { config } = parseConfig(text, '.sightline.yaml')
  const ids = builtInRules().map(({ id }) => id)
  expect(config.rules.disable.filter((id) => !ids.includes(id))).toEqual([])
  expect(config.rules.disable).toHaveLength(1)
})
