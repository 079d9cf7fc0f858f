/** Every check of ours has a title and help of its own, and formats that list rules show them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formats } from '../../../src/pipeline/publish/registry.ts'
import { ruleText } from '../../../src/pipeline/publish/rule-text.ts'
import { sampleFinding, sampleReview } from '../../helpers/sample-review.ts'

const planes = join(import.meta.dirname, '../../../src/pipeline/planes')
const options = { color: false, width: 80, maxInline: 5, explain: false }

/** The ids that the planes of code write down, whole or behind the name of their plane. */
function idsOfChecks(): string[] {
  const ids = new Set<string>()
  for (const path of readdirSync(planes, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts')) continue
    const text = readFileSync(join(planes, path), 'utf8')
    for (const [, id = ''] of text.matchAll(
      /'((?:contract|tests|duplicate|new-code|hidden-text)\/[a-z-]+)'/g,
    ))
      ids.add(id)
    if (path.startsWith('instructions'))
      for (const [, id] of text.matchAll(/rule: '([a-z-]+)'/g)) ids.add(`instructions/${id}`)
  }
  for (const fate of ['removed', 'renamed', 'moved']) ids.add(`contract/${fate}-symbol`)
  for (const problem of ['bidi', 'tag', 'selector', 'zero-width', 'control', 'look-alike'])
    ids.add(`hidden-text/${problem}`)
  return [...ids].sort()
}

test('no check of ours is told by its category alone', () => {
  const ids = idsOfChecks()
  expect(ids.length).toBeGreaterThan(35)
  const [plain] = [ruleText(sampleFinding({ rule: 'unheard-of', category: 'contract' }))]
  const vague = ids.filter(
    (rule) => ruleText(sampleFinding({ rule, category: 'contract' })).title === plain?.title,
  )
  expect(vague).toEqual([])
})

test('SARIF lists rules with what they are about, never with their ids in other words', () => {
  const about = { title: 'A value is compared with `NaN`', help: 'Nothing equals `NaN`. Use `Number.isNaN`.' }
  const findings = [
    sampleFinding({ rule: 'js/compare-nan', plane: 'rules', about }),
    sampleFinding({ rule: 'own-rule', plane: 'rules', about: { title: 'No moment', help: '' } }),
    sampleFinding({ rule: 'security/security', plane: 'security', category: 'security', byModel: true }),
    sampleFinding({ rule: 'secrets/github-token', plane: 'secrets', category: 'security' }),
  ]
  const [run] = JSON.parse(formats.sarif(sampleReview({ findings }), options)).runs
  const rules: { shortDescription: { text: string }; help: { text: string } }[] = run.tool.driver.rules
  expect(rules.map(({ shortDescription, help }) => [shortDescription.text, help.text])).toEqual([
    ['A value is compared with `NaN`.', 'Nothing equals `NaN`. Use `Number.isNaN`.'],
    ['No moment.', 'No moment.'],
    [
      'A committed secret: github token.',
      'Revoke it where it was issued, then read the new one from the environment or a secret store.',
    ],
    [
      'A possible security problem.',
      'A possible security problem, reported by the reviewer model (security). Each finding quotes its evidence.',
    ],
  ])
})

test('rdjson reads well as plain text: what Markdown would act on is code, and nothing is escaped', () => {
  const finding = sampleFinding({
    title: 'load_rates now takes 1 argument, and `a*b` [is] <b>bold</b> for @ada',
    explanation: '# no heading\nA second line.\n\n- no list',
    remedy: 'Use it.',
  })
  const [one] = JSON.parse(formats.rdjson(sampleReview({ findings: [finding] }), options)).diagnostics
  expect(one.message).toBe(
    '`load_rates` now takes 1 argument, and `a*b` `[is]` `<b>bold</b>` for `@ada`\n\n`#` no heading  \nA second line.\n\n`-` no list\n\nUse it.',
  )
  expect(one.message).not.toContain('\\')
})
