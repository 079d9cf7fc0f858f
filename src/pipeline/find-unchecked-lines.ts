/**
 * The stage of a deep review that looks for tests that cannot fail: mutants of changed lines against the tests that reach
 * them, until the runs or the seconds for it are used up. What it finds is a finding of the tests plane.
 */

import { count } from '../base/count.ts'
import { OutOfTime, withinKeptSeconds } from '../base/time-budget.ts'
import { visibleLine } from '../base/visible-text.ts'
import type { FileChange } from '../domain/change-set.ts'
import { nowhere } from '../domain/evidence.ts'
import type { CandidateDraft } from '../domain/finding.ts'
import { tagOf } from '../domain/line-tag.ts'
import type { TestRun } from '../domain/reproduction.ts'
import { openBuildCaches } from '../test-runs/build-caches.ts'
import { findProject } from '../test-runs/find-project.ts'
import { frameworkOf } from '../test-runs/registry.ts'
import { runTest } from '../test-runs/run-test.ts'
import { changedLines } from './planes/changed-lines.ts'
import { testsThatReach } from './prove/plan-test.ts'
import {
  type FileOfMutants,
  findUnchecked,
  linesToMutate,
  type MutatedLine,
  type RunTest,
  type UncheckedLine,
} from './prove/unchecked-lines.ts'
import { noSandbox, type Prover } from './prove-findings.ts'
import type { StageInput } from './stage-input.ts'

type UncheckedInput = Omit<StageInput, 'base' | 'config'>

export type Unchecked = {
  drafts: CandidateDraft[]
  /** What could not be tried, in words. */
  remarks: string[]
}

export const noneUnchecked: Unchecked = { drafts: [], remarks: [] }

const most = { testsOfFile: 2, findings: 5 }

/** Thrown where no more tests may be run; what was found counts. */
class OutOfRuns extends Error {}

/** Rejects only after an abort, and in a replay that is not on record. */
export async function findUncheckedLines(prover: Prover, input: UncheckedInput): Promise<Unchecked> {
  const { context, head, signal } = input
  const budget = prover.mutants ?? { runs: 0, seconds: 0 }
  const sources = context.change.files.filter(({ role, status }) => role === 'source' && status !== 'deleted')
  const files = sources.filter((file) => mutatedLines(file).length > 0)
  if (files.length === 0) return noneUnchecked
  const sandbox = await prover.findSandbox()
  const { failed } = await prover.keepEnd('mutants/sandbox', async () => ({
    late: null,
    failed: sandbox || prover.isReplay ? null : noSandbox,
  }))
  if (failed !== null) return { drafts: [], remarks: [`No mutant was tried: ${failed}`] }
  const until = performance.now() + budget.seconds * 1000
  const timed = <Result>(address: string, about: object, work: (within: AbortSignal) => Promise<Result>) => {
    const seconds = Math.max(0.001, (until - performance.now()) / 1000)
    const limit = { name: address, seconds, signal, keepEnd: prover.keepEnd }
    return withinKeptSeconds(limit, (within) => prover.keep(address, about, () => work(within)))
  }
  const caches = openBuildCaches()
  let runs = 0
  const runner =
    (path: string): RunTest =>
    (test, changed, address) => {
      if (++runs > budget.runs) throw new OutOfRuns()
      return timed(
        `mutants/${address}`,
        { tree: head.tree, test, changed },
        async (within): Promise<TestRun> => {
          const project = await findProject(path, head, prover.checkout)
          const framework = project && frameworkOf(project)
          if (!project || !framework || !sandbox) throw new Error('no test can be run')
          const text = (await head.read(test))?.text ?? ''
          const place = { path: test, text, isThere: true }
          const { checkout, limits } = prover
          const cache = await caches.folderOf('new')
          const edits = changed === null ? new Map<string, string>() : new Map([[path, changed]])
          const parts = { framework, project, sandbox, checkout, cache, limits }
          return await runTest({ ...parts, tree: head, test: place, changed: edits }, within)
        },
      )
    }
  const found: UncheckedLine[] = []
  let stopped = ''
  try {
    for (const [at, file] of files.entries()) {
      input.onEvent({ type: 'stage-progress', stage: 'mutants', done: at, total: files.length })
      const plan = await timed(`mutants/${file.path}/plan`, { tree: head.tree, path: file.path }, () =>
        planFile(file, prover, input),
      )
      if (!plan) continue
      for await (const line of findUnchecked({ ...plan, lines: mutatedLines(file) }, runner(file.path)))
        found.push(line)
    }
  } catch (error) {
    if (error instanceof OutOfRuns) stopped = `${count(budget.runs, 'test run')} were used up`
    else if (error instanceof OutOfTime) stopped = 'the time for it was used up'
    else throw error
  } finally {
    await caches.remove()
  }
  const remarks = stopped === '' ? [] : [`Mutants were tried of some changed lines only: ${stopped}`]
  return { drafts: found.slice(0, most.findings).map(describe), remarks }
}

function mutatedLines(file: FileChange): MutatedLine[] {
  return linesToMutate(changedLines(file, 'new', 1, Number.POSITIVE_INFINITY))
}

/** Null where no test of this file can be run. Plain JSON. */
async function planFile(
  { path }: FileChange,
  { checkout }: Prover,
  { head, facts }: UncheckedInput,
): Promise<Omit<FileOfMutants, 'lines'> | null> {
  const project = await findProject(path, head, checkout)
  const framework = project && frameworkOf(project)
  const source = await head.read(path)
  const places = { root: '.', test: 'x', report: '/dev/null', text: '' }
  if (!project || !source || !framework?.command(places, project)) return null
  const known = await facts.facts([{ path, blob: source.blob, text: source.text }])
  const symbols = known.get(path)?.symbols.map(({ name }) => name) ?? []
  const tests = await testsThatReach(path, symbols, { project, head, most: most.testsOfFile })
  return tests.length === 0 ? null : { path, text: source.text, tests: tests.map((test) => test.path) }
}

function describe({ path, line, mutants, tests }: UncheckedLine): CandidateDraft {
  const names = tests.map((test) => `\`${visibleLine(test.path)}\``).join(' and ')
  const shown = mutants.map(({ text }) => `\`${visibleLine(text.trim()).slice(0, 200)}\``)
  const text = line.text.trim()
  const common = { path, blob: null, side: 'new', startLine: line.new, endLine: line.new } as const
  const diff = mutants.flatMap((mutant) => [`- ${line.text}`, `+ ${mutant.text}`])
  const passed = tests.map((test) => `${test.path}: ${count(test.passed, 'test')} passed, as before`)
  return {
    plane: 'tests',
    rule: 'tests/unchecked-line',
    category: 'tests',
    severity: 'low',
    confidence: 'certain',
    title: `The tests in ${names} pass whatever line ${line.new} does`,
    explanation: `They were run with ${shown.join(', and with ')} in place of this line, and all of them passed. A fault in it would go unnoticed.`,
    remedy: 'Add an assertion that depends on what this line does.',
    wrongIf: 'another kind of check, such as a type or a review, holds what this line does',
    suggestion: null,
    preExisting: false,
    anchor: { path, tags: [tagOf(line)] },
    claims: [{ kind: 'line-contains', side: 'new', path, line: line.new, text }],
    evidence: [
      {
        item: { ...common, source: 'file', trust: 'foreign', title: 'the line', text: line.text },
        quote: text,
      },
      {
        item: {
          ...nowhere,
          ...{ source: 'tool', trust: 'foreign', title: 'runs of the tests with other code in its place' },
          text: [...diff, ...passed].join('\n'),
        },
        quote: passed[0] ?? '',
      },
    ],
  }
}
