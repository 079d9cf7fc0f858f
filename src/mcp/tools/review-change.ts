/** `review_change`: the review that the command makes, with progress, as tasks for the agent. */
import { z } from 'zod'
import { count } from '../../base/count.ts'
import { Untrusted } from '../../base/untrusted/untrusted.ts'
import type { Review } from '../../domain/review.ts'
import type { ChangeSelector } from '../../hosts/contract.ts'
import { localSource } from '../../hosts/local/collect.ts'
import { formats } from '../../pipeline/publish/registry.ts'
import { coverageLine } from '../../pipeline/publish/words.ts'
import { type Analysis, analyze, collect } from '../../sightline.ts'
import { changeArguments, selectorFrom } from '../change-arguments.ts'
import { type AgentCall, type AgentSession, type AgentText, defineAgentTool } from '../contract.ts'

/** Findings in full; the rest are listed. */
const maxInline = 10

export const reviewChange = defineAgentTool({
  name: 'review_change',
  title: 'Review a change',
  about:
    'Reviews a change and returns its findings as tasks, each with the evidence that was checked. Default: uncommitted work, else the current branch, else the last commit. With a configured model it can take minutes; pass offline for checks without a model, in seconds.',
  args: z.strictObject({
    ...changeArguments,
    offline: z.boolean().default(false).describe('Ask no model, whatever is configured.'),
  }),
  asksOthers: true,
  async run({ offline, ...change }, session, call) {
    const { review, run, remarks } = await reviewLocally(
      selectorFrom(change, session.folder),
      session,
      call,
      {
        depth: offline ? 'offline' : session.depth,
        record: true,
      },
    )
    if (run !== null) session.runEnded?.(run)
    return [...reviewText(review), ...remarks.map((words) => new Untrusted('remark', words)), recorded(run)]
  },
})

function recorded(run: string | null): string {
  return run === null
    ? 'This review was not recorded, so explain_finding and ask cannot refer to it.'
    : `Recorded as run ${run}. explain_finding shows one finding with all of its evidence.`
}

type ReviewOptions = { depth: AgentSession['depth']; record: boolean; withoutServers?: boolean }

/** Collects and analyzes a change of the session's repository. Throws `UserError` as `collect` and `analyze` do. */
export async function reviewLocally(
  selector: ChangeSelector,
  { services, folder, models }: AgentSession,
  { signal, onEvent }: AgentCall,
  { depth, record, withoutServers = false }: ReviewOptions,
): Promise<Analysis> {
  const called = { ...services, signal, onEvent }
  const { borrowFrom } = services.settings.repositories
  const collected = await collect(localSource({ folder, selector, borrowFrom }), called, { depth })
  try {
    const overrides = {
      ...(depth === undefined ? {} : { overrides: { depth } }),
      ...(withoutServers ? { servers: 'off' as const } : {}),
    }
    return await analyze(collected, called, { overrides, models, record: record ? { fresh: false } : null })
  } finally {
    await collected.close()
  }
}

/** Findings as tasks: their typed fields, and quotes of code behind bars. A model's own words are not in it. */
export function reviewText(review: Review): AgentText {
  const { notices } = review.conclusion
  return [
    formats.agent(review, { color: false, width: 100, explain: false, maxInline }).trimEnd(),
    `Conclusion: ${review.conclusion.word}, ${count(review.findings.length, 'finding')}; ${coverageLine(review)}.`,
    ...(notices.length > 0 ? [new Untrusted('notices', notices.join('\n'))] : []),
  ]
}
