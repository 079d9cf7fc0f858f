/** The index says which files to open: those that use what a break names, and not all that import the package. */
import { expect, onTestFinished, test } from 'vitest'
import { keyOf } from '../../src/workspace/kinds/setting/contract.ts'
import { openUsesIndex } from '../../src/workspace/uses-index.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { headOf } from '../helpers/head-of.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'

test('files are found by the exact names of what they use, where a kind has them', async () => {
  const repo = createRepo()
  repo.commit({
    'close.ts': "import { close } from '@acme/client'\n\nclose()\n",
    'open.ts': "import { open } from '@acme/client'\n\nopen()\n",
    'env.ts': 'export const url = process.env.ACME_URL\n',
  })
  const head = await headOf(repo)
  const index = openUsesIndex(null)
  onTestFinished(() => index.close())
  const at = {
    name: 'web',
    commit: repo.git('rev-parse', 'HEAD'),
    tree: head.tree,
    committedAt: '',
    label: 'web',
  }
  await index.refresh({ ...at, originUrl: null }, head, sharedFacts())
  const keys = ['npm:@acme/client']
  const paths = async (kind: 'package' | 'setting', wanted: { keys: string[]; names: string[] | null }) =>
    (await index.find(kind, wanted, ['web'])).map(({ path }) => path)
  expect(await paths('package', { keys, names: ['@acme/client#close'] })).toEqual(['close.ts'])
  expect(await paths('package', { keys, names: null })).toEqual(['close.ts', 'open.ts'])
  expect(await paths('package', { keys, names: ['@acme/client#ping'] })).toEqual([])
  // A kind without exact names is asked by its keys alone.
  expect(await paths('setting', { keys: [keyOf('ACME_URL')], names: ['another'] })).toEqual(['env.ts'])
  expect(await index.find('package', { keys, names: null }, ['another'])).toEqual([])
})
