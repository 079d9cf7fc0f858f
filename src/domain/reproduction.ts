/** A finding shown by a test that fails because of it: the test, how it ran, and what came of it. */
import { z } from 'zod'

/** One run of one test file on one tree. Everything in it that is not ours is foreign: a test wrote it. */
export const TestRun = z.object({
  /** `broken`: no results that can be trusted, whatever the reason. */
  status: z.enum(['passed', 'failed', 'broken']),
  /** Why it is broken, in our words; empty otherwise. */
  why: z.string(),
  failures: z.array(z.object({ name: z.string(), message: z.string(), details: z.string() })),
  /** Names of those that passed. */
  passed: z.array(z.string()),
  /** The end of what it printed. */
  output: z.string(),
})
export type TestRun = z.infer<typeof TestRun>

/** A suggested change, tried on a copy of the head. */
export const SuggestionTest = z.object({
  /**
   * `tested`: the test that shows the finding passes, twice, and no test nearby is lost. `failed`: one of both is not so.
   * `not-tried` says nothing.
   */
  outcome: z.enum(['tested', 'failed', 'not-tried']),
  /** In our words. */
  why: z.string(),
  /** The last run of the test that shows the finding, with the change in the head. */
  run: TestRun.nullable(),
  /** Tests of the project without the change and with it; `lost` is a test that passed without it only. */
  neighbours: z.array(
    z.object({
      path: z.string(),
      before: TestRun.shape.status,
      after: TestRun.shape.status,
      lost: z.string().nullable(),
    }),
  ),
})
export type SuggestionTest = z.infer<typeof SuggestionTest>

export const Reproduction = z.object({
  /** Id of the finding. */
  finding: z.string(),
  /**
   * `reproduced`: the test fails on the head for the predicted reason, twice, and passes on the base, twice, or the code
   * did not exist there. `not-reproduced` says nothing against the finding. `not-tried`: nothing was run.
   */
  outcome: z.enum(['reproduced', 'not-reproduced', 'not-tried']),
  /** In our words. */
  why: z.string(),
  framework: z.string().nullable(),
  /** The last test that was tried; a model wrote it. `path` from the root of the tree. */
  test: z.object({ path: z.string(), text: z.string() }).nullable(),
  /** Which input leads to which wrong result, in the words of whoever wrote the test. */
  because: z.string(),
  /** What the failure was to say, written before the test ran. */
  predicted: z.string(),
  /** The command that runs it, from the root of the repository. */
  command: z.array(z.string()),
  head: TestRun.nullable(),
  /** Null where it was not run, such as for new code. */
  base: TestRun.nullable(),
  tries: z.number().int().nonnegative(),
  /** Absent where nothing was shown, or nothing is suggested. */
  suggestion: SuggestionTest.optional(),
})
export type Reproduction = z.infer<typeof Reproduction>
