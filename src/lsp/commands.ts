/** The commands of the editors' door: explain a finding, dismiss it, take that back. */
import { z } from 'zod'
import { followFindings } from '../assembly/follow-findings.ts'
import { dismissFinding, restoreFinding } from '../assembly/ledgers.ts'
import { UserError } from '../base/errors.ts'
import { visibleText } from '../base/visible-text.ts'
import type { KeptWorkTree } from '../hosts/local/keep-work-tree.ts'
import { explainFinding } from '../pipeline/publish/explain-finding.ts'
import type { EditorSession, EditorSettings, ReviewedTree } from './contract.ts'
import { collectTree } from './review-tree.ts'

export const commands = {
  explain: 'sightline.explain',
  dismiss: 'sightline.dismiss',
  restore: 'sightline.restore',
} as const

export const dismissals = [
  { as: 'wrong', words: 'it is wrong' },
  { as: 'unimportant', words: 'it is unimportant' },
  { as: 'accepted', words: 'it is accepted' },
] as const

/** What a command is called with. `because`: for editors that ask for a reason; another is kept for the others. */
export const CommandArguments = z.object({
  uri: z.string(),
  /** Its fingerprint. */
  finding: z.string().min(4).max(100),
  as: z.enum(['wrong', 'unimportant', 'accepted']).default('wrong'),
  because: z.string().trim().min(1).max(2000).optional(),
})
export type CommandArguments = z.infer<typeof CommandArguments>

export type CommandPlace = {
  session: EditorSession
  root: string
  workTree: KeptWorkTree
  settings: EditorSettings
  reviewed: ReviewedTree
  signal: AbortSignal
}

/** In words, what was done or asked for. Throws `UserError`. */
export async function runCommand(
  command: string,
  asked: CommandArguments,
  place: CommandPlace,
): Promise<string> {
  const { session, root } = place
  const options = { folder: root, environment: session.services.environment, now: session.services.now }
  // As far as the ledger keeps it.
  const id = asked.finding.slice(0, 16)
  const { by } = session
  switch (command) {
    case commands.explain:
      return explain(asked, place)
    case commands.dismiss: {
      await follow(place)
      const because = asked.because ?? `dismissed in the editor: ${wordsOf(asked)}`
      const reach = { kind: 'here' } as const
      const { record } = await dismissFinding(id, { because, kind: asked.as, reach, by }, options)
      return visibleText(`Dismissed: ${record.title}`)
    }
    case commands.restore: {
      const because = asked.because ?? 'restored in the editor'
      const { record } = await restoreFinding(id, { because, by }, options)
      return visibleText(`Restored: ${record.title}`)
    }
    default:
      throw new UserError('usage', `\`${command}\` is not a command of Sightline.`)
  }
}

function wordsOf({ as }: CommandArguments): string {
  return dismissals.find((one) => one.as === as)?.words ?? as
}

function explain({ finding }: CommandArguments, { reviewed: { review } }: CommandPlace): string {
  const found = review.findings.find(({ fingerprint }) => fingerprint.startsWith(finding))
  if (!found) throw new UserError('finding-unknown', `${finding} is not a finding of the latest review`)
  const parts = explainFinding(review, found)
  return visibleText(
    parts.map(({ origin, text }) => (origin === null ? text : `${origin}:\n${text}`)).join('\n\n'),
  )
}

/** Adds to the ledger what was found, since only what it knows can be dismissed: a review in an editor leaves no trace before. */
async function follow({ session, workTree, settings, reviewed, signal }: CommandPlace): Promise<void> {
  const { services } = session
  const { review, config, unsaved } = reviewed
  workTree.forget()
  const change = await collectTree({ session, workTree, settings, unsaved, signal })
  try {
    if (change.request.head.tree !== review.request.head.tree)
      throw new UserError('finding-unknown', 'the files have changed since; wait for the next review')
    const parts = { ledger: services.ledger, change, review, config, run: null, now: services.now() }
    const [trouble] = await followFindings(parts)
    if (trouble !== undefined) throw new UserError('ledger-unavailable', trouble)
  } finally {
    await change.close()
  }
}
