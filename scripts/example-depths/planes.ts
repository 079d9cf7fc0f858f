/** What the two questions of depth deep are answered about the change. */
import type { CodedStep } from '../../test/helpers/fakes/scenario/script.ts'
import { collectingTime, leftOutPlanes, noEndAfterFailure, wrongTag } from './findings.ts'

export function fromPlanes(nothing: object): CodedStep[] {
  const looks: Record<string, object> = {
    // The whole review, with the topic of contract.
    correctness: {
      findings: [
        leftOutPlanes(),
        wrongTag,
        {
          ...leftOutPlanes(),
          category: 'contract',
          title: 'The effective configuration does not contain planes turned off by the caller',
          explanation: 'Callers rely on `outcome.config` as the effective configuration.',
        },
        noEndAfterFailure(
          'high',
          'Listeners rely on an event that may never come',
          'Listeners that release something at the end of a run keep it when the review throws.',
        ),
      ],
      memory_insights: [
        { sentence: 'The effective configuration is hashed into the bundle.', file: 'src/sightline.ts' },
      ],
    },
    // The second reading, with all other topics that are due.
    intent: {
      criteria: [
        {
          ticket: 'file:ticket.md',
          criterion: 'AC1',
          lines: [{ file: 'src/cli/run-review.ts', tags: [{ $tagAt: 'overrides: { minSeverity: flags[' }] }],
          reason: 'The flag is passed on as an override.',
          state: 'covered',
        },
        {
          ticket: 'file:ticket.md',
          criterion: 'AC2',
          lines: [],
          reason: 'The event is sent only when nothing throws.',
          state: 'not-covered',
        },
        {
          ticket: 'file:ticket.md',
          criterion: 'AC3',
          lines: [],
          reason: 'Nothing in the message shows how long it takes.',
          state: 'undecidable',
        },
      ],
      findings: [
        {
          ...noEndAfterFailure(
            'low',
            'A failing run does not report its end',
            'A listener waits for the event forever if the review throws, although the caller sees the error.',
          ),
          // The fourth of the first reading.
          enriches: 'R4',
        },
        { ...collectingTime, category: 'performance' },
      ],
      looked_at: [
        {
          topic: 'performance',
          lines: [{ file: 'src/sightline.ts', tags: [{ $tagAt: 'const startedAt = performance.now()' }] }],
        },
      ],
    },
  }
  return Object.entries(looks).map(([plane, value]) => ({
    answer: 'good',
    if: ({ lastTurn }) => lastTurn.includes(`# Your topic: ${plane}`),
    value: { ...nothing, ...value },
  }))
}
