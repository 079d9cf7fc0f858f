/** A change whose configuration has limits of its own is collected once, and read within those. */
import { expect, onTestFinished, test } from 'vitest'
import { collectChange } from '../../src/assembly/collect-change.ts'
import { defaultSettings } from '../../src/config/settings/schema.ts'
import type { ChangeSource } from '../../src/hosts/contract.ts'
import { localSource } from '../../src/hosts/local/collect.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'

const services = {
  now: () => new Date(),
  settings: defaultSettings,
  environment: {},
  facts: sharedFacts(),
  folders: { cache: null },
  signal: new AbortController().signal,
}

/** As the source, counting how often it is asked. */
function counted(source: ChangeSource): ChangeSource & { calls: number } {
  return {
    calls: 0,
    collect(...args) {
      this.calls++
      return source.collect(...args)
    },
  }
}

function changed() {
  const repo = createRepo()
  repo.commit({ '.sightline.yaml': 'limits: { changedFiles: 1 }\n', 'a.txt': 'a\n', 'b.txt': 'b\n' })
  repo.write({ 'a.txt': 'A\n', 'b.txt': 'B\n' })
  return repo
}

test.each(['commit', 'uncommitted'] as const)('a change (%s) is collected once', async (kind) => {
  const repo = changed()
  if (kind === 'commit') repo.commit({ 'a.txt': 'A\n', 'b.txt': 'B\n' })
  const selector = kind === 'commit' ? { kind, commit: 'HEAD' } : { kind }
  const source = counted(localSource({ folder: repo.path, selector }))
  const change = await collectChange(source, services)
  onTestFinished(() => change.close())
  expect(source.calls).toBe(1)
  const { files, overflow } = await change.diff()
  const unread = change.request.unread.map(({ path }) => path)
  expect([files.map(({ path }) => path), [...overflow, ...unread]]).toEqual([['a.txt'], ['b.txt']])
})
