/**
 * Whether the suggested change of a finding repairs what its test shows: on the head with the change in it, that test passes,
 * and the tests nearby that passed before still do.
 */
import type { Reproduction, SuggestionTest, TestRun } from '../../domain/reproduction.ts'

export type SuggestionTesting = {
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
export type RunnableTest = { path: string; text: string | null }

const nothing: ReadonlyMap<string, string> = new Map()

/** Null where nothing is suggested. Rejects with what `run` rejects with. */
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
