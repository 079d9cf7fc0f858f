/** Open change requests that touch the same code: frozen with the change, in its bundle, and for the tools of a scout. */
import { expect, onTestFinished, test } from 'vitest'
import { textOf } from '../../src/agent/answer.ts'
import { collectChange } from '../../src/assembly/collect-change.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { defaultSettings } from '../../src/config/settings/schema.ts'
import type { CollectedChange } from '../../src/hosts/contract.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import type { OpenPatch } from '../../src/hosts/repository/open-patches.ts'
import { readChangeSet } from '../../src/pipeline/diff/read-change-set.ts'
import { freezeContext } from '../../src/pipeline/freeze-context.ts'
import type { ToolScope } from '../../src/tools/contract.ts'
import { toolsFor } from '../../src/tools/registry.ts'
import { createToolbox } from '../../src/tools/toolbox.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import { noTalk } from '../tools/open-toolbox.ts'

const before = `class Tokens:
    def decode(self, raw):
        text = raw.strip()
        check(text)
        return parse(text)


def other():
    return 1
`
const signal = new AbortController().signal
const patchOf = (number: number, title: string, patch: string): OpenPatch => ({
  ...{ number, name: `#${number}`, head: String(number), updatedAt: 0, title, author: 'eve', isDraft: false },
  ...{ body: '', branch: 'topic', isFork: false },
  files: [{ path: 'tokens.py', oldPath: 'tokens.py', patch }],
})
const sameLine = patchOf(
  812,
  'Trim tokens ghp_x7Kq2mVbT9wLr4ZnPc8sHd3JfYg6Qa1EuXio',
  '@@ -2,3 +2,3 @@\n     def decode(self, raw):\n-        text = raw.strip()\n+        text = raw.trim()\n         check(text)',
)
const sameFunction = patchOf(
  813,
  'Parse twice',
  '@@ -5,1 +5,1 @@\n-        return parse(text)\n+        return parse(parse(text))',
)
const sameFile = patchOf(814, 'Elsewhere', '@@ -9,1 +9,1 @@\n-    return 1\n+    return 2')

async function freeze(openPatches: CollectedChange['openPatches'], depth: 'standard' | 'quick' = 'standard') {
  const repo = createRepo()
  repo.commit({ 'tokens.py': before })
  repo.commit({ 'tokens.py': before.replace('raw.strip()', 'raw.rstrip()') })
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const source = {
    collect: async (limits: typeof defaultConfig.limits) => ({
      ...(await collectLocal({ folder: repo.path, selector, limits })),
      ...(openPatches ? { openPatches } : {}),
    }),
  }
  const change = await collectChange(
    source,
    {
      settings: defaultSettings,
      environment: {},
      facts: sharedFacts(),
      folders: { cache: null },
      signal,
      now: () => new Date(),
    },
    { depth },
  )
  onTestFinished(() => change.close())
  const config = { ...defaultConfig, review: { ...defaultConfig.review, depth } }
  const diff = await readChangeSet(await change.diff(), { ...config.paths, base: change.base })
  const context = await freezeContext(change, diff, { config, facts: sharedFacts(), signal })
  return { request: change.request, context }
}

test('those that change the same lines or functions are evidence, and the tool knows all with a file in common', async () => {
  const open = [sameFile, sameFunction, sameLine]
  const { request, context } = await freeze(async () => ({ patches: open, open: 5 }))
  expect(request.limits).toContain('2 open change requests not compared with this one')
  const found = context.evidence.filter(({ title }) => title.startsWith('open change request'))
  expect(found.map(({ title, trust, text }) => [title, trust, text.replace(/tokens \S+/, 'tokens')])).toEqual(
    [
      [
        'open change request that changes the same lines of Tokens.decode',
        'foreign',
        '#812 (by eve, open): Trim tokens\n  same lines: tokens.py:3\n  same definition: Tokens.decode',
      ],
      [
        'open change request that changes the same code: Tokens.decode',
        'foreign',
        '#813 (by eve, open): Parse twice\n  same definition: Tokens.decode',
      ],
    ],
  )
  expect(JSON.stringify([request, context])).not.toContain('ghp_x7Kq2mVbT9')
  expect(context.around?.sections.at(-1)).toMatchObject({ name: 'open changes', items: 2 })
  expect(context.request.openChanges).toBeUndefined()

  const scope = { ...noTalk, ...request, openChanges: request.openChanges ?? null } as unknown as ToolScope
  const toolbox = createToolbox({ ...toolsFor(scope), scope })
  const ask = async (args: Record<string, string>) => {
    const checked = toolbox.check({ tool: 'get_open_changes', args })
    if (!checked.ok) throw new Error(checked.detail)
    return textOf(await toolbox.run(checked.call, signal))
  }
  expect(await ask({})).toMatch(
    /#814 \(eve\): Elsewhere\n {2}tokens.py: lines 9[\s\S]*3 open change requests/,
  )
  expect(await ask({ path: 'none.py' })).toBe('(no other open change request changes it)')
})

test('a bundle without them has the hash that it always had, and a host that refuses is named', async () => {
  const [none, alone, elsewhere, refused, quick] = [
    await freeze(undefined),
    await freeze(async () => ({ patches: [], open: 0 })),
    await freeze(async () => ({ patches: [sameFile], open: 1 })),
    await freeze(async () => {
      throw new Error('403')
    }),
    await freeze(() => {
      throw new Error('must not be asked')
    }, 'quick'),
  ]
  expect(none.request.openChanges).toBeUndefined()
  expect(
    toolsFor({ ...noTalk, openChanges: null } as unknown as ToolScope).tools.map(({ name }) => name),
  ).not.toContain('get_open_changes')
  const own = ({ context: { request, evidence, around } }: typeof none) => ({ request, evidence, around })
  const times = new Set([none, alone, elsewhere].map((one) => JSON.stringify(own(one).around)))
  expect(times.size).toBe(1)
  expect(Object.keys(alone.context.request)).toEqual(Object.keys(none.context.request))
  expect(refused.request.limits).toEqual(['open change requests could not be read: 403'])
  expect(quick.request.limits).toEqual([])
})
