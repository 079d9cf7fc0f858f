/** A toolbox over the last commit of a small real repository; all is closed when the test ends. */
import { onTestFinished } from 'vitest'
import { evidenceOf, textOf } from '../../src/agent/answer.ts'
import { openCodeTree } from '../../src/code-index/query/open-tree.ts'
import { openCodeSearch } from '../../src/code-index/search/search.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import type { ToolScope } from '../../src/tools/contract.ts'
import { codeTools } from '../../src/tools/registry.ts'
import { createToolbox, type ToolboxOptions } from '../../src/tools/toolbox.ts'
import { createRepo, type Files } from '../helpers/git-repo.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import { toolAnswer } from '../helpers/tool-answer.ts'

export const shop: Files = {
  'src/price.ts':
    'export class Price {\n  of(cents: number): number {\n    return round(cents)\n  }\n}\nexport function round(n: number): number {\n  return n\n}\n',
  'src/cart.ts':
    "import { Price, round } from './price.ts'\nexport function sum(): number {\n  return new Price().of(1) + round(2)\n}\n",
  'src/page.ts': "import { sum } from './cart.ts'\nexport const page = () => sum()\n",
  'docs/notes.txt': `${'long '.repeat(500)}\nRound numbers are nice\n`,
  'vendor/lib.js': 'function round() {}\n',
}

export const noTalk = {
  discussion: null,
  tickets: null,
  openTickets: null,
  errors: null,
  openChanges: null,
  elsewhere: null,
  memory: [],
  developer: [],
  foreign: null,
  testRunner: null,
  servers: null,
}

/** All that tools reach in the last commit of a small real repository. */
export async function openScope(
  files: Files,
  before: Files = { 'src/cart.ts': '// old\n', 'src/price.ts': '// old\n' },
): Promise<ToolScope> {
  const repo = createRepo()
  repo.commit(before)
  repo.commit(files)
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const change = await collectLocal({ folder: repo.path, selector, limits: defaultConfig.limits })
  const facts = sharedFacts()
  onTestFinished(async () => {
    await Promise.all([facts.close(), change.close()])
  })
  const { head, base, history } = change
  return {
    ...noTalk,
    head,
    base,
    surroundings: { changed: [], related: [] },
    history,
    tree: () => openCodeTree(head, facts),
    search: () => openCodeSearch(head, facts),
  }
}

export async function toolboxOf(
  files: Files = shop,
  {
    before,
    surroundings,
    ...options
  }: Partial<ToolboxOptions> & { before?: Files; surroundings?: ToolScope['surroundings'] } = {},
) {
  const opened = await openScope(files, before)
  const scope = surroundings ? { ...opened, surroundings } : opened
  const toolbox = createToolbox({
    tools: codeTools,
    scope,
    // A busy machine answers late; that is not what is asked here.
    seconds: 120,
    ...options,
  })
  const signal = new AbortController().signal
  /** Checked and run; a call that is refused gives the reason in brackets. */
  const ask = async (tool: string, args: Record<string, unknown>) => {
    const checked = toolbox.check({ tool, args })
    if (!checked.ok)
      return {
        ...toolAnswer({ tool, args: {} }, [], { isError: true }),
        text: `[${checked.fault}] ${checked.detail}`,
        evidence: [],
      }
    const answer = await toolbox.run(checked.call, signal)
    return { ...answer, text: textOf(answer), evidence: evidenceOf(answer) }
  }
  return { toolbox, ask, head: scope.head }
}
