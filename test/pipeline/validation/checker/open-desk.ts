/** A change in a real repository with the checker that a review of it would have; all is closed when the test ends. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type OpenedChecker, openChecker } from '../../../../src/assembly/open-checker.ts'
import { agreeToModels, prepareModels } from '../../../../src/assembly/open-models.ts'
import { openOutside } from '../../../../src/assembly/outside.ts'
import { defaultConfig } from '../../../../src/config/schema.ts'
import { Settings } from '../../../../src/config/settings/schema.ts'
import type { Claim } from '../../../../src/domain/claim.ts'
import type { Journal } from '../../../../src/domain/journal.ts'
import { collectLocal } from '../../../../src/hosts/local/collect.ts'
import { FileLedger } from '../../../../src/ledger/files.ts'
import { readChangeSet } from '../../../../src/pipeline/diff/read-change-set.ts'
import { consultChecker } from '../../../../src/pipeline/validation/checker/consult.ts'
import { checkClaim } from '../../../../src/pipeline/validation/claims/registry.ts'
import type { ClaimResult } from '../../../../src/pipeline/validation/contract.ts'
import { openSources, type Sources } from '../../../../src/pipeline/validation/sources.ts'
import { localTenant, openRunStore } from '../../../../src/storage/runs/registry.ts'
import { createRepo, type Files } from '../../../helpers/git-repo.ts'
import { sharedFacts } from '../../../helpers/shared-facts.ts'

export type Desk = {
  checker: OpenedChecker
  sources: Sources
  /** The index, then the checker; `about` is the finding that makes the claim, a model's when not given. */
  judge(claim: Claim, about?: { rule: string; byModel?: boolean }): Promise<string>
}

export type DeskOptions = {
  settings?: object
  seconds?: number
  journal?: Journal | null
  replay?: boolean
  /** Files that count as not parsed. */
  unparsed?: readonly string[]
}

export async function openDesk(before: Files, after: Files, options: DeskOptions = {}): Promise<Desk> {
  const repo = createRepo()
  repo.commit(before)
  repo.commit(after)
  const change = await collectLocal({
    folder: repo.path,
    selector: { kind: 'commit', commit: 'HEAD' },
    limits: defaultConfig.limits,
  })
  const facts = sharedFacts()
  const { base, head } = change
  const changeSet = await readChangeSet(await change.diff(), { ...defaultConfig.paths, base })
  const settings = Settings.parse({
    languageServers: options.settings ?? {},
    sandbox: { languageServers: 'optional' },
  })
  const ledger = new FileLedger(join(tmpdir(), 'sightline-no-ledger'))
  const environment = process.env
  const runs = await openRunStore(settings.journal, { environment, tenant: localTenant })
  const services = { settings, environment, ledger, runs, onEvent: () => {}, now: () => new Date() }
  const models = await agreeToModels(prepareModels({}, services), 'offline')
  const checker = openChecker({
    change,
    openServers: options.replay ? null : openOutside(services, change, models, null).openServers,
    journal: options.journal ?? null,
    seconds: options.seconds ?? 60,
    signal: new AbortController().signal,
  })
  onTestFinished(async () => {
    await checker.close()
    await Promise.all([facts.close(), change.close()])
  })
  const read = openSources({ change: changeSet, base, head, facts, history: null })
  const sources: Sources = {
    ...read,
    facts: async (side, path) => (options.unparsed?.includes(path) ? null : read.facts(side, path)),
  }
  const [file] = changeSet.files
  if (!file) throw new Error('nothing changed')
  const bench = {
    sources,
    symbols: [],
    location: { file, side: 'new' as const, startLine: 1, endLine: 1, shown: null, tags: [], excerpt: [] },
    isTest: () => false,
    unread: new Set<string>(),
    checker,
  }
  return {
    checker,
    sources,
    async judge(claim, about = { rule: 'correctness/bug', byModel: true }) {
      return inWords(await consultChecker(claim, await checkClaim(claim, bench), about, bench))
    },
  }
}

function inWords(result: ClaimResult): string {
  if (result.status !== 'confirmed') return `${result.status}: ${result.reason}`
  return `confirmed by ${result.by}${result.preExisting ? ' (pre-existing)' : ''}`
}
