/** Whether a test can show a finding: the project and its framework are found, a model writes the test, and it is run on both sides. */
import { UserError } from '../base/errors.ts'
import type { Sandbox } from '../base/sandbox/contract.ts'
import { OutOfTime } from '../base/time-budget.ts'
import type { Fence } from '../base/untrusted/untrusted.ts'
import { editsOf, type Finding } from '../domain/finding.ts'
import type { Reproduction, SuggestionTest, TestRun } from '../domain/reproduction.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { Gateway } from '../llm/contract.ts'
import { type BuildCaches, openBuildCaches } from '../test-runs/build-caches.ts'
import type { TestFramework } from '../test-runs/contract.ts'
import { findProject } from '../test-runs/find-project.ts'
import { testFrameworks } from '../test-runs/registry.ts'
import { runTest } from '../test-runs/run-test.ts'
import { gatherMaterial, type MaterialSources } from './gather-test-material.ts'
import { type Plan, planTest } from './prove/plan-test.ts'
import { proveByTest } from './prove/write-test.ts'
import { withEdits } from './validation/suggestion/check-suggestion.ts'

export type ProveInput = MaterialSources & {
  /** The person's own folder of this repository, whose installed packages are lent; null where there is none. */
  checkout: string | null
  /** Null where only the record answers. */
  sandbox: Sandbox | null
  limits: { seconds: number; memoryMb: number; readOnlyPaths: readonly string[] }
  /** Keeps what ran on record, where a replay finds it. `input`: what the result depends on. */
  keep<Result>(
    address: string,
    input: object,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>
  gateway: Gateway
  fence: Fence
}

/** Never throws for what a model or a test does; rejects after an abort, and with what `keep` and the gateway reject with. */
export async function proveFinding(input: ProveInput): Promise<Reproduction> {
  const caches = openBuildCaches()
  try {
    return await prove(input, caches)
  } finally {
    await caches.remove()
  }
}

async function prove(input: ProveInput, caches: BuildCaches): Promise<Reproduction> {
  const { finding, context, base, head, checkout, keep, gateway, fence, signal } = input
  const { path } = finding.anchor
  const at = `prove/${finding.id}`
  const plan = await keep<Plan>(
    `${at}/plan`,
    { tree: head.tree, path, fingerprint: finding.fingerprint },
    () => planTest(finding, head, checkout),
  )
  if (plan.why !== null) return notTried(finding.id, plan.why)
  const framework = testFrameworks.find(({ name }) => name === plan.framework)
  if (!framework) return notTried(finding.id, `${plan.framework} is not known here`)
  const { testPath, command } = plan
  const {
    material,
    symbols,
    neighbours = [],
  } = await keep(
    `${at}/material`,
    { tree: head.tree, bundle: context.hash, fingerprint: finding.fingerprint },
    () => gatherMaterial(input),
  )
  const file = context.change.files.find((one) => one.path === path)
  const reproduction = await proveByTest({
    finding,
    material,
    symbols,
    framework,
    testPath,
    command,
    isNewCode: file?.status === 'added',
    run: (side, text, attempt) => {
      const tree = side === 'new' ? head : base
      const about = { tree: tree.tree, testPath, text, framework: framework.name, attempt }
      return keep(`${at}/${attempt}`, about, (within) =>
        runOnce(
          input,
          { framework, tree, test: { path: testPath, text }, cache: () => caches.folderOf(side) },
          within,
        ),
      )
    },
    gateway,
    fence,
    signal,
  })
  if (reproduction.outcome !== 'reproduced') return reproduction
  const tested = testSuggestion({
    reproduction,
    changed: await withSuggestion(finding, head),
    neighbours,
    run: ({ address, test, changed }) => {
      const about = { tree: head.tree, test, changed: [...changed], framework: framework.name, address }
      const cache = () => caches.folderOf(changed.size === 0 ? 'new' : 'suggestion')
      return keep(`${at}/${address}`, about, (within) =>
        runOnce(input, { framework, tree: head, test, changed, cache }, within),
      )
    },
  })
  const suggestion = await tested.catch(outOfTime)
  return suggestion === null ? reproduction : { ...reproduction, suggestion }
}

/** The file of the suggestion as it would be; null where it cannot be read, or nothing is suggested. */
async function withSuggestion(
  { suggestion }: Finding,
  head: RepoSnapshot,
): Promise<ReadonlyMap<string, string> | null> {
  const source = suggestion && (await head.read(suggestion.path))
  if (!source) return null
  const fixed = withEdits(source.text.split('\n'), editsOf(suggestion))
  return new Map([[suggestion.path, fixed.join('\n')]])
}

/** What the test shows counts without it. */
function outOfTime(error: unknown): SuggestionTest {
  if (!(error instanceof OutOfTime)) throw error
  return { outcome: 'not-tried', why: 'the time for it was used up', run: null, neighbours: [] }
}

type OneRun = {
  framework: TestFramework
  tree: RepoSnapshot
  test: RunnableTest
  changed?: ReadonlyMap<string, string>
  /** Asked only where the test really runs: a run from the record makes no folder. */
  cache: () => Promise<string>
}

async function runOnce(
  { finding, head, sandbox, checkout, limits }: ProveInput,
  { framework, tree, test, changed = new Map(), cache }: OneRun,
  signal: AbortSignal,
): Promise<TestRun> {
  const project = await findProject(finding.anchor.path, head, checkout)
  if (!project || !sandbox) throw new UserError('no-sandbox', '')
  const parts = { tree, changed, framework, project, sandbox, checkout, limits }
  const text = test.text ?? (await tree.read(test.path))?.text ?? ''
  const placed = { path: test.path, text, isThere: test.text === null }
  return await runTest({ ...parts, test: placed, cache: await cache() }, signal)
}

/** `why`: in our words. */
export function notTried(finding: string, why: string): Reproduction {
  return {
    finding,
    outcome: 'not-tried',
    why,
    framework: null,
    test: null,
    because: '',
    predicted: '',
    command: [],
    head: null,
    base: null,
    tries: 0,
  }
}

type SuggestionTesting = {
  /** That shows the finding. */
  reproduction: Reproduction
  /** The suggested texts of files; null where nothing is suggested. */
  changed: ReadonlyMap<string, string> | null
  /** Tests of the project that reach the code, the nearest first. */
  neighbours: readonly string[]
  /** One run of a test of the head, with these texts in place of those of its files; on record under `address`. */
  run(run: { address: string; test: RunnableTest; changed: ReadonlyMap<string, string> }): Promise<TestRun>
}

/** The text is that of a new test; null for a test that the head has. */
type RunnableTest = { path: string; text: string | null }

const nothing: ReadonlyMap<string, string> = new Map()

/**
 * Whether the suggested change repairs what the test shows: on the head with it, that test passes, and the tests nearby that passed
 * before still do. Null where nothing is suggested. Rejects with what `run` rejects with.
 */
export async function testSuggestion(testing: SuggestionTesting): Promise<SuggestionTest | null> {
  const { reproduction, changed, neighbours, run } = testing
  const { test } = reproduction
  if (!changed || !test) return null
  let last: TestRun | null = null
  for (const repetition of [1, 2]) {
    last = await run({ address: `suggestion/run-${repetition}`, test, changed })
    const why = whyNotRepaired(last, reproduction)
    if (why !== null) return { outcome: 'failed', why, run: last, neighbours: [] }
  }
  const compared: SuggestionTest['neighbours'] = []
  for (const [at, path] of neighbours.entries()) {
    const near = { path, text: null }
    const before = await run({ address: `suggestion/near-${at}/before`, test: near, changed: nothing })
    // What gives no results without the change says nothing with it.
    if (before.status === 'broken') continue
    const after = await run({ address: `suggestion/near-${at}/after`, test: near, changed })
    const lost = before.passed.find((name) => !after.passed.includes(name)) ?? null
    compared.push({ path, before: before.status, after: after.status, lost })
  }
  const harmed = compared.find(({ lost }) => lost !== null)
  const why = harmed
    ? 'with it, a test nearby that passed before no longer passes'
    : 'with it, the test passes, and the tests nearby that passed before still do'
  return { outcome: harmed ? 'failed' : 'tested', why, run: last, neighbours: compared }
}

function whyNotRepaired(now: TestRun, { head }: Reproduction): string | null {
  if (now.status === 'broken') return `with it, ${now.why}`
  if (now.status === 'failed') return 'with it, the test still fails'
  // What failed passes, and not another test of the same file alone.
  const failed = head?.failures.map(({ name }) => name) ?? []
  return failed.every((name) => now.passed.includes(name)) ? null : 'with it, another test passes'
}
