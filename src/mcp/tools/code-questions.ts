/** Questions about the code of the work tree, answered by the tools that a review itself may call. */
import { z } from 'zod'
import { textOf } from '../../agent/answer.ts'
import { openContextTools } from '../../assembly/open-context-tools.ts'
import { searchModels } from '../../assembly/search-models.ts'
import { elsewhereByIndex } from '../../assembly/workspace/uses-elsewhere.ts'
import { Untrusted } from '../../base/untrusted/untrusted.ts'
import { lendFacts } from '../../code-index/fact-store.ts'
import { defaultConfig } from '../../config/schema.ts'
import type { ChangeSelector } from '../../hosts/contract.ts'
import { collectLocal } from '../../hosts/local/collect.ts'
import { openAccount } from '../../llm/money/account.ts'
import { ToolError } from '../../tools/contract.ts'
import { type AgentSession, type AgentTool, defineAgentTool } from '../contract.ts'

const symbol = z
  .string()
  .min(1)
  .max(300)
  .describe('Name of a definition, such as `parsePrice` or `Cart.total`.')
const path = z
  .string()
  .min(1)
  .max(1000)
  .optional()
  .describe('File of the definition, where several have this name.')
const at = z.string().min(1).max(300).optional().describe('A commit to read. Default: the work tree.')

const target = { symbol, path, ref: at }
const depth = z.int().min(1).max(3).default(3).describe('Number of steps to follow.')

export const codeQuestions: readonly AgentTool[] = [
  question({
    name: 'search_code',
    title: 'Search code',
    about:
      'Finds functions and classes by words, names and paths (and by meaning, if an embedder is configured). Use it when you do not know the name.',
    tool: 'search_code',
    args: z.strictObject({ query: z.string().min(1).max(500), ref: at }),
  }),
  question({
    name: 'find_definition',
    title: 'Find a definition',
    about: 'Where a name is defined, resolved by the rules of the language.',
    tool: 'find_definition',
    args: z.strictObject(target),
  }),
  question({
    name: 'find_references',
    title: 'Find references',
    about:
      'Every use of one definition, also under another name, with how sure each is. Definitions are left out.',
    tool: 'find_references',
    args: z.strictObject(target),
  }),
  question({
    name: 'find_uses_elsewhere',
    title: 'Find uses in other repositories',
    about:
      'Uses of one definition in the other repositories of the workspace: imports of the package, calls of the route, readers of the field. Ask before you change what others rely on.',
    tool: 'find_uses_elsewhere',
    args: z.strictObject(target),
  }),
  question({
    name: 'callers',
    title: 'Callers',
    about: 'The functions, methods and tests that use one definition. Ask before you change its signature.',
    tool: 'find_callers',
    args: z.strictObject(target).transform((args) => ({ ...args, depth: 1 })),
  }),
  question({
    name: 'impact',
    title: 'Impact of a change',
    about: 'What a change to a definition may affect: its callers, their callers, and so on.',
    tool: 'find_callers',
    args: z.strictObject({ ...target, depth }),
  }),
]

type Question<Args> = Pick<AgentTool<Args>, 'name' | 'title' | 'about' | 'args'> & {
  /** The tool of the toolbox that answers. */
  tool: string
}

function question<Args extends { ref?: string | undefined }>({ tool, ...told }: Question<Args>): AgentTool {
  return defineAgentTool<Args>({
    ...told,
    asksOthers: tool === 'search_code',
    async run({ ref, ...args }, session, { signal }) {
      const selector: ChangeSelector =
        ref === undefined ? { kind: 'uncommitted' } : { kind: 'commit', commit: ref }
      return await withToolbox(selector, session, signal, async (toolbox) => {
        // It is the only one that is not always there.
        if (!toolbox.names.includes(tool))
          throw new ToolError('there is no workspace: no repositories are listed in the settings')
        const checked = toolbox.check({ tool, args })
        if (!checked.ok) throw new ToolError(checked.detail)
        const answer = await toolbox.run(checked.call, signal)
        if (answer.isError) throw new ToolError(answer.remarks.join('; '))
        return [new Untrusted(`answer of ${told.name}`, textOf(answer))]
      })
    },
  })
}

type OpenedToolbox = Awaited<ReturnType<ReturnType<typeof openContextTools>['openToolbox']>>

async function withToolbox<Answer>(
  selector: ChangeSelector,
  { services, folder }: AgentSession,
  signal: AbortSignal,
  ask: (toolbox: OpenedToolbox) => Promise<Answer>,
): Promise<Answer> {
  const { settings, environment, folders } = services
  const { borrowFrom } = settings.repositories
  const change = await collectLocal({ folder, selector, limits: defaultConfig.limits, borrowFrom, signal })
  try {
    const account = openAccount(settings.money.perRun)
    const tools = openContextTools({
      change,
      facts: lendFacts(services.facts),
      cacheFolder: folders.cache,
      config: defaultConfig,
      journal: null,
      // None of these questions runs anything.
      sandbox: { ...settings.sandbox, tests: {} },
      elsewhere: elsewhereByIndex(change.head, services, change),
      searchModels: () => searchModels(settings, { journal: null, account }, environment),
      signal,
    })
    return await ask(await tools.openToolbox())
  } finally {
    await change.close()
  }
}
