/** What each kind of hidden text is called, how bad it is, and why. */
import type { FileRole } from '../../../domain/change-set.ts'
import type { Severity } from '../../../domain/severity.ts'
import type { HiddenKind } from './characters.ts'

export type Problem = HiddenKind | 'look-alike' | 'zero-byte'

type Words = { severity: Severity; title: string; explanation: string }

export const problems: Readonly<Record<Problem, Words>> = {
  bidi: {
    severity: 'high',
    title: 'The direction of text is changed by characters that nobody sees',
    explanation:
      'Bidirectional controls make a line show in another order than it runs: a comment can turn into code, or code into a comment.',
  },
  tag: {
    severity: 'high',
    title: 'Text is written in invisible tag characters',
    explanation:
      'Tag characters have no shape on a screen but are read by programs, language models above all.',
  },
  selector: {
    severity: 'high',
    title: 'A run of variation selectors may carry hidden data',
    explanation: 'One selector picks a glyph; a run of them has no use but to carry bytes that nobody sees.',
  },
  'zero-width': {
    severity: 'medium',
    title: 'Characters of no width stand in the text',
    explanation:
      'Two names that look alike can differ by them, and a search for the visible text misses the line.',
  },
  control: {
    severity: 'low',
    title: 'Control characters stand in the text',
    explanation: 'Terminals act on some of them; elsewhere they are lost or shown as nothing.',
  },
  'zero-byte': {
    severity: 'high',
    title: 'A zero byte makes this file binary to git and code hosts',
    explanation:
      'Git and code hosts show a file with a zero byte as binary: people see no diff of it, while most compilers and interpreters still run it.',
  },
  'look-alike': {
    severity: 'medium',
    title: 'A name mixes Latin letters with look-alikes of another script',
    explanation: 'It looks like another name but is not the same one, so it may refer to something else.',
  },
}

/** Tests hold such characters on purpose, and translations catch them from other programs. */
export function severityIn(role: FileRole, problem: Problem): Severity {
  const { severity } = problems[problem]
  if (role === 'test') return severity === 'high' ? 'medium' : 'low'
  const isText = role === 'docs' || role === 'data'
  // People read a manual or a table elsewhere than in a diff.
  return isText && (severity === 'medium' || problem === 'zero-byte') ? 'low' : severity
}
