/**
 * JUnit's XML, which CI systems show as a list of tests: each reviewed file is a test that passes, each finding one that fails,
 * each file that was not reviewed one that was skipped.
 */
import { escapeMarkup } from '../../base/escape-markup.ts'
import type { Finding } from '../../domain/finding.ts'
import type { Review } from '../../domain/review.ts'

export function renderJunit(review: Review): string {
  const found = new Set(review.findings.map(({ anchor }) => anchor.path))
  const open = review.coverage.files.filter(({ state }) => state !== 'reviewed')
  const skipped = new Set(open.map(({ path }) => path))
  const passed = review.files.filter(({ path }) => !found.has(path) && !skipped.has(path))
  const cases = [
    ...review.findings.map(failure),
    ...open.map(
      ({ path, state, reason }) =>
        `${opening(path, 'not reviewed')}><skipped message=${quoted(`${state}: ${reason ?? 'no reason given'}`)}/></testcase>`,
    ),
    ...passed.map(({ path }) => `${opening(path, 'reviewed')}/>`),
  ]
  const counts = `tests="${cases.length}" failures="${review.findings.length}" skipped="${open.length}" errors="0"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="sightline" ${counts}>`,
    `  <testsuite name=${quoted(review.request.source.label)} ${counts} time="${(review.run.durationMs / 1000).toFixed(3)}">`,
    ...cases.map((one) => `    ${one}`),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function failure({ anchor, startLine, severity, title, explanation, remedy, rule }: Finding): string {
  const place = `${anchor.path}:${startLine}`
  const text = [place, explanation, ...(remedy === null ? [] : [remedy])].join('\n')
  return `${opening(anchor.path, `${rule} (line ${startLine})`)}><failure type=${quoted(severity)} message=${quoted(title)}>${escapeMarkup(text)}</failure></testcase>`
}

function opening(path: string, name: string): string {
  return `<testcase classname=${quoted(path)} name=${quoted(name)}`
}

function quoted(text: string): string {
  return `"${escapeMarkup(text).replaceAll('\n', '&#10;')}"`
}
