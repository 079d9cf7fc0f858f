/**
 * A reviewer that follows a written rule instead of thinking, so that the cost of follow-ups can be counted without a
 * model. It is careful in one way: for a changed source file whose diff begins inside something (an indented line) and
 * of which no surrounding definition was shown, it asks for the lines above. It finds one thing in each prompt.
 */
import type { Call } from '../../test/helpers/fakes/contract.ts'
import type { CodedStep } from '../../test/helpers/fakes/scenario/script.ts'
import { emptyAnswer, plainFinding } from '../../test/helpers/reviewer-answer.ts'

const linesAbove = 40

export const scriptedReviewer: CodedStep[] = [{ answer: 'good', times: 'always', answerFrom: answerOf }]

const empty = emptyAnswer

function answerOf(call: Call): object {
  if (call.lastTurn.includes('Your findings:'))
    return {
      ...empty,
      verdicts: [
        {
          finding: 'F1',
          verdict: call.prompt.length % 2 === 0 ? 'confirmed' : 'dismissed',
          reason: 'by rule',
        },
      ],
    }
  const file = /"diff of ([^"\n]+)"\nfile /.exec(call.prompt)?.[1]
  const line = /\n\[(L\d+#[0-9a-z]{3})\] \+[ \t]*(\S[^\n]*)/.exec(call.prompt)
  const findings =
    file && line
      ? [
          {
            ...plainFinding,
            file,
            tags: [line[1]],
            evidence: [{ id: line[1], quote: line[2] }],
            explanation: 'A rule said so.',
            title: 'The first added line',
            category: 'maintainability',
            severity: 'low',
            confidence: 'possible',
            claims: [],
            remedy: null,
          },
        ]
      : []
  return { ...empty, findings, context_requests: findings.length > 0 ? requestsOf(call.prompt) : [] }
}

function requestsOf(prompt: string): object[] {
  for (const [, file = '', diff = ''] of prompt.matchAll(/"diff of ([^"\n]+)"\n([\s\S]*?)\n>>>end /g)) {
    if (!/^file [^\n]*, source, /.test(diff) || prompt.includes(`around a changed line in ${file}:`)) continue
    const first = /\n@@ -\d+,\d+ \+(\d+),\d+ @@[^\n]*\n\[[^\]]+\] [-+ ][ \t]+\S/.exec(diff)
    const start = Number(first?.[1] ?? 0)
    if (start > 5)
      return [
        {
          file,
          symbol: '',
          line_start: Math.max(1, start - linesAbove),
          line_end: start - 1,
          reason: 'the diff begins inside something that is not shown',
        },
      ]
  }
  return []
}
