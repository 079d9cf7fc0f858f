import { expect, test } from 'vitest'
import { reviewChange } from '../../../src/index.ts'
import { findTests, type TestQuestion } from '../../../src/pipeline/context/find-tests.ts'
import { diffSymbols } from '../../../src/pipeline/diff/symbol-changes.ts'
import { createRepo } from '../../helpers/git-repo.ts'
import { watched } from '../../helpers/head-of.ts'
import { readChange } from '../../helpers/in-memory/change.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

test('the summary names the tests of what changed, and whether they changed too', async () => {
  const repo = createRepo()
  repo.commit({
    'src/price.ts': 'export function priceOf(grams: number) {\n  return grams * 2\n}\n',
    'test/price.test.ts': "import { priceOf } from '../src/price.ts'\n\npriceOf(1)\n",
    'test/other.test.ts': '// nothing here\n',
    'src/shop.ts': "import { priceOf } from './price.ts'\n\nexport const total = priceOf(3)\n",
    'README.md': 'priceOf is a function.\n',
  })
  repo.commit({ 'src/price.ts': 'export function priceOf(grams: number) {\n  return grams * 3\n}\n' })
  const summaryOf = async () => {
    const { review } = await reviewChange({
      folder: repo.path,
      selector: { kind: 'auto' },
      cacheFolder: null,
      facts: sharedFacts(),
      unhurried: true,
    })
    return review.summary
  }
  const summary = await summaryOf()
  expect(summary).toContain('Tests that use the changed code: `test/price.test.ts`; none of them changed.')
  // A document that has the name is no user.
  expect(summary).toContain('outside the change and tests, `priceOf()` is used in 1 place (`src/shop.ts`).')

  repo.write({
    'src/price.ts': 'export function priceOf(grams: number) {\n  return grams * 4\n}\n',
    'test/price.test.ts': "import { priceOf } from '../src/price.ts'\n\npriceOf(2)\n",
  })
  expect(await summaryOf()).toContain('`test/price.test.ts`; 1 of them changed.')

  repo.commit({})
  repo.git('rm', '--quiet', 'test/price.test.ts')
  repo.commit({}, 'drop')
  repo.write({ 'src/price.ts': 'export function priceOf(grams: number) {\n  return grams * 5\n}\n' })
  expect(await summaryOf()).toContain('No test names the changed code.')
})

test('tests of Rust stand in the file that they test', async () => {
  const repo = createRepo()
  const file = (by: number, used: string) =>
    `pub fn priced(n: u32) -> u32 {\n    n * ${by}\n}\n\npub fn packed(n: u32) -> u32 {\n    n + ${by}\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn it_counts() {\n        assert_eq!(${used}(1), 2);\n    }\n}\n`
  repo.commit({ 'src/price.rs': file(2, 'priced') })
  repo.commit({ 'src/price.rs': file(3, 'priced') })
  const { review } = await reviewChange({
    folder: repo.path,
    selector: { kind: 'range', range: 'HEAD~1..HEAD' },
    cacheFolder: null,
    facts: sharedFacts(),
    unhurried: true,
  })
  expect(review.summary).toContain('Tests that use the changed code: `src/price.rs`')
  expect(review.summary).toContain('No test names `packed`')
})

test('a test that has a common word counts only if it imports the file, is named after it or names the type', async () => {
  const repo = createRepo()
  const service = (by: number) =>
    `export class OrderService {\n  constructor() {}\n  create(n: number) {\n    return n * ${by}\n  }\n}\nexport function handler(n: number) {\n  return n * ${by}\n}\n`
  repo.commit({
    'src/order-service.ts': service(2),
    'test/order-service.test.ts': "import { handler } from '../src/order-service'\nhandler(1)\n",
    'test/checkout.test.ts': 'const it = new OrderService()\nit.create(1)\n',
    'test/other/vendor.test.ts': 'export const handler = { create() {}, constructor() {} }\n',
  })
  repo.commit({ 'src/order-service.ts': service(3) })
  const { review } = await reviewChange({
    folder: repo.path,
    selector: { kind: 'auto' },
    cacheFolder: null,
    facts: sharedFacts(),
  })
  expect(review.summary).toContain('test/order-service.test.ts')
  expect(review.summary).toContain('test/checkout.test.ts')
  expect(review.summary).not.toContain('vendor')
})

async function questionOf(...files: Parameters<typeof readChange>): Promise<TestQuestion> {
  const { change: collected, set: change } = await readChange(...files)
  const { base, head } = collected
  return { symbols: await diffSymbols({ change, base, head, facts: sharedFacts() }), change, head, globs: [] }
}

test('a common word in another language, or in a file whose name only begins alike, is another one', async () => {
  const page = (by: number) => `export function load(n: number) {\n  return n * ${by}\n}\n`
  const question = await questionOf(
    {
      'src/routes/earnings/+page.ts': page(2),
      'test/earnings.test.ts': 'load(1)\n',
      'test/earnings_test.exs': 'load(1)\n',
      'test/PageBlockHost.browser.test.ts': 'load(1)\n',
      'test/earnings-summary.test.ts': 'load(1)\n',
    },
    { 'src/routes/earnings/+page.ts': page(3) },
  )
  const found = await findTests(question)
  expect(found.map(({ tests }) => tests.map(({ path }) => path))).toEqual([['test/earnings.test.ts']])
})

test('a bare name that is everywhere is not asked about, and one of two words is', async () => {
  const page = (by: number) =>
    `export function load(n: number) {\n  return n * ${by}\n}\nexport function loadPage(n: number) {\n  return n * ${by}\n}\n`
  const others = Array.from({ length: 40 }, (_, at) => [`lib/f${at}.ts`, 'load(1)\nloadPage(1)\n'])
  const base = (some: typeof others) => ({
    ...{ 'src/page.ts': page(2), 'test/page.test.ts': 'load(1)\nloadPage(1)\n' },
    ...Object.fromEntries(some),
  })
  const askedOf = async (some: typeof others) =>
    (await findTests(await questionOf(base(some), { 'src/page.ts': page(3) }))).map(({ symbol }) => symbol)
  expect(await askedOf(others.slice(2))).toEqual(['load', 'loadPage'])
  expect(await askedOf(others)).toEqual(['loadPage'])
})

test('of tests that have a common word, only those are read that may import the file', async () => {
  const clock = (by: number) => `export function handler(n: number) {\n  return n * ${by}\n}\n`
  const base = {
    'src/clock.ts': clock(2),
    'test/clock.test.ts': 'handler(1)\n',
    'test/imports.test.ts': "import { handler } from '../src/clock'\nhandler(1)\n",
    'test/words.test.ts': '// clock and handler\n',
    'test/far.test.ts': 'const handler = 1\n',
  }
  const question = await questionOf(base, { 'src/clock.ts': clock(3) })
  const { snapshot, read } = watched(question.head)
  const found = await findTests({ ...question, head: snapshot })
  expect(read).toEqual(['test/imports.test.ts', 'test/words.test.ts'])
  expect(found.map(({ tests }) => tests.map(({ path }) => path))).toEqual([
    ['test/clock.test.ts', 'test/imports.test.ts'],
  ])
})

test('a function that is all of its module is known by the file, and the documents of a test folder are no tests', async () => {
  const repo = createRepo()
  const plugin = (by: number) =>
    `module.exports = function (app) {\n  app.total = (n) => n * ${by}\n  return app.total(1)\n}\n`
  const named = (by: number) => `export function priceOf(n) {\n  return n * ${by} + 1\n}\n`
  repo.commit({
    'lib/load-plugin.js': plugin(2),
    'lib/price.js': named(2),
    'test/load-plugin.js': "const load = require('../lib/load-plugin')\n\nload({})\n",
    'test/other.js': 'module.exports = { exports: 1 }\n',
    'test/README.md': 'priceOf and load-plugin are tested here.\n',
    'test/price.json': '{ "name": "priceOf" }\n',
  })
  repo.commit({ 'lib/load-plugin.js': plugin(3), 'lib/price.js': named(3) })
  const { review } = await reviewChange({
    folder: repo.path,
    selector: { kind: 'commit', commit: 'HEAD' },
    cacheFolder: null,
    facts: sharedFacts(),
    unhurried: true,
  })
  expect(review.summary).toContain(
    'Tests that use the changed code: `test/load-plugin.js`; none of them changed.',
  )
})
