/** A GitHub with one pull request, a model behind a fake provider, and what a worker needs to review the one with the other. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { nodeWalls } from '../../../src/base/sandbox/confine-node.ts'
import { FileLedger } from '../../../src/ledger/files.ts'
import type { Access, ReviewJob } from '../../../src/server/jobs/contract.ts'
import type { JobHooks, JobParts } from '../../../src/server/jobs/run-job.ts'
import { Turns } from '../../../src/server/jobs/turns.ts'
import { defaultLimits } from '../../../src/server/roles/contract.ts'
import { type FakeProvider, fakeApiKey } from '../../helpers/fakes/provider.ts'
import { startFakeProvider } from '../../helpers/fakes/registry.ts'
import type { CodedStep } from '../../helpers/fakes/scenario/script.ts'
import { type FakeGitHub, startGitHub } from '../../helpers/hosts/github/server.ts'
import { keptForRoles, shareForRoles } from '../../helpers/kept-compiled.ts'
import { emptyAnswer } from '../../helpers/reviewer-answer.ts'
import { runRoleHere } from '../../helpers/role-here.ts'

export type PullWorld = {
  github: FakeGitHub
  fake: FakeProvider
  change: ReturnType<ReturnType<FakeGitHub['world']['createProject']>['open']>
  /** Data folder of the server. */
  data: string
  token: string
  job: ReviewJob
  parts: JobParts
}

const before = 'export function one(): number {\n  return 1\n}\n'
const after = 'export function one(): number {\n  return 2\n}\n'

export async function openPullWorld({
  base = {},
  files = { 'a.txt': after },
  steps = [{ answer: 'good', value: emptyAnswer, times: 'always' }],
}: {
  /** Besides, in the base. */
  base?: Record<string, string>
  files?: Record<string, string>
  steps?: CodedStep[]
} = {}): Promise<PullWorld> {
  const github = await startGitHub()
  const fake = await startFakeProvider('anthropic', { steps })
  const data = mkdtempSync(join(tmpdir(), 'sightline-data-'))
  onTestFinished(async () => {
    await Promise.all([github.close(), fake.close()])
    rmSync(data, { recursive: true, force: true })
  })
  await shareForRoles(data)
  const project = github.world.createProject('acme/shop', { files: { 'a.txt': before, ...base } })
  const change = project.open({ branch: 'topic', files })
  const token = github.state.addReviewerToken([project])
  const host = new URL(github.url).host
  const access: Access = {
    settings: JSON.stringify({
      hosts: { [host]: { kind: 'github', url: github.url, token: 'SHOP_TOKEN' } },
      models: {
        providers: { fake: { kind: 'anthropic', baseUrl: fake.baseUrl, keyFrom: 'FAKE_KEY' } },
        roles: { reviewer: 'fake/claude-sonnet-5-5' },
      },
    }),
    secrets: {
      collector: { SHOP_TOKEN: token },
      analyzer: { FAKE_KEY: fakeApiKey },
      publisher: { SHOP_TOKEN: token },
    },
    allowanceUsd: null,
  }
  const job: ReviewJob = {
    address: `${github.url}/acme/shop/pull/${change.number}`,
    connection: 'github',
    installation: null,
    repository: { host, id: null, name: 'acme/shop' },
    number: change.number,
    head: null,
    trigger: { id: 't1', kind: 'opened', by: 'ada' },
    decision: { kind: 'review', depth: 'quick', budgetUsd: null, notice: null },
  }
  const isBoxed = (await nodeWalls()) !== 'permissions'
  const parts = {
    data,
    openAccess: async () => access,
    openLedger: (tenant: string) => new FileLedger(join(data, 'ledger', tenant)),
    limits: defaultLimits,
    isBoxed,
    compiled: await keptForRoles(),
    turns: new Turns(2),
    runRole: runRoleHere,
    indexing: null,
    live: null,
    workspaces: null,
    patience: 0.02,
  }
  return { github, fake, change, data, token, job, parts }
}

/** A worker that holds its job for ever. */
export function hooks(more: Partial<JobHooks> = {}): JobHooks {
  return {
    signal: new AbortController().signal,
    mayWrite: async () => true,
    onPublish: async () => {},
    onSpent: () => {},
    onRole: () => {},
    onStep: () => {},
    ...more,
  }
}
