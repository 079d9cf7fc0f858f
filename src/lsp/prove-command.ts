/** `sightline.prove`: a finding shown by a test that a model writes and that runs in the sandbox, on record as `sightline prove` is. */
import { proveOfRun } from '../assembly/prove-run.ts'
import { UserError } from '../base/errors.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { proofWords } from '../pipeline/publish/shown-test.ts'
import { analyze } from '../sightline.ts'
import { modelsForProof } from './ask-models.ts'
import type { CommandPlace } from './command.ts'
import { collectTree } from './review-tree.ts'

/** In words, what came of it. Throws `UserError`; `running-not-allowed` in a workspace of strangers. */
export async function proveInEditor(name: string, place: CommandPlace): Promise<string> {
  const { session, settings, root, window, onEvent } = place
  if (!settings.trusted)
    throw new UserError('running-not-allowed', 'this workspace is not trusted, and a proof runs its code.')
  const declined = new AbortController()
  const signal = AbortSignal.any([place.signal, declined.signal])
  const services = { ...session.services, signal, onEvent }
  const models = modelsForProof(services, window, () => declined.abort())
  try {
    const { run, finding, change } = await onRecord(name, { ...place, signal })
    const proving = proveOfRun({ run, finding, folder: root, change }, services, models)
    return proofWords(await proving.finally(() => change.close()), false).join('\n')
  } catch (error) {
    if (declined.signal.aborted) return 'Nothing was sent to a model, and nothing was run.'
    throw error
  }
}

type Recorded = { run: string; finding: string; change: CollectedChange }

/** What was found while somebody writes is on no record: it is reviewed once more, for one. */
async function onRecord(name: string, place: CommandPlace): Promise<Recorded> {
  const { asked, session, reviewed, signal, onEvent } = place
  const known = asked.find(name)
  if (known) {
    const { run } = known.asked
    if (run === null) throw notKept()
    return { run, finding: known.finding.fingerprint, change: await known.asked.collect(signal) }
  }
  const finding = reviewed?.review.findings.find(({ fingerprint }) => fingerprint.startsWith(name))
  if (!reviewed || !finding)
    throw new UserError('finding-unknown', `${name} is not a finding of the latest review`)
  const change = await collectTree({ ...place, unsaved: reviewed.unsaved })
  try {
    const services = { ...session.services, signal, onEvent }
    const overrides = { overrides: { depth: 'offline' as const } }
    const { run } = await analyze(change, services, {
      models: session.models,
      overrides,
      record: { fresh: false },
    })
    if (run === null) throw notKept()
    return { run, finding: finding.fingerprint, change }
  } catch (error) {
    await change.close()
    throw error
  }
}

function notKept(): UserError {
  return new UserError(
    'run-unreadable',
    'a proof needs the review on record, and your settings keep none (`journal.keepDays: 0`)',
  )
}
