/** `sightline prove`: a finding of a recorded review shown by a test that runs on both sides of its change, on record and priced. */
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { discoverRepository } from '../base/git/discover.ts'
import type { Sandbox } from '../base/sandbox/contract.ts'
import { findSandbox } from '../base/sandbox/probe.ts'
import type { Finding } from '../domain/finding.ts'
import type { RunCost } from '../domain/model-call.ts'
import { Reproduction } from '../domain/reproduction.ts'
import type { Review } from '../domain/review.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import { openFence } from '../llm/fence-of-run.ts'
import { proveFinding } from '../pipeline/prove-finding.ts'
import { findRun, type StoredRun } from '../storage/runs/stored-run.ts'
import {
  type AboutParts,
  findReview,
  onRecordAbout,
  openAnswering,
  openFromRecord,
  openFrozen,
  readFrozen,
} from './frozen-review.ts'
import type { PreparedModels } from './open-models.ts'
import { runRecorded } from './run-recorded.ts'
import type { Services } from './services.ts'

export type ProveOptions = {
  /** A run of a review, or one about it. */
  run: string
  /** Id or fingerprint of one of its findings, or the start of it. */
  finding: string
  /** Any folder of the repository. Its checkout lends installed packages, and nothing else. */
  folder: string
  /** The change as it is now, where it is not between two commits; the caller closes it. Refused where it is not what was reviewed. */
  change?: CollectedChange | null
}

export type Proved = {
  /** The review, and the run of this test; null when it is not kept. */
  of: string
  run: string | null
  finding: { id: string; title: string; path: string; startLine: number }
  reproduction: Reproduction
  cost: RunCost
}

const ProveRecord = z.object({ of: z.string(), finding: z.string() })

/** Rejects with `run-unknown`, `run-unreadable`, `finding-unknown`, `running-not-allowed`, `no-sandbox`, `no-model`. */
export async function proveOfRun(
  { run: asked, finding: name, folder, change: current = null }: ProveOptions,
  services: Services,
  prepared: PreparedModels,
): Promise<Proved> {
  const { settings, signal } = services
  if (!settings.sandbox.prove.allow)
    throw new UserError('running-not-allowed', 'the reviewed code would run, and a test that a model writes.')
  const sandbox = await findSandbox(settings.sandbox.image, signal)
  if (!sandbox) throw new UserError('no-sandbox', 'tests of reviewed code run only in a sandbox.')
  const stored = await findReview(asked, services)
  const frozen = await readFrozen(stored, services)
  const { review } = frozen
  const finding = findingCalled(name, review, stored)
  const from = current ? { change: current } : { folder }
  const { change, shortage } = await openFrozen(review, frozen.reads, from, services)
  const why = current && change !== current ? 'the files have changed since the review' : shortage
  if (why !== null) {
    await change.close()
    throw new UserError('run-unreadable', why)
  }
  try {
    const label = `test for ${finding.id} of ${stored.header.run}`
    const test = { kind: 'prove', label, record: { finding: finding.id } } as const
    const { of, run, ...proved } = await onRecordAbout(
      frozen,
      test,
      change,
      prepared,
      services,
      async (outside) => {
        const { workTree } = discoverRepository(folder)
        const done = await prove({ review, finding, change, outside, services, sandbox, checkout: workTree })
        return { done, detail: done.reproduction }
      },
    )
    return { of, run, finding: shortOf(finding), ...proved }
  } finally {
    if (!current) await change.close()
  }
}

/** The same from its record alone: no model is asked and nothing runs. */
export async function replayProof(
  run: string,
  services: Services,
): Promise<Proved & { isIdentical: boolean }> {
  const { run: stored } = await findRun(services.runs, run)
  const record = ProveRecord.safeParse(stored.header.options.prove)
  if (!record.success)
    throw new UserError('run-unreadable', `run ${stored.header.run} was not made by sightline prove`)
  const { of, finding: id } = record.data
  const about = await openFromRecord(stored, services)
  const finding = findingCalled(id, about.review, stored)
  const proved = await prove({ ...about, finding, sandbox: null, checkout: null })
  const notes = stored.entries.flatMap((entry) => (entry.type === 'note' ? [entry.note] : []))
  const was = Reproduction.safeParse(notes.findLast(({ type }) => type === 'prove')?.detail)
  const isIdentical = was.success && JSON.stringify(was.data) === JSON.stringify(proved.reproduction)
  return { of, run: stored.header.run, finding: shortOf(finding), ...proved, isIdentical }
}

function shortOf({ id, title, anchor, startLine }: Finding): Proved['finding'] {
  return { id, title, path: anchor.path, startLine }
}

function findingCalled(name: string, { findings }: Review, { header }: StoredRun): Finding {
  const found = findings.filter(({ id, fingerprint }) => id === name || fingerprint.startsWith(name))
  const [finding] = found
  if (finding && found.length === 1) return finding
  const known = findings.map(({ id }) => id).join(', ')
  throw new UserError(
    'finding-unknown',
    `${name}: ${found.length === 0 ? 'no finding' : 'more than one finding'} of run ${header.run} has this name. Its findings are: ${known || 'none'}`,
  )
}

type ProvingParts = AboutParts & { finding: Finding; sandbox: Sandbox | null; checkout: string | null }

async function prove({ finding, sandbox, checkout, ...about }: ProvingParts) {
  const { review, outside, services } = about
  const needs = 'a model has to write the test; none may be asked.'
  const { tools, parts } = await openAnswering(about, needs)
  const { prove: settings, memoryMb, readOnlyPaths } = outside.sandbox
  const reproduction = await proveFinding({
    ...parts,
    finding,
    code: tools,
    checkout,
    sandbox,
    limits: { seconds: settings.seconds, memoryMb, readOnlyPaths },
    keep: async (address, input, work) => {
      const task = { kind: 'tool', address, tool: 'prove', input } as const
      return (await runRecorded(outside.journal, task, () => work(services.signal))).result
    },
    fence: await openFence(`${review.context} prove ${finding.id}`, outside.journal),
  })
  return { reproduction, cost: parts.gateway.cost() }
}
