/** A toolbox over the last commit of a small real repository; all is closed when the test ends. */
import { onTestFinished } from 'vitest'
import { openCodeTree } from '../../src/code-index/query/open-tree.ts'
import { openCodeSearch } from '../../src/code-index/search/search.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { collectLocal } from '../../src/hosts/local/collect.ts'
import type { ToolScope } from '../../src/tools/contract.ts'
import { codeTools } from '../../src/tools/registry.ts'
import { createToolbox, type ToolboxOptions } from '../../src/tools/toolbox.ts'
import { createRepo, type Files } from '../helpers/git-repo.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'

export const shop: Files = {
  'src/price.ts':
    'export class Price {\n  of(cents: number): number {\n    return round(cents)\n  }\n}\nexport function round(n: number): number {\n  return n\n}\n',
  'src/cart.ts':
    "import { Price, round } from './price.ts'\nexport function sum(): number {\n  return new Price().of(1) + round(2)\n}\n",
  'src/page.ts': "import { sum } from './cart.ts'\nexport const page = () => sum()\n",
  'docs/notes.txt': `${'long '.repeat(500)}\nRound numbers are nice\n`,
  'vendor/lib.js': 'function round() {}\n',
}

export const noTalk = { discussion: null, tickets: null, openTickets: null, testRunner: null, servers: null }

/** All that tools reach in the last commit of a small real repository. */
export async function openScope(files: Files): Promise<ToolScope> {
  const repo = createRepo()
  repo.commit({ 'src/cart.ts': '// old\n', 'src/price.ts': '// old\n' })
  repo.commit(files)
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const change = await collectLocal({ folder: repo.path, selector, limits: defaultConfig.limits })
  const facts = sharedFacts()
  onTestFinished(async () => {
    await Promise.all([facts.close(), change.close()])
  })
  const { head, history } = change
  return {
    ...noTalk,
    head,
    history,
    tree: () => openCodeTree(head, facts),
    search: () => openCodeSearch(head, facts),
  }
}

export async function toolboxOf(files: Files = shop, options: Partial<ToolboxOptions> = {}) {
  const scope = await openScope(files)
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
      return { text: `[${checked.fault}] ${checked.detail}`, evidence: [], isError: true, cached: false }
    return await toolbox.run(checked.call, signal)
  }
  return { toolbox, ask, head: scope.head }
}
