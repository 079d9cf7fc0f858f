/** What came of showing a finding by a test, in lines for people. Made visible, since a model wrote the test and the test its output. */
import { visibleText } from '../../base/visible-text.ts'
import type { Reproduction } from '../../domain/reproduction.ts'
import { suggestionWords } from './shown-test.ts'

export type ToldProof = {
  finding: { title: string; path: string; startLine: number }
  reproduction: Reproduction
}

const outcomes = {
  reproduced: 'Reproduced',
  'not-reproduced': 'Not reproduced',
  'not-tried': 'Not tried',
} as const

/** `isQuiet`: the outcome and the test only. */
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
