/**
 * What the models of docs/depths-by-example.md say: written by hand, about one change of this project's own history.
 * Tags and the ids of evidence are taken from the prompt; some are wrong on purpose.
 */
import type { CodedStep } from '../../test/helpers/fakes/scenario/script.ts'
import { type Judged, judging } from '../../test/helpers/judge-answer.ts'
import { emptyAnswer } from '../../test/helpers/reviewer-answer.ts'
import { type CallArguments, scoutCall } from '../../test/helpers/scout-call.ts'
import { collectingTime, flagAnyText, leftOutPlanes, madeUpQuote, notExported, wrongTag } from './findings.ts'
import { twoReaders } from './readers.ts'

const nothing = emptyAnswer

const quick: CodedStep[] = [
  {
    answer: 'good',
    value: {
      ...nothing,
      findings: [leftOutPlanes(), madeUpQuote, wrongTag, notExported, flagAnyText],
      context_requests: [
        {
          what: 'code',
          file: 'src/cli/run-review.ts',
          symbol: '',
          line_start: 11,
          line_end: 21,
          reason: 'whether the flag may hold any text',
        },
      ],
    },
  },
  {
    answer: 'good',
    value: {
      ...nothing,
      verdicts: [
        { finding: 'F1', verdict: 'confirmed', reason: 'The requested lines do not affect it.' },
        { finding: 'F5', verdict: 'dismissed', reason: 'The type of the flag is `Severity | undefined`.' },
      ],
    },
  },
]

/** One look around with two tools, then enough. `more`: arguments of tools that only some reviews have. */
function scout(more: CallArguments = {}): CodedStep[] {
  const lines = { path: 'src/pipeline/review.ts', line_start: 40, line_end: 50 }
  const tools = [
    scoutCall('grep', { ...more, query: 'configHash', path: 'src/pipeline' }),
    scoutCall('read_file', { ...more, ...lines }),
  ]
  return [
    { answer: 'good', value: { reasoning: 'What is made of the configuration?', tools, done: false } },
    { answer: 'good', value: { reasoning: 'The hash is taken of all of it.', tools: [], done: true } },
  ]
}

const standard: CodedStep[] = [
  ...scout(),
  {
    answer: 'good',
    value: {
      ...nothing,
      findings: [
        leftOutPlanes({
          id: { $evidenceAt: '"src/pipeline/review.ts:' },
          quote: 'const configHash = sha256(canonicalJson(config))',
        }),
        collectingTime,
        notExported,
      ],
    },
  },
  independentCheck(),
]

/** By depth; `offline` asks no model. */
export const scripts: Readonly<Record<'quick' | 'standard' | 'deep', CodedStep[]>> = {
  quick,
  standard,
  deep: [
    ...scout({ id: null }),
    ...twoReaders,
    independentCheck({
      quotes: [],
      reason: 'Nothing in the message shows who relies on it.',
      judgement: 'undecided',
    }),
  ],
}

/** A judge is asked about all findings in one question: each judgement is found by the words of its finding. */
function independentCheck(others: Judged | null = null): CodedStep {
  const refuted = {
    quotes: [
      {
        id: { $tagAt: 'const startedAt = performance.now()' },
        quote: 'const startedAt = performance.now()',
        bears: 'against',
      },
    ],
    reason: 'The clock is started on the line before `collect` is awaited, so the collecting is counted.',
    judgement: 'refuted',
  }
  const upheld = {
    quotes: [
      {
        id: { $tagAt: 'review: { ...read.review, ...options.overrides }' },
        quote: 'review: { ...read.review, ...options.overrides }',
        bears: 'for',
      },
    ],
    reason: 'Only the keys of `review` are replaced.',
    judgement: 'upheld',
  }
  return judging({ [collectingTime.title]: refuted, [leftOutPlanes().title]: upheld }, others)
}
