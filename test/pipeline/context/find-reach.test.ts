/** Whom a change affects, in reviews of real repositories at depth offline: by resolved uses, two steps far. */
import { expect, test } from 'vitest'
import { reviewChange } from '../../../src/index.ts'
import { createRepo } from '../../helpers/git-repo.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

async function summaryOf(folder: string): Promise<string[]> {
  const { review } = await reviewChange({
    folder,
    selector: { kind: 'auto' },
    cacheFolder: null,
    facts: sharedFacts(),
    unhurried: true,
  })
  expect(review.depth).toBe('offline')
  return review.summary.split('\n')
}

const risk = (lines: readonly string[]) => lines.find((line) => line.startsWith('Risk: ')) ?? ''

test('users are resolved, not merely named alike, and their users count too', async () => {
  const repo = createRepo()
  const price = (by: number) =>
    `export function parsePrice(text: string) {\n  return Number(text) * ${by}\n}\n`
  repo.commit({
    'src/price.ts': price(1),
    'src/cart.ts':
      "import { parsePrice as read } from './price.ts'\nexport function cartTotal(all: string[]) {\n  return all.map((one) => read(one))\n}\n",
    'src/page.ts':
      "import { cartTotal } from './cart.ts'\nexport function renderPage() {\n  return cartTotal(['1'])\n}\nexport function renderMail() {\n  return cartTotal(['2'])\n}\n",
    // The same word, which means something else here.
    'src/other.ts': 'function parsePrice() {\n  return 1\n}\nexport const one = parsePrice()\n',
    'src/notes.ts': '// parsePrice is explained elsewhere\nexport const two = 2\n',
    'test/cart.test.ts': "import { cartTotal } from '../src/cart.ts'\ncartTotal(['3'])\n",
  })
  repo.commit({ 'src/price.ts': price(100) })
  const lines = await summaryOf(repo.path)
  expect(risk(lines)).toBe(
    'Risk: outside the change and tests, `parsePrice()` is used in 1 place and, through it, in 2 more (`src/cart.ts` and 1 more file).',
  )
  // The test does not name it, and uses it through its caller.
  expect(lines).toContain('Tests that use the changed code: `test/cart.test.ts`; none of them changed.')
})

test('a private helper reaches others through the functions of its own file', async () => {
  const repo = createRepo()
  const text = (by: number) =>
    `def _clean(text):\n    return text.strip() * ${by}\n\n\ndef normalise_title(text):\n    return _clean(text)\n`
  repo.commit({
    'shop/titles.py': text(1),
    'shop/views.py':
      'from shop.titles import normalise_title\n\n\ndef show(request):\n    return normalise_title(request)\n',
  })
  repo.commit({ 'shop/titles.py': text(2) })
  expect(risk(await summaryOf(repo.path))).toBe(
    'Risk: outside the change and tests, `_clean()` is used through others in 1 place (`shop/views.py`).',
  )
})

test('what nobody uses has no reach, whoever names it', async () => {
  const repo = createRepo()
  const text = (by: number) => `export function orphanOfFile() {\n  return ${by}\n}\n`
  repo.commit({ 'src/a.ts': text(1), 'src/b.ts': '// orphanOfFile\nexport const b = 1\n' })
  repo.commit({ 'src/a.ts': text(2) })
  const lines = await summaryOf(repo.path)
  expect(risk(lines)).toBe('')
})

test('where a use cannot be resolved, names are told as names', async () => {
  const repo = createRepo()
  const text = (by: number) =>
    `class Basket:\n    def add_weighted_item(self, item):\n        return ${by}\n\n\nclass Crate:\n    def add_weighted_item(self, item):\n        return 0\n`
  repo.commit({
    'shop/basket.py': text(1),
    'shop/use.py': 'def fill(anything):\n    anything.add_weighted_item(1)\n',
  })
  repo.commit({ 'shop/basket.py': text(2) })
  expect(risk(await summaryOf(repo.path))).toBe(
    'Risk: outside the change and tests, `add_weighted_item` is named in `shop/use.py`.',
  )
})

test('many users are counted in full', async () => {
  const repo = createRepo()
  const text = (by: number) => `package rates\n\nfunc ExchangeRate(n int) int {\n\treturn n * ${by}\n}\n`
  const users = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `rates/user${at}.go`,
      `package rates\n\nfunc Use${at}Of() int {\n\treturn ExchangeRate(${at})\n}\n`,
    ]),
  )
  repo.commit({ 'go.mod': 'module shop\n', 'rates/rate.go': text(1), ...users })
  repo.commit({ 'rates/rate.go': text(2) })
  const lines = await summaryOf(repo.path)
  expect(risk(lines)).toMatch(
    /`ExchangeRate\(\)` is used in 12 places \(`rates\/user\d+\.go` and 11 more files\)\.$/,
  )
  expect(lines).toContain('No test names the changed code.')
})
