/** `check_new_code`: the checks that need no model, on text that is not on disk yet. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { defineAgentTool } from '../contract.ts'
import { reviewLocally, reviewText } from './review-change.ts'

const maxFiles = 20
const maxCharacters = 1_000_000

export const checkNewCode = defineAgentTool({
  name: 'check_new_code',
  title: 'Check new code',
  about:
    'Checks code that you are about to write, before you save it: callers that would break, duplicates of existing functions, secrets, rules. No model, usually well below a second. Pass the complete new text of each file.',
  args: z.strictObject({
    files: z
      .array(
        z.strictObject({
          path: z.string().min(1).max(1000).describe('From the root of the repository, with `/`.'),
          text: z.string().nullable().describe('The complete new text; null if the file is to be deleted.'),
        }),
      )
      .min(1)
      .max(maxFiles),
  }),
  asksOthers: false,
  async run({ files }, session, call) {
    const characters = files.reduce((sum, { text }) => sum + (text?.length ?? 0), 0)
    if (characters > maxCharacters)
      throw new UserError(
        'usage',
        `the files have ${characters} characters; at most ${maxCharacters} are checked at once.`,
      )
    const selector = { kind: 'unsaved', files } as const
    const options = { depth: 'offline', record: false, withoutServers: true } as const
    const { review } = await reviewLocally(selector, session, call, options)
    return reviewText(review)
  },
})
