/** Whether a note may have an effect, by what it would have done to the findings of recorded reviews. Pure. */
import { count } from '../base/count.ts'
import type { MemoryNote, NoteTally } from '../domain/memory.ts'
import type { Severity } from '../domain/severity.ts'
import type { Outcome } from '../ledger/outcomes.ts'

/** A finding that a note would have changed, and what became of it. */
export type TestedFinding = {
  kind: 'dismissed' | 'lowered' | 'added'
  outcome: Outcome
  run: string
  rule: string
  severity: Severity
  path: string
  line: number
  /** Foreign. */
  title: string
}

export type TestFigures = {
  /** Recorded reviews of this repository, each change as it was first reviewed. */
  runs: number
  /** Of these, how many were gone through again with the note and without; in the others it could change nothing. */
  replayed: number
  /** Models were asked again; without that a fact changes nothing. */
  askedModels: boolean
  findings: readonly TestedFinding[]
}

/** `good`: it proved itself. `unproven`: nothing speaks for or against it; a person may decide. `bad`: it must not be used. */
export type TestVerdict = { word: 'good' | 'unproven' | 'bad'; why: string }

export function judgeTest({ effect }: Pick<MemoryNote, 'effect'>, figures: TestFigures): TestVerdict {
  const { runs, replayed, askedModels, findings } = figures
  const gone = findings.filter(({ kind }) => kind !== 'added')
  const tally = tallyOf(gone)
  const verb = effect?.kind === 'minor' ? 'make minor' : 'remove'
  if (tally.right > 0)
    return {
      word: 'bad',
      why: `it would ${verb} ${count(tally.right, 'finding that was right', 'findings that were right')}`,
    }
  const wrong = tally.wrong + tally.unimportant
  if (tally.undecided > wrong)
    return {
      word: 'bad',
      why: `it would ${verb} ${count(tally.undecided, 'finding')} that are still undecided, and only ${wrong} that ${wrong === 1 ? 'was' : 'were'} dismissed`,
    }
  if (wrong > 0)
    return {
      word: 'good',
      why: `it would ${verb} ${count(wrong, 'finding that was', 'findings that were')} wrong or unimportant, and none that was right`,
    }
  if (runs === 0) return { word: 'unproven', why: 'there is no recorded review of this repository' }
  if (effect === null && !askedModels)
    return {
      word: 'unproven',
      why: 'it is a fact for models, and no model was asked again; --ask-models does that',
    }
  if (replayed === 0)
    return { word: 'unproven', why: `none of ${count(runs, 'recorded review')} is about its code` }
  return { word: 'unproven', why: `it would have changed nothing in ${count(runs, 'recorded review')}` }
}

export function tallyOf(findings: readonly Pick<TestedFinding, 'outcome'>[]): NoteTally {
  const tally: NoteTally = { right: 0, wrong: 0, unimportant: 0, undecided: 0 }
  for (const { outcome } of findings) tally[outcome]++
  return tally
}
