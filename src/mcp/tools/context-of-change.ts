/** `context_of_change`: what a reviewer would be shown of the rest of the repository for a change. */
import { z } from 'zod'
import { freezeChange } from '../../assembly/show-context.ts'
import { Untrusted } from '../../base/untrusted/untrusted.ts'
import { describeContext } from '../../pipeline/publish/context-text.ts'
import { changeArguments, selectorFrom } from '../change-arguments.ts'
import { defineAgentTool } from '../contract.ts'

export const contextOfChange = defineAgentTool({
  name: 'context_of_change',
  title: 'Context of a change',
  about:
    'The code around a change (callers, definitions, tests, similar code), its tickets, its history and the instructions that apply to it. No model is used. Read it before you extend a change.',
  args: z.strictObject(changeArguments),
  asksOthers: false,
  async run(change, { services, folder }, { signal, onEvent }) {
    const { environment, facts } = services
    const { context } = await freezeChange({
      environment,
      facts,
      folder,
      selector: selectorFrom(change, folder),
      signal,
      onEvent,
    })
    return [
      new Untrusted('contents of the context', describeContext(context).trimEnd()),
      ...context.evidence.map(
        ({ id, title, path, startLine, endLine, text }) =>
          new Untrusted(`${id} ${path ?? ''}:${startLine ?? 1}-${endLine ?? 1}, ${title}`, text),
      ),
    ]
  },
})
