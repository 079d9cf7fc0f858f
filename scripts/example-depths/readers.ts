/** What the two readers of depth deep answer about the change. */
import type { CodedStep } from '../../test/helpers/fakes/scenario/script.ts'
import { emptyAnswer } from '../../test/helpers/reviewer-answer.ts'
import { collectingTime, leftOutPlanes, noEndAfterFailure, wrongTag } from './findings.ts'

const second = 'You are the second of two readers'

export const twoReaders: CodedStep[] = [
  {
    answer: 'good',
    if: ({ prompt }) => !prompt.includes(second) && prompt.includes('Review these files.'),
    value: { ...emptyAnswer, findings: [leftOutPlanes(), wrongTag, noEndAfterFailure] },
  },
  {
    answer: 'good',
    if: ({ prompt }) => prompt.includes(second),
    value: {
      ...emptyAnswer,
      findings: [
        {
          ...leftOutPlanes(),
          title: 'The effective configuration does not contain planes turned off by the caller',
          explanation:
            'Callers rely on `outcome.config` as the effective configuration, but `disablePlanes` only reaches `choosePlanes`.',
        },
        collectingTime,
      ],
    },
  },
]
