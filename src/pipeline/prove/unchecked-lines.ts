/**
 * Changed lines that no test checks: each is changed in small ways that give it another meaning, and the tests that reach it
 * are run. Where they pass with every one of these mutants, they pass whatever the line does.
 */
import type { DiffLine } from '../../domain/change-set.ts'
import type { TestRun } from '../../domain/reproduction.ts'
import { isCommentLine, type LineMutation, lineMutations } from '../../test-runs/line-mutations.ts'

export type Mutant = { kind: LineMutation; text: string }

/** A changed line of the head, and what it is replaced with. */
export type MutatedLine = { line: DiffLine & { new: number }; mutants: Mutant[] }

export type FileOfMutants = {
  path: string
  /** Of the head. */
  text: string
  lines: readonly MutatedLine[]
  /** Tests of the head that reach it, the nearest first. */
  tests: readonly string[]
}

export type UncheckedLine = MutatedLine & { path: string; tests: { path: string; passed: number }[] }

/** Runs one test of the head, with this text in place of that of the file; null for the head as it is. */
export type RunTest = (test: string, changed: string | null, address: string) => Promise<TestRun>

/** Another bound is often as good as the one that was written, and work that is not waited for often ends in time. */
const weak: ReadonlySet<LineMutation> = new Set(['off-by-one', 'missing-await'])

const most = { linesOfFile: 20, mutantsOfLine: 3 }

/** Of lines that the change adds to a file: those with mutants of which one at least must be noticed, in order. */
export function linesToMutate(added: readonly DiffLine[]): MutatedLine[] {
  return added
    .flatMap((line): MutatedLine[] => {
      const mutants = isCommentLine(line.text) ? [] : mutantsOf(line.text)
      return line.new !== null && mutants.some(({ kind }) => !weak.has(kind))
        ? [{ line: { ...line, new: line.new }, mutants }]
        : []
    })
    .slice(0, most.linesOfFile)
}

function mutantsOf(text: string): Mutant[] {
  return (Object.keys(lineMutations) as LineMutation[])
    .flatMap((kind): Mutant[] => {
      const changed = lineMutations[kind](text)
      return changed === null || changed === text ? [] : [{ kind, text: changed }]
    })
    .slice(0, most.mutantsOfLine)
}

/** `yield`s what it finds, so that what was found is kept when `run` rejects for want of runs or time. */
export async function* findUnchecked(file: FileOfMutants, run: RunTest): AsyncGenerator<UncheckedLine> {
  const { path, text, lines } = file
  const tests: { path: string; before: TestRun }[] = []
  for (const [at, test] of file.tests.entries()) {
    const before = await run(test, null, `${path}/test-${at}`)
    // Tests that fail anyway, or give no results, notice nothing.
    if (before.status === 'passed') tests.push({ path: test, before })
  }
  if (tests.length === 0) return
  for (const mutated of lines) {
    const { line, mutants } = mutated
    const isNoticed = async ({ kind, text: mutant }: Mutant): Promise<boolean> => {
      const changed = withLine(text, line.new, mutant)
      for (const [at, test] of tests.entries()) {
        const after = await run(test.path, changed, `${path}/line-${line.new}/${kind}/test-${at}`)
        // What no longer compiles is noticed, too, and says nothing.
        if (after.status !== 'passed' || test.before.passed.some((name) => !after.passed.includes(name)))
          return true
      }
      return false
    }
    let isChecked = false
    for (const mutant of mutants) {
      isChecked = await isNoticed(mutant)
      if (isChecked) break
    }
    if (isChecked) continue
    yield {
      ...mutated,
      path,
      tests: tests.map(({ path: test, before }) => ({ path: test, passed: before.passed.length })),
    }
  }
}

function withLine(text: string, number: number, mutant: string): string {
  return text
    .split('\n')
    .map((line, at) => (at === number - 1 ? mutant : line))
    .join('\n')
}
