/** The last steps before the reader: safe text, safe JSON, and the exit code. */
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { exitCodeOf, reportOutcome } from '../../src/cli/output/outcome.ts'
import {
  asciiJson,
  escapeJsonText,
  keepColors,
  withoutRunnerCommands,
} from '../../src/cli/output/safe-text.ts'
import { openTerminal, type Terminal } from '../../src/cli/terminal.ts'
import type { Review } from '../../src/index.ts'
import { createRepo } from '../helpers/git-repo.ts'
import { sampleReview } from '../helpers/sample-review.ts'
import { sightline } from '../helpers/sightline.ts'

test('colours pass, everything else that a terminal obeys does not', () => {
  expect(keepColors('\u001b[1;31mred\u001b[0m\ttab\nline')).toBe('\u001b[1;31mred\u001b[0m\ttab\nline')
  expect(keepColors('\u001b]0;title\u0007\u001b[2J\u001b[H\u009b31m\rgone\b')).toBe(']0;title[2J[H31mgone')
  expect(keepColors('\u0007[31mno escape before it')).toBe('[31mno escape before it')
})

test.each([
  [{}, false, false],
  [{}, true, true],
  [{ TERM: 'dumb' }, true, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
] as const)('colours only where they are wanted: %j, at a terminal: %s', (environment, isTTY, wanted) => {
  const stream = Object.assign(new PassThrough(), { isTTY })
  const shell = { environment, stdin: new PassThrough(), stdout: stream, stderr: stream, facts: null }
  expect(openTerminal(shell).colors('result')).toBe(wanted)
})

test('JSON stays the same value and holds no hidden character', () => {
  const value = { text: 'a\u0007\u009b\u202e\u2028\u{e0041}é🔴', list: [1, null] }
  for (const json of [asciiJson(value), escapeJsonText(JSON.stringify(value, null, 2))]) {
    expect(JSON.parse(json)).toEqual(value)
    expect(json.replaceAll('\n', '')).toMatch(/^[^\p{Cc}\p{Cf}\u2028]+$/u)
    expect(json).toContain('é🔴')
  }
})

test('no line of a report is a command to the runner of a CI job', () => {
  const text =
    '::error file=a::b\n\u00a0 ::add-mask::c\nstd::move\nx ##[set-output name=v;]APPROVE ##vso[task]y #[test]'
  expect(withoutRunnerCommands(text)).toBe(
    ': :error file=a::b\n\u00a0 : :add-mask::c\nstd::move\nx # #[set-output name=v;]APPROVE # #vso[task]y #[test]',
  )
  const json = asciiJson({ text })
  expect(json).not.toMatch(/##\w*\[/)
  expect(JSON.parse(json)).toEqual({ text })
  expect(withoutRunnerCommands(json)).toBe(json)
})

test('in a CI job the command itself keeps to that, and elsewhere it prints what there is', async () => {
  const words = '##[group]c'
  const repo = createRepo()
  repo.commit({ 'a.ts': 'export const a = 1\n' })
  const [job, elsewhere] = await Promise.all([
    sightline(['def', words, '--repo', repo.path], { env: { CI: 'true' } }),
    sightline(['def', words, '--repo', repo.path]),
  ])
  expect(job.stdout + job.stderr).toContain('# #[group]c')
  expect(job.stdout + job.stderr).not.toContain(words)
  expect(elsewhere.stdout + elsewhere.stderr).toContain(words)
})

type Part = { severity: 'critical' | 'high' | 'medium' | 'low'; preExisting?: boolean }

function code(
  findings: Part[],
  complete: boolean,
  failOn: 'high' | 'low' | 'never',
  requireComplete = false,
) {
  const all = findings.map(({ severity, preExisting = false }) => ({ severity, preExisting }))
  return codeOf({ findings: all, coverage: { complete } }, { failOn, requireComplete })
}

/** Only these parts of a review count for its exit code. */
function codeOf(
  parts: Record<string, unknown> & { coverage: object },
  asked: Partial<Parameters<typeof exitCodeOf>[1]> = {},
) {
  const coverage = { files: [], ...parts.coverage }
  return exitCodeOf({ ...parts, coverage } as unknown as Review, {
    failOn: 'high',
    requireComplete: false,
    allowIncomplete: false,
    ...asked,
  })
}

test('what a change newly excludes counts where all must be reviewed', () => {
  const file = { path: 'lib/i.min.js', state: 'excluded', reason: 'minified', newlyExcluded: true }
  const review = { findings: [], coverage: { complete: true, files: [file] } }
  expect(codeOf(review)).toBe(0)
  expect(codeOf(review, { requireComplete: true })).toBe(4)
  const earlier = {
    findings: [],
    coverage: { complete: true, files: [{ ...file, newlyExcluded: undefined }] },
  }
  expect(codeOf(earlier, { requireComplete: true })).toBe(0)
})

test('what a filter hides counts', () => {
  const hidden = [{ id: 'C1', severity: 'critical', preExisting: false, by: '--skip rules' }]
  expect(codeOf({ findings: [], hidden, coverage: { complete: true } })).toBe(1)
})

test.each([
  ['failed', 4],
  ['refused', 4],
  ['truncated', 4],
  ['unusable', 4],
  ['over-budget', 5],
  ['declined', 0],
  ['not-asked', 0],
] as const)('a question that ended as %s makes the exit code %i', (outcome, exit) => {
  const models = { groups: [{ outcome: 'answered' }, { outcome }] }
  const parts = { findings: [], coverage: { complete: false }, models }
  expect(codeOf(parts)).toBe(exit)
  expect(codeOf(parts, { allowIncomplete: true })).toBe(exit === 4 ? 0 : exit)
  expect(codeOf({ ...parts, findings: [{ severity: 'high', preExisting: false }] })).toBe(1)
})

test('the exit code follows from severity, coverage and what was asked', () => {
  expect(code([], true, 'high')).toBe(0)
  expect(code([{ severity: 'medium' }], true, 'high')).toBe(0)
  expect(code([{ severity: 'high' }], true, 'high')).toBe(1)
  expect(code([{ severity: 'critical' }], true, 'high')).toBe(1)
  expect(code([{ severity: 'critical' }], true, 'never')).toBe(0)
  expect(code([{ severity: 'critical', preExisting: true }], true, 'low')).toBe(0)
  expect(code([], false, 'high')).toBe(0)
  expect(code([], false, 'high', true)).toBe(4)
  expect(code([{ severity: 'high' }], false, 'high', true)).toBe(1)
})

test('what was not published is named and never clean, whichever command ends with it', async () => {
  const said: string[] = []
  const terminal = { note: (text: string) => said.push(text) } as unknown as Terminal
  const outcome = {
    review: { ...sampleReview(), findings: [] },
    refused: [
      {
        id: 'F1',
        title: 'A title',
        severity: 'medium' as const,
        preExisting: false,
        reason: 'its line numbers differ',
      },
    ],
    remarks: ['a remark'],
    format: 'terminal' as const,
    failOn: 'high' as const,
    requireComplete: false,
    allowIncomplete: false,
  }
  expect(await reportOutcome(outcome, { quiet: true, progress: false }, terminal)).toBe(4)
  expect(said).toEqual(['sightline: not published: A title (medium): its line numbers differ\n'])
  expect(await reportOutcome(outcome, { quiet: false, progress: true }, terminal)).toBe(4)
  expect(said).toHaveLength(1)
  expect(await reportOutcome({ ...outcome, failOn: 'medium' }, { quiet: false }, terminal)).toBe(1)
})
