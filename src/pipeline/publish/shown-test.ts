/** The test that shows a finding, in the words that several formats share: the file, how it ran on both sides, the command. */
import { count } from '../../base/count.ts'
import { visibleText } from '../../base/visible-text.ts'
import type { Finding } from '../../domain/finding.ts'
import type { Reproduction, SuggestionTest, TestRun } from '../../domain/reproduction.ts'
import type { Review } from '../../domain/review.ts'

/** Everything but `heading`, `base` and `fix` is foreign: a model wrote the test, and the test wrote its output. */
export type ShownTest = {
  heading: string
  path: string
  text: string
  /** Runs it, from the root of the repository. */
  command: string
  /** What it says on the head, where it fails. */
  head: string
  /** How it ends on the base, in our words. */
  base: string
  /** What the suggested change makes of it, in our words; empty where it was not tried. */
  fix: string
}

export const testHeading = 'A test that fails because of this'

const most = { text: 12_000, failure: 1_500 }

/** Null where no run showed the finding. */
export function shownTest(
  { reproductions = [] }: Pick<Review, 'reproductions'>,
  { id }: Pick<Finding, 'id'>,
) {
  const found = reproductions.find(({ finding, outcome }) => finding === id && outcome === 'reproduced')
  return found?.test ? describe(found, found.test) : null
}

/** For the heading of a suggestion that was tried and repairs what the test shows; empty otherwise. */
export function testedMark(
  { reproductions = [] }: Pick<Review, 'reproductions'>,
  { id }: Pick<Finding, 'id'>,
): string {
  return reproductions.some((one) => one.finding === id && one.suggestion?.outcome === 'tested')
    ? ' (tested)'
    : ''
}

function describe(
  { command, head, base, suggestion }: Reproduction,
  { path, text }: NonNullable<Reproduction['test']>,
): ShownTest {
  return {
    heading: testHeading,
    path,
    text: text.slice(0, most.text).trimEnd(),
    command: command.join(' '),
    head: failureOf(head),
    base: base ? 'It passes on the base.' : 'The code is new, so nothing was run on the base.',
    fix: suggestion ? suggestionWords(suggestion) : '',
  }
}

/** For people, in sentences. */
export function suggestionWords({ outcome, why, neighbours }: SuggestionTest): string {
  const near =
    neighbours.length === 0
      ? 'No test nearby could be run'
      : `${count(neighbours.length, 'test file')} nearby ${neighbours.length === 1 ? 'was' : 'were'} run without it and with it`
  if (outcome === 'not-tried') return `The suggested change was not tried: ${why}.`
  if (outcome === 'tested')
    return neighbours.length === 0
      ? `With the suggested change it passes, twice. ${near}.`
      : `With the suggested change it passes, twice, and what passed before still does: ${near}.`
  return `The suggested change is not enough: ${why}.`
}

/** The name of the test and how it fails; a stack tells the same at length. */
function failureOf(head: TestRun | null): string {
  const [failure] = head?.failures ?? []
  if (!failure) return ''
  const words = failure.message.trim() || (failure.details.trim().split('\n\n')[0] ?? '')
  return `${failure.name}\n${words}`.slice(0, most.failure)
}

type ToldProof = {
  finding: { title: string; path: string; startLine: number }
  reproduction: Reproduction
}

const outcomes = {
  reproduced: 'Reproduced',
  'not-reproduced': 'Not reproduced',
  'not-tried': 'Not tried',
} as const

/** In lines, made visible: a model wrote the test, and the test its output. `isQuiet`: the outcome and the test only. */
export function proofWords({ finding, reproduction }: ToldProof, isQuiet: boolean): string[] {
  const { outcome, why, test, because, command, head, base, suggestion } = reproduction
  const failure = head?.failures[0]
  const shown =
    outcome === 'reproduced' && !isQuiet
      ? [
          '',
          `On the head it fails: ${failure?.name ?? ''}`,
          ...indented(failure?.message || failure?.details.split('\n')[0] || ''),
          base ? 'On the base it passes.' : 'The code is new, so nothing was run on the base.',
          ...(suggestion ? [suggestionWords(suggestion)] : []),
        ]
      : []
  return [
    `${outcomes[outcome]}: ${finding.title} (${finding.path}:${finding.startLine})`,
    `${why[0]?.toUpperCase() ?? ''}${why.slice(1)}.`,
    ...(because === '' ? [] : ['', because]),
    ...(test === null ? [] : ['', `${test.path}:`, ...indented(test.text.trimEnd())]),
    ...shown,
    ...(outcome === 'reproduced' ? ['', `Run it: ${command.join(' ')}`] : []),
  ].map((line) => visibleText(line))
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `    ${line}`)
}
