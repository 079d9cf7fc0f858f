/** The commands of the language server: explain, dismiss, restore and prove a finding, show stale uses, and review with a model. */
import { z } from 'zod'
import { followFindings } from '../assembly/follow-findings.ts'
import { dismissFinding, restoreFinding } from '../assembly/ledgers.ts'
import { UserError } from '../base/errors.ts'
import { visibleText } from '../base/visible-text.ts'
import type { Finding } from '../domain/finding.ts'
import type { Review } from '../domain/review.ts'
import { explainFinding } from '../pipeline/publish/explain-finding.ts'
import { type CommandPlace, commands, type Done, dismissals } from './command.ts'
import { staleUses } from './lenses.ts'
import { collectTree } from './review-tree.ts'

/** What a command about a finding is called with. `because`: for editors that ask for a reason; another is kept for the others. */
export const CommandArguments = z.object({
  uri: z.string(),
  /** Its fingerprint. */
  finding: z.string().min(4).max(100),
  as: z.enum(['wrong', 'unimportant', 'accepted']).default('wrong'),
  because: z.string().trim().min(1).max(2000).optional(),
})
export type CommandArguments = z.infer<typeof CommandArguments>

/** Throws `UserError`. */
export async function runCommand(command: string, said: unknown, place: CommandPlace): Promise<Done> {
  if (command === commands.review) {
    const { ReviewArguments, reviewOnRequest } = await import('./review-command.ts')
    const words = await reviewOnRequest(parsed(ReviewArguments, said, command), place)
    return { words: visibleText(words), isSaid: true, isRenewed: true }
  }
  const asked = parsed(CommandArguments, said, command)
  const change = (words: string): Done => ({ words: visibleText(words), isSaid: false, isRenewed: true })
  const tell = (words: string): Done => ({ words: visibleText(words), isSaid: true, isRenewed: false })
  switch (command) {
    case commands.explain:
      return tell(explain(asked, place))
    case commands.prove: {
      const { proveInEditor } = await import('./prove-command.ts')
      return tell(await proveInEditor(asked.finding, place))
    }
    case commands.showUses: {
      const { words, isOpened } = await showUses(asked, place)
      return { ...tell(words), isSaid: !isOpened }
    }
    case commands.dismiss:
      return change(await dismiss(asked, place))
    case commands.restore:
      return change(await restore(asked, place))
    default:
      throw new UserError('usage', `\`${command}\` is not a command of Sightline.`)
  }
}

function parsed<Asked>(schema: z.ZodType<Asked>, said: unknown, command: string): Asked {
  const { success, data, error } = schema.safeParse(said)
  if (success) return data
  throw new UserError('usage', `${command}: ${z.prettifyError(error)}`)
}

async function dismiss(asked: CommandArguments, place: CommandPlace): Promise<string> {
  const because = asked.because ?? `dismissed in the editor: ${wordsOf(asked)}`
  // A review that was asked for is on record, and its findings are in the ledger.
  if (!place.asked.find(asked.finding)) await follow(place)
  const reach = { kind: 'here' } as const
  const { by } = place.session
  const { record } = await dismissFinding(
    idOf(asked),
    { because, kind: asked.as, reach, by },
    ledgerOf(place),
  )
  place.asked.hide(asked.finding, true)
  return `Dismissed: ${record.title}`
}

async function restore(asked: CommandArguments, place: CommandPlace): Promise<string> {
  const because = asked.because ?? 'restored in the editor'
  const { by } = place.session
  const { record } = await restoreFinding(idOf(asked), { because, by }, ledgerOf(place))
  place.asked.hide(asked.finding, false)
  return `Restored: ${record.title}`
}

function ledgerOf({ session: { services }, root }: CommandPlace) {
  return { folder: root, environment: services.environment, now: services.now }
}

/** As far as the ledger keeps it. */
function idOf({ finding }: CommandArguments): string {
  return finding.slice(0, 16)
}

function wordsOf({ as }: CommandArguments): string {
  return dismissals.find((one) => one.as === as)?.words ?? as
}

function explain({ finding }: CommandArguments, place: CommandPlace): string {
  const known = findingCalled(finding, place)
  const parts = explainFinding(known.review, known.finding)
  return parts.map(({ origin, text }) => (origin === null ? text : `${origin}:\n${text}`)).join('\n\n')
}

/** The first place, and all of them as words where there are more, or where the editor opens none. */
async function showUses({ finding }: CommandArguments, place: CommandPlace) {
  const uses = staleUses(findingCalled(finding, place).finding)
  const [first] = uses
  const isOpened = first !== undefined && (await place.window.open(first.path, first.line))
  const words = ['Not updated:', ...uses.map(({ path, line }) => `${path}:${line}`)].join('\n')
  return { words, isOpened: isOpened && uses.length === 1 }
}

function findingCalled(
  name: string,
  { reviewed, asked }: CommandPlace,
): { review: Review; finding: Finding } {
  const finding = reviewed?.review.findings.find(({ fingerprint }) => fingerprint.startsWith(name))
  if (reviewed && finding) return { review: reviewed.review, finding }
  const kept = asked.find(name)
  if (kept) return { review: kept.asked.review, finding: kept.finding }
  throw new UserError('finding-unknown', `${name} is not a finding of the latest review`)
}

/** Adds to the ledger what was found, since only what it knows can be dismissed: a review in an editor leaves no trace before. */
async function follow({ session, workTree, settings, reviewed, signal }: CommandPlace): Promise<void> {
  if (!reviewed) throw new UserError('finding-unknown', 'nothing was reviewed yet')
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
