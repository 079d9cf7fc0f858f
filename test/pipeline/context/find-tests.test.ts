import { expect, test } from 'vitest'
import { reviewChange } from '../../../src/index.ts'
import { createRepo } from '../../helpers/git-repo.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

test('the summary names the tests of what changed, and whether they changed too', async () => {
  const repo = createRepo()
  repo.commit({
    'src/price.ts': 'export function priceOf(grams: number) {\n  return grams * 2\n}\n',
    'test/price.test.ts': "import { priceOf } from '../src/price.ts'\n\npriceOf(1)\n",
    'test/other.test.ts': '// nothing here\n',
  })
  repo.commit({ 'src/price.ts': 'export function priceOf(grams: number) {\n  return grams * 3\n}\n' })
  const summaryOf = async () => {
    const { review } = await reviewChange({
      folder: repo.path,
      selector: { kind: 'auto' },
      cacheFolder: null,
      facts: sharedFacts(),
    })
    return review.summary
  }
  expect(await summaryOf()).toContain(
    'Tests that use the changed code: `test/price.test.ts`; none of them changed.',
  )

  repo.write({
    'src/price.ts': 'export function priceOf(grams: number) {\n  return grams * 4\n}\n',
    'test/price.test.ts': "import { priceOf } from '../src/price.ts'\n\npriceOf(2)\n",
  })
  expect(await summaryOf()).toContain('`test/price.test.ts`; 1 of them changed.')

  repo.commit({})
  repo.git('rm', '--quiet', 'test/price.test.ts')
  repo.commit({}, 'drop')
  repo.write({ 'src/price.ts': 'export function priceOf(grams: number) {\n  return grams * 5\n}\n' })
  expect(await summaryOf()).toContain('No tests use the changed code.')
})
