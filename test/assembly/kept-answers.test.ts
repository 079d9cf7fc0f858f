/** Answers of tools are kept for later reviews: by the tree, and what people said also by what they said. */
import { expect, onTestFinished, test } from 'vitest'
import { openContextTools } from '../../src/assembly/open-context-tools.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { defaultSettings } from '../../src/config/settings/schema.ts'
import type { DiscussionEntry } from '../../src/domain/ticket.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import { memoryJournal } from './memory-journal.ts'

test('the next review of a tree starts with what was read of it, and asks anew what people say by now', async () => {
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export const a = 1\n' })
  const journal = memoryJournal()
  const signal = new AbortController().signal
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const review = async (body: string) => {
    const change = await collectLocal({ folder: repo.path, selector, limits: defaultConfig.limits })
    const facts = sharedFacts()
    onTestFinished(async () => {
      await Promise.all([facts.close(), change.close()])
    })
    const said: DiscussionEntry = {
      author: 'ann',
      association: 'member',
      path: null,
      line: null,
      body,
      resolved: false,
    }
    const toolbox = await openContextTools({
      change: { ...change, request: { ...change.request, discussion: [said] } },
      facts,
      cacheFolder: null,
      config: defaultConfig,
      journal,
      sandbox: defaultSettings.sandbox,
      signal,
    }).openToolbox()
    const ask = async (tool: string, args: object) => {
      const answer = await toolbox.run({ tool, args: { ...args } }, signal)
      return `${answer.cached ? 'kept' : 'asked'}: ${answer.lines[0]}`
    }
    return [await ask('read_file', { path: 'a.ts' }), await ask('get_pr_discussion', {})]
  }
  expect(await review('Why?')).toEqual(['asked: 1: export const a = 1', 'asked: ann (member): Why?'])
  expect(await review('Why?')).toEqual(['kept: 1: export const a = 1', 'kept: ann (member): Why?'])
  expect(await review('Oh.')).toEqual(['kept: 1: export const a = 1', 'asked: ann (member): Oh.'])
})
