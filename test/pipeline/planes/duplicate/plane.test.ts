/** The duplicate plane on whole changes and the real index. */
import { expect, test } from 'vitest'
import { duplicatePlane } from '../../../../src/pipeline/planes/duplicate/plane.ts'
import type { Changed, Texts } from '../../../helpers/in-memory/change.ts'
import { outcomesOf, reviewChange } from '../review-commit.ts'

/** A function of eleven lines; its own names are given, what it calls stays. */
function retrying(name: string, { request = 'request', delay = 'delay', limit = '5' } = {}): string {
  return `export async function ${name}(${request}: Request, attempts: number): Promise<Response> {
  let ${delay} = 100
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const response = await fetch(${request})
    if (response.status < 500) return response
    if (attempt === ${limit}) reportFailure(${request}.url, response.status)
    await sleep(${delay})
    ${delay} = Math.min(${delay} * 2, maximumDelay)
  }
  throw new Error(\`gave up on \${${request}.url}\`)
}
`
}

const existing = {
  'src/net/retry.ts': `// Shared.\n\n${retrying('fetchWithRetry')}`,
  'src/app.ts': 'run()\n',
}

const review = (before: Texts, after: Changed, title?: string) =>
  reviewChange(duplicatePlane, before, after, { title })
const outcomesOfChange = async (before: Texts, after: Changed): Promise<string[]> =>
  outcomesOf(await review(before, after))

test('finds a copy with other names of its own, and shows the original', async () => {
  const told = await review(existing, {
    'src/billing/client.ts': `import { sleep } from '../net/time.ts'\n\n${retrying('callBilling', { request: 'call', delay: 'pause' })}`,
  })
  expect(outcomesOf(told)).toEqual(['src/billing/client.ts:3 duplicate/repeated-function'])
  const [finding] = told.findings
  expect(finding).toMatchObject({
    severity: 'low',
    title: '`callBilling` repeats `fetchWithRetry` of `retry.ts`',
    claims: [{ kind: 'duplicate-of', otherPath: 'src/net/retry.ts', otherLine: 3, otherEndLine: 13 }],
  })
  expect(finding?.verifiedBy.join()).toMatch(/comparing both places: \d+ % alike/)
  expect(told.evidence[0]).toMatchObject({ path: 'src/net/retry.ts', startLine: 3, endLine: 13 })
  expect(told.evidence[0]?.text).toBe(retrying('fetchWithRetry').trimEnd())
})

test('finds a copy that is written over an older function', async () => {
  const copy = retrying('callBilling')
  const old =
    'export async function callBilling(request: Request, attempts: number) {\n  return fetch(request)\n}\n'
  expect(await outcomesOfChange({ ...existing, 'src/billing.ts': old }, { 'src/billing.ts': copy })).toEqual([
    'src/billing.ts:1 duplicate/repeated-function',
  ])
})

test('what is copied from one file to another is one finding; a title that says so is none', async () => {
  const both = `${retrying('one')}\n${retrying('two').replaceAll('fetch', 'ask')}`
  const told = await review({ 'src/a.ts': both }, { 'src/b.ts': both })
  expect(outcomesOf(told)).toEqual(['src/b.ts:1 duplicate/repeated-function'])
  expect(told.findings[0]?.explanation).toContain('The same is in `src/b.ts:13`.')
  const announced = await review({ 'src/a.ts': both }, { 'src/c.ts': both }, 'Fork a.ts for the new client')
  expect(outcomesOf(announced)).toEqual([])
})

test('finds copies in Python, Go, Rust and Java', async () => {
  const python = (name: string) =>
    `def ${name}(rows, limit):\n    totals = {}\n    for row in rows:\n        if row.amount > limit:\n            totals[row.owner] = totals.get(row.owner, 0) + row.amount\n        else:\n            report_small(row.owner, row.amount)\n    return sorted(totals.items(), key=lambda pair: pair[1], reverse=True)\n`
  const go = (name: string) =>
    `package shop\n\nfunc ${name}(rows []Row, limit int) map[string]int {\n\ttotals := map[string]int{}\n\tfor _, row := range rows {\n\t\tif row.Amount > limit {\n\t\t\ttotals[row.Owner] += row.Amount\n\t\t} else {\n\t\t\treportSmall(row.Owner, row.Amount)\n\t\t}\n\t}\n\treturn totals\n}\n`
  const rust = (name: string) =>
    `pub fn ${name}(rows: &[Row], limit: u64) -> HashMap<String, u64> {\n    let mut totals = HashMap::new();\n    for row in rows {\n        if row.amount > limit {\n            *totals.entry(row.owner.clone()).or_insert(0) += row.amount;\n        } else {\n            report_small(&row.owner, row.amount);\n        }\n    }\n    totals\n}\n`
  const java = (name: string, method: string) =>
    `class ${name} {\n  static Map<String, Integer> ${method}(List<Row> rows, int limit) {\n    Map<String, Integer> totals = new HashMap<>();\n    for (Row row : rows) {\n      if (row.amount() > limit) {\n        totals.merge(row.owner(), row.amount(), Integer::sum);\n      } else {\n        Reports.small(row.owner(), row.amount());\n      }\n    }\n    return totals;\n  }\n}\n`
  const outcomes = await outcomesOfChange(
    {
      'a.py': python('by_owner'),
      'a.go': go('byOwner'),
      'a.rs': rust('by_owner'),
      'A.java': java('A', 'byOwner'),
    },
    {
      'b.py': python('largest'),
      'b.go': go('largest'),
      'b.rs': rust('largest'),
      'B.java': java('B', 'largest'),
    },
  )
  // Three at most are told; the longest come first.
  expect(outcomes).toHaveLength(3)
  const alone = await outcomesOfChange({ 'a.py': python('by_owner') }, { 'b.py': python('largest') })
  expect(alone).toEqual(['b.py:1 duplicate/repeated-function'])
})

/** Long enough, and nothing is called or decided. */
function stub(name: string): string {
  const actions = ['create', 'update', 'remove', 'archive', 'restore', 'move', 'copy', 'list']
  return `export function ${name}() {\n  return {\n${actions.map((action) => `    ${action}: async () => {},\n`).join('')}  }\n}\n`
}

test.each([
  ['it is moved', existing, { 'src/net/retry.ts': null, 'src/net/again.ts': existing['src/net/retry.ts'] }],
  ['it is a test', existing, { 'test/retry.test.ts': retrying('fetchWithRetry') }],
  ['a constant differs', existing, { 'src/billing.ts': retrying('callBilling', { limit: '7' }) }],
  ['it is an example', existing, { 'examples/retry.ts': retrying('fetchWithRetry') }],
  ['it is an example of one package', existing, { 'react-examples/retry.ts': retrying('fetchWithRetry') }],
  ['it is measured against another', existing, { 'src/Shop.Benchmark/retry.ts': retrying('fetchWithRetry') }],
  ['each type says it of itself', { 'src/a.ts': retrying('equals') }, { 'src/b.ts': retrying('equals') }],
  [
    'it is made by a generator',
    existing,
    {
      'src/made.ts': `/* This is an automatically GENERATED file, which should not be edited. */\n${retrying('made')}`,
    },
  ],
  [
    'it is the same for another implementation',
    { 'src/openssl.ts': retrying('openssl_fetch') },
    { 'src/schannel.ts': retrying('schannel_fetch') },
  ],
  [
    'it is an entry point that has to be there',
    { 'app/a/route.ts': retrying('GET') },
    { 'app/b/route.ts': retrying('GET') },
  ],
  [
    'it is in a bundle, put together from several files',
    {
      'src/a.ts': retrying('one'),
      'src/b.ts': retrying('two').replaceAll('fetch', 'ask'),
      'src/c.ts': retrying('three').replaceAll('sleep', 'rest'),
    },
    {
      'lib/all.ts': [
        retrying('one'),
        retrying('two').replaceAll('fetch', 'ask'),
        retrying('three').replaceAll('sleep', 'rest'),
      ].join('\n'),
    },
  ],
  ['it is a stub', { 'src/a.ts': stub('one') }, { 'src/b.ts': stub('two') }],
  ['it is vendored', existing, { 'vendor/retry.ts': retrying('fetchWithRetry') }],
  [
    'it is the twin for another platform',
    { 'src/retry_linux.ts': retrying('fetchWithRetry') },
    { 'src/retry_windows.ts': retrying('fetchWithRetry') },
  ],
  [
    'it replaces what is deprecated',
    { 'src/retry.ts': `/** @deprecated Use \`callBilling\`. */\n${retrying('fetchWithRetry')}` },
    { 'src/billing.ts': retrying('callBilling') },
  ],
  [
    'both come with the change',
    { 'src/app.ts': 'run()\n' },
    { 'a.ts': retrying('one'), 'b.ts': retrying('two') },
  ],
  [
    'it is short',
    { 'a.ts': 'export function one(a: number) {\n  return {\n    a,\n    b: 2,\n    c: 3,\n  }\n}\n' },
    { 'b.ts': 'export function two(a: number) {\n  return {\n    a,\n    b: 2,\n    c: 3,\n  }\n}\n' },
  ],
  [
    'only the shape is alike',
    existing,
    {
      'src/b.ts': retrying('other').replaceAll(
        /fetch|sleep|reportFailure|maximumDelay|Math|min/g,
        (w) => `${w}X`,
      ),
    },
  ],
  [
    'a line of the original changes',
    { ...existing, 'src/b.ts': retrying('other') },
    { 'src/b.ts': retrying('other').replace('< 500', '< 400') },
  ],
] as [string, Texts, Changed][])('is silent when %s', async (_, before, after) => {
  expect(await outcomesOfChange(before, after)).toEqual([])
})

/** A table in the form of a function. */
function schema(name: string, description: string): string {
  const fields = ['id', 'name', 'state', 'owner', 'created', 'changed'].map(
    (field) => `  properties.set('${field}', textSchema('${field}'))\n`,
  )
  return `export function ${name}(): Schema {
  const properties = new Map<string, Schema>()
${fields.join('')}  return createSchema({ type: 'object', description: ${description}, properties })
}
`
}

test('data in the form of a function may be alike in one file; its exact copy elsewhere is a copy', async () => {
  const before = { 'src/schemas.ts': schema('orderSchema', "'order'"), 'src/other.ts': 'run()\n' }
  const alike = { 'src/schemas.ts': `${before['src/schemas.ts']}\n${schema('customerSchema', "'customer'")}` }
  expect(await outcomesOfChange(before, alike)).toEqual([])
  expect(await outcomesOfChange(before, { 'src/other.ts': schema('orderSchema', "'order'") })).toHaveLength(1)
})

/** A function of its own, so that no two of these are alike. */
const own = (at: number): string =>
  `function step${at}(list) {\n  for (const item of list) {\n    if (item.kind${at} === ${at}) reportKind${at}(item, 'kind ${at}')\n    else if (item.other${at}) forgetOther${at}(item.other${at})\n    else skipAll${at}(list.length, item.rest${at})\n  }\n  return finish${at}(list)\n}\n`

test('a file that is put together from others repeats them, also where one function of it is new', async () => {
  const parts = Object.fromEntries([1, 2, 3, 4].map((at) => [`src/step${at}.js`, own(at)]))
  const whole = [1, 2, 3, 4].map(own).join('\n')
  const without = [1, 2, 3].map(own).join('\n')
  expect(await outcomesOfChange({ ...parts, 'lib/all.js': without }, { 'lib/all.js': whole })).toEqual([])
  const alone = `${own(4)}\nfunction start() {\n  return 1\n}\n`
  expect(await outcomesOfChange(parts, { 'lib/all.js': alone })).toHaveLength(1)
})

test('a copy that is kept beside a file, and one more of many copies, are meant', async () => {
  const copies = (number: number): Texts =>
    Object.fromEntries(
      ['de', 'en', 'fr', 'it'].slice(0, number).map((name) => [`src/words/${name}.ts`, retrying('load')]),
    )
  const next = { 'src/words/nl.ts': retrying('load') }
  expect(await outcomesOfChange(copies(2), next)).toHaveLength(1)
  expect(await outcomesOfChange(copies(3), next)).toEqual([])
  expect(await outcomesOfChange(existing, { 'src/net/retry-old.ts': retrying('fetchWithRetry') })).toEqual([])
})

test('a third function in the form of two others is none of their copies; one that is the same as either is', async () => {
  const two = `${retrying('first', { limit: '5' })}\n${retrying('second', { limit: '6' })}`
  const third = (limit: string) => ({ 'src/other.ts': retrying('third', { limit }) })
  expect(await outcomesOfChange({ 'src/all.ts': two }, third('7'))).toEqual([])
  expect(await outcomesOfChange({ 'src/all.ts': two }, third('6'))).toHaveLength(1)
})

test('a function with a new body was as much of a copy before', async () => {
  const before = {
    'src/a.ts': retrying('load', { limit: '3' }),
    'deno/a.ts': retrying('load', { limit: '3' }),
  }
  const anew = retrying('load', { limit: '4', request: 'asked', delay: 'pause' })
  expect(await outcomesOfChange(before, { 'src/a.ts': anew })).toEqual([])
})

test('a function that differs from another in its own name alone does the same to another thing', async () => {
  const marking = (name: string, member: string) =>
    retrying(name).replace('reportFailure', `response.${member} = report`)
  const before = { 'src/one.ts': marking('merge', 'merge') }
  expect(await outcomesOfChange(before, { 'src/two.ts': marking('bold', 'bold') })).toEqual([])
  expect(await outcomesOfChange(before, { 'src/two.ts': marking('bold', 'merge') })).toHaveLength(1)
})

test('who edits a function beside its copy has both in view', async () => {
  const both = { 'src/net/retry.ts': retrying('fetchWithRetry', { limit: '9' }) }
  const copy = { 'src/billing.ts': retrying('callBilling', { limit: '9' }) }
  expect(await outcomesOfChange(existing, { ...both, ...copy })).toEqual([])
})

test('what calls another function by the same name does something else', async () => {
  const written = (path: string, sleep: string) => ({ [path]: `${retrying('fetchWithRetry')}\n${sleep}` })
  const sleep = 'function sleep(time: number) {\n  return later(time)\n}\n'
  const other = 'function sleep(time: number) {\n  return never(time)\n}\n'
  const before = { ...existing, ...written('src/net/retry.ts', sleep) }
  expect(await outcomesOfChange(before, written('src/billing/client.ts', other))).toEqual([])
  expect(await outcomesOfChange(before, written('src/billing/client.ts', sleep))).toEqual([
    'src/billing/client.ts:1 duplicate/repeated-function',
  ])
})
