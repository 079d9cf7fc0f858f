/**
 * A finding is proven by a run: a model writes a test, which runs on both sides of the change, and code alone decides
 * whether its results show the finding. What the test prints is foreign, also to the model that wrote it.
 */
import { z } from 'zod'
import { readPrompt } from '../../base/package-root.ts'
import { type Fence, Untrusted } from '../../base/untrusted/untrusted.ts'
import type { Side } from '../../domain/change-set.ts'
import type { Finding } from '../../domain/finding.ts'
import type { Reproduction, TestRun } from '../../domain/reproduction.ts'
import type { AnswerShape, Gateway, Turn } from '../../llm/contract.ts'
import type { TestFramework } from '../../test-runs/contract.ts'
import { shortestPrediction, whyNotReproduced, whyNotRun } from './judge-runs.ts'

/** Foreign text, and where it comes from. */
export type Piece = { origin: string; text: string }

export type Proving = {
  finding: Pick<Finding, 'id' | 'anchor' | 'startLine' | 'endLine' | 'places'>
  /** What the model is shown: the finding, its code on both sides, tests nearby. */
  material: readonly Piece[]
  /** Names of the definitions around the cited lines. */
  symbols: readonly string[]
  framework: Pick<TestFramework, 'name' | 'guide'>
  /** Where the test will be, from the root of the tree. */
  testPath: string
  /** The command that runs it, from the root of the repository. */
  command: readonly string[]
  /** The cited file is not in the base, so nothing can be run there. */
  isNewCode: boolean
  /** Runs it once; `attempt` tells tries and repetitions apart. */
  run(side: Side, test: string, attempt: string): Promise<TestRun>
  gateway: Gateway
  fence: Fence
  signal: AbortSignal
}

export const provePrompt = () => readPrompt('prove', 2)

const mostTries = 3
const repetitions = [1, 2] as const

type WireTest = { test: string; predicted: string; because: string; cannot: string }

const shape: AnswerShape<WireTest> = {
  name: 'test',
  schema: z.object({ test: z.string(), predicted: z.string(), because: z.string(), cannot: z.string() }),
  check: ({ test, predicted }) =>
    test !== '' && predicted.trim().length < shortestPrediction
      ? [`\`predicted\` needs at least ${shortestPrediction} characters`]
      : [],
}

/** Never throws for what a model or a test does; rejects after an abort. */
export async function proveByTest(input: Proving): Promise<Reproduction> {
  const { finding, framework, testPath, command, gateway, fence, signal } = input
  const prompt = provePrompt()
  const turns: Turn[] = [{ from: 'user', parts: [{ text: renderMaterial(input), stable: true }] }]
  let last: Reproduction = {
    finding: finding.id,
    outcome: 'not-tried',
    why: '',
    framework: framework.name,
    test: null,
    because: '',
    predicted: '',
    command: [...command],
    head: null,
    base: null,
    tries: 0,
  }
  for (let number = 1; number <= mostTries; number++) {
    const reply = await gateway.ask({
      role: 'reviewer',
      address: `prove/${finding.id}/try-${number}`,
      prompt: prompt.id,
      instructions: [{ text: prompt.text, stable: true }],
      turns,
      answer: shape,
      maxOutputTokens: 8_000,
      effort: 'medium',
      signal,
    })
    if (reply.outcome !== 'answered')
      return { ...last, why: last.why || `no test was written: ${reply.reason}`.slice(0, 500) }
    const { test, predicted, because, cannot } = reply.value
    if (test.trim() === '') {
      const none = `the model wrote no ${number === 1 ? '' : 'other '}test: ${cannot}`
      return {
        ...last,
        why: [last.why, none]
          .filter((words) => words !== '')
          .join('; ')
          .slice(0, 500),
      }
    }
    last = await tryTest(
      { ...last, test: { path: testPath, text: test }, because, predicted, tries: number },
      input,
    )
    if (last.outcome === 'reproduced') return last
    turns.push(
      { from: 'model', parts: [{ text: reply.text }] },
      { from: 'user', parts: [{ text: renderTry(last, fence) }] },
    )
  }
  return last
}

/** The second runs are made only where the first ones say what they should. */
async function tryTest(attempt: Reproduction, input: Proving): Promise<Reproduction> {
  const { finding, symbols, isNewCode, run } = input
  const test = attempt.test?.text ?? ''
  const notRun = whyNotRun(test)
  if (notRun !== null) return { ...attempt, outcome: 'not-reproduced', why: notRun, head: null, base: null }
  const runs: { head: TestRun[]; base: TestRun[] | null } = { head: [], base: isNewCode ? null : [] }
  let why: string | null = null
  for (const repetition of repetitions) {
    const name = `try-${attempt.tries}/run-${repetition}`
    runs.head.push(await run('new', test, `${name}/head`))
    why = whyNotReproduced({
      finding,
      test,
      predicted: attempt.predicted,
      symbols,
      head: runs.head,
      base: null,
    })
    if (why !== null) break
    runs.base?.push(await run('old', test, `${name}/base`))
    why = whyNotReproduced({ finding, test, predicted: attempt.predicted, symbols, ...runs })
    if (why !== null) break
  }
  return {
    ...attempt,
    outcome: why === null ? 'reproduced' : 'not-reproduced',
    why: why ?? `it fails on the head as predicted${isNewCode ? '' : ' and passes on the base'}, twice`,
    head: runs.head.at(-1) ?? null,
    base: runs.base?.at(-1) ?? null,
  }
}

function renderMaterial({ material, framework, testPath, isNewCode, fence }: Proving): string {
  return [
    fence.rule,
    ...material.map(({ origin, text }) => fence.render(new Untrusted(origin, text))),
    `Test framework: ${framework.name}. ${framework.guide}`,
    `Your test file will be here:\n${fence.render(new Untrusted('path of the test', testPath))}`,
    isNewCode
      ? 'The code of the finding is new: there is nothing to run before the change.'
      : 'The code of the finding was there before the change, too: your test must pass on it.',
  ].join('\n\n')
}

function renderTry({ why, head, base, tries }: Reproduction, fence: Fence): string {
  const shown = (side: string, run: TestRun | null) =>
    run === null
      ? []
      : [
          `${side}: ${run.status}`,
          fence.render(
            new Untrusted(
              'output of the test',
              [
                ...run.failures.map(({ name, message, details }) => `${name}: ${message}\n${details}`),
                run.output,
              ]
                .join('\n')
                .slice(-4_000),
            ),
          ),
        ]
  return [
    `Try ${tries} of ${mostTries} does not show the finding: ${why}.`,
    ...shown('After the change', head),
    ...shown('Before the change', base),
    'Answer again.',
  ].join('\n\n')
}
