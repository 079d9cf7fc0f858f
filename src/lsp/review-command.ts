/** `sightline.review`: the review of the command with a model, of one file, of what is uncommitted, or of the branch. */
import { z } from 'zod'
import type { Services } from '../assembly/services.ts'
import { count } from '../base/count.ts'
import { UserError } from '../base/errors.ts'
import { defaultConfig } from '../config/schema.ts'
import { depths } from '../domain/names.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { localSource } from '../hosts/local/collect.ts'
import { hideInstructions } from '../hosts/masked/hide-instructions.ts'
import { analyze, collect } from '../sightline.ts'
import { modelsForReview } from './ask-models.ts'
import type { CommandPlace } from './command.ts'
import type { EditorSettings } from './contract.ts'
import { collectTree } from './review-tree.ts'

/** What it is called with. `base`: the branch against which a branch is reviewed; its default one when not given. */
export const ReviewArguments = z.object({
  uri: z.string(),
  what: z.enum(['file', 'change', 'branch']).default('change'),
  depth: z.enum(depths).exclude(['offline']).default('quick'),
  base: z.string().min(1).max(200).regex(/^[^-]/).optional(),
})
export type ReviewArguments = z.infer<typeof ReviewArguments>

const names = { file: 'this file', change: 'the uncommitted change', branch: 'this branch' } as const

/** In words, what came of it. Its findings are kept in `place.asked`. Throws `UserError`. */
export async function reviewOnRequest(asked: ReviewArguments, place: CommandPlace): Promise<string> {
  const { session, settings, window, onEvent } = place
  const { what, depth } = asked
  const declined = new AbortController()
  const signal = AbortSignal.any([place.signal, declined.signal])
  const services = { ...withoutProofs(session.services, settings), signal, onEvent }
  const models = modelsForReview(names[what], depth, services, window, () => declined.abort())
  const again = (within: AbortSignal) => collectAsked(asked, { ...place, signal: within })
  const change = await again(signal)
  try {
    const overrides = {
      overrides: { depth, ...(settings.minSeverity ? { minSeverity: settings.minSeverity } : {}) },
      ...(settings.trusted ? {} : { servers: 'off' as const }),
    }
    const { review, run, remarks } = await analyze(change, services, {
      models,
      overrides,
      record: { fresh: false },
    })
    signal.throwIfAborted()
    const texts = await change.head.readMany(review.findings.map(({ anchor }) => anchor.path))
    place.asked.add({ review, run, collect: again }, (one) => texts.get(one)?.text.split(/\r?\n/) ?? null)
    const kept = run === null ? [] : [`On record as run ${run}.`]
    const found = `Reviewed ${names[what]} at depth ${review.depth}: ${count(review.findings.length, 'finding')}.`
    return [found, ...remarks, ...kept].join(' ')
  } catch (error) {
    if (declined.signal.aborted) return 'Nothing was sent to a model.'
    throw error
  } finally {
    await change.close()
  }
}

/** What a stranger wrote does not run, whatever the operator's settings allow for reviews. */
function withoutProofs(services: Services, { trusted }: EditorSettings): Services {
  const { settings } = services
  const { sandbox } = settings
  if (trusted) return services
  return {
    ...services,
    settings: { ...settings, sandbox: { ...sandbox, prove: { ...sandbox.prove, allow: false } } },
  }
}

async function collectAsked({ what, base }: ReviewArguments, place: CommandPlace): Promise<CollectedChange> {
  const { session, root, settings, path, text, reviewed, signal } = place
  if (what === 'change') return await collectTree({ ...place, unsaved: reviewed?.unsaved ?? [] })
  const selector =
    what === 'file'
      ? ({ kind: 'unsaved', files: [{ path, text }] } as const)
      : base === undefined
        ? ({ kind: 'name', name: await branchOf(place) } as const)
        : ({ kind: 'base', base } as const)
  const { services } = session
  const { borrowFrom } = services.settings.repositories
  const source = localSource({ folder: root, selector, borrowFrom })
  const shown = settings.trusted ? source : hideInstructions(source)
  return await collect(shown, { ...services, signal, onEvent: () => {} })
}

async function branchOf({ workTree, signal }: CommandPlace): Promise<string> {
  const change = await workTree.source([]).collect(defaultConfig.limits, signal)
  try {
    const branch = await change.branch?.()
    if (branch) return branch
    throw new UserError(
      'usage',
      'no branch is checked out; name the commit or branch that this is compared with.',
    )
  } finally {
    await change.close()
  }
}
