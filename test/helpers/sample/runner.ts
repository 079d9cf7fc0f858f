/**
 * Runs a sample of each slow suite (`slow-suites.ts`) and reports its other tests as skipped. `npm test` uses it, with
 * SIGHTLINE_SAMPLE=1; without the variable Vitest runs everything.
 */
import {
  type RunnerTask as Task,
  type RunnerTestCase as Test,
  type RunnerTestFile as TestFile,
  TestRunner,
} from 'vitest'
import { sampleOf, sampleSeed } from './choose.ts'
import { testsOfSlow } from './slow-suites.ts'

export default class SamplingRunner extends TestRunner {
  /** Called when the tests of a file are known, before any of them or what they share is set up. */
  onCollected(files: TestFile[]): void {
    for (const file of files) {
      const most = testsOfSlow.get(file.name)
      if (most !== undefined) leaveOut(file, most)
    }
  }
}

function leaveOut(file: TestFile, most: number): void {
  const sameName = new Map<string, number>()
  const tests = file.tasks.flatMap((task) =>
    testsOf(task).map((test) => {
      const earlier = sameName.get(test.fullTestName) ?? 0
      sameName.set(test.fullTestName, earlier + 1)
      return { name: `${test.fullTestName} ${earlier}`, kind: kindOf(task), test }
    }),
  )
  const chosen = sampleOf(tests, most, sampleSeed)
  for (const one of tests) if (!chosen.has(one)) skip(one.test)
  for (const task of file.tasks) skipWithoutTests(task)
}

function kindOf(task: Task): string {
  return task.type === 'suite' ? task.name : ''
}

/** Without those that a condition skips anyway. */
function testsOf(task: Task): Test[] {
  if (task.type === 'suite') return task.tasks.flatMap(testsOf)
  return task.mode === 'run' ? [task] : []
}

function skip(task: Task): void {
  task.mode = 'skip'
  task.result = { state: 'skip' }
}

/** Its `beforeAll` is then left out too. */
function skipWithoutTests(task: Task): void {
  if (task.type !== 'suite') return
  for (const inner of task.tasks) skipWithoutTests(inner)
  if (task.tasks.every(({ mode }) => mode === 'skip')) task.mode = 'skip'
}
