import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { citedWords, quotedWords } from '../../../src/domain/proof.ts'
import type { RenderOptions } from '../../../src/pipeline/publish/contract.ts'
import { linksAt } from '../../../src/pipeline/publish/links.ts'
import { formats } from '../../../src/pipeline/publish/registry.ts'
import { sampleEvidence, sampleFinding, sampleReview } from '../../helpers/sample-review.ts'

const options: RenderOptions = { color: false, width: 80, explain: false, maxInline: 8 }

describe('terminal', () => {
  test('shows severity, place, code, reason, evidence, remedy and how it was checked', () => {
    expect(
      formats.terminal(sampleReview(), options),
    ).toBe(`REQUEST_CHANGES: 1 high finding. Code checks only; no model reviewed this
change.
Sightline branch feature against main · depth offline · reviewed 1 of 2
  changed files, 1 left out by rule · 1.2 s

Changes 2 files.

HIGH contract parse now needs 2 arguments; 1 caller still passes 1
    src/parse.ts:12

    12 │ + export function parse(text: string, strict: boolean) {

    The call in src/app.ts fails to compile.
    It was not updated with the change.

    Evidence
    E1  src/app.ts:4  caller of parse
          parse(input)

    Fix  Pass strict in src/app.ts:4, or give it a default.

    Checked  1 claim confirmed by the code index
    contract/signature-arity · certain · ffffffffffff

REQUEST_CHANGES: 1 high finding. Code checks only; no model reviewed this
change.
Coverage  reviewed 1 of 2 changed files, 1 left out by rule
  big.bin: excluded, binary
  the clone is shallow
  Every finding cites lines of this change, and its quotes match the files word
  for word.
bundle cccccccccccc
`)
  })

  test('a review without findings is a few lines, and only what counts with --quiet', () => {
    const clean = sampleReview({
      findings: [],
      conclusion: {
        word: 'CHECKS_ONLY',
        headline: 'No findings. Code checks only; no model reviewed this change.',
        notices: ['1 low finding hidden by --min-severity high.'],
      },
    })
    expect(
      formats.terminal(clean, { ...options, width: 100 }),
    ).toBe(`No findings. Code checks only; no model reviewed this change.
  1 low finding hidden by --min-severity high.
Sightline branch feature against main · depth offline · reviewed 1 of 2 changed files, 1 left out
  by rule · 1.2 s
Changes 2 files.
  big.bin: excluded, binary
  the clone is shallow
`)
    expect(
      formats.terminal(clean, { ...options, brief: true }),
    ).toBe(`No findings. Code checks only; no model reviewed this change.
  1 low finding hidden by --min-severity high.
  big.bin: excluded, binary
  the clone is shallow
`)
  })

  test('what holds for every finding is said once, not under each', () => {
    const verifiedBy = [citedWords, `1 quote stands ${quotedWords}`, '1 claim confirmed by the code index']
    const findings = ['C1', 'C2'].map((id) => sampleFinding({ id, verifiedBy }))
    const text = formats.terminal(sampleReview({ findings }), options)
    expect(text).not.toContain(citedWords)
    expect(text.match(/Every finding cites lines/g)).toHaveLength(1)
    expect(text.match(/Checked {2}1 claim confirmed by the code index\n/g)).toHaveLength(2)
  })

  test('writes no escape code without colour, and some with it', () => {
    expect(formats.terminal(sampleReview(), options)).not.toContain('\u001b')
    expect(formats.terminal(sampleReview(), { ...options, color: true })).toContain('\u001b[')
  })

  test('makes control characters of foreign text visible', () => {
    const review = sampleReview({
      findings: [sampleFinding({ title: 'bad \u001b[31mred\u001b[0m \u202e `x\u0007`' })],
      evidence: [sampleEvidence({ path: 'src/\u001b]0;title\u0007.ts' })],
    })
    const text = formats.terminal(review, options)
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    expect(text).toContain('⟦U+001B⟧')
  })

  test('folds what is beyond the limit to one line each, and never loses it', () => {
    const findings = Array.from({ length: 5 }, (_, i) =>
      sampleFinding({ id: `C${i}`, title: `problem number ${i}` }),
    )
    const text = formats.terminal(sampleReview({ findings }), { ...options, maxInline: 2 })
    expect(text).toContain('3 more findings')
    for (const { title } of findings) expect(text).toContain(title)
  })

  test('keeps within the width', () => {
    const finding = sampleFinding({
      explanation: 'word '.repeat(200),
      title: `a \`${'x'.repeat(20)}\` `.repeat(8),
    })
    const text = formats.terminal(sampleReview({ findings: [finding] }), options)
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('explains what was dropped', () => {
    const candidate = sampleFinding()
    const review = sampleReview({
      verdicts: [
        { candidate, outcome: 'dropped', step: 'anchor', reason: 'tag not in the diff', finding: null },
      ],
    })
    expect(formats.terminal(review, { ...options, explain: true })).toContain('tag not in the diff')
    expect(formats.terminal(review, options)).not.toContain('tag not in the diff')
  })
})

describe('markdown', () => {
  test('has the sections of the format in order', () => {
    const headings = [...formats.markdown(sampleReview(), options).matchAll(/^##+ (.*)$/gm)].map(
      (match) => match[1],
    )
    expect(headings).toEqual([
      'Summary',
      'Key Changes',
      'Issues',
      '🔴 **high** · contract · `parse` now needs 2 arguments; 1 caller still passes 1 · `src/parse.ts:12`',
      'Important Files Changed',
      'Conclusion',
    ])
  })

  test('says the word of the conclusion once', () => {
    const conclusion = { word: 'NEEDS_DISCUSSION', headline: 'NEEDS_DISCUSSION: 1 medium finding.' } as const
    expect(formats.markdown(sampleReview({ conclusion: { ...conclusion, notices: [] } }), options)).toContain(
      '## Conclusion\n\n**NEEDS_DISCUSSION**: 1 medium finding.\n',
    )
  })

  test('says so when there is nothing', () => {
    expect(formats.markdown(sampleReview({ findings: [] }), options)).toMatch(/^\*\*REQUEST\\?_CHANGES/)
  })

  test('is one short block where nobody has anything to do, with all else folded', () => {
    const review = sampleReview({
      findings: [],
      conclusion: { word: 'APPROVE', headline: 'APPROVE: no findings.', notices: [] },
      confidence: { score: 4, reasons: ['A model read it once.'] },
    })
    const text = formats.markdown(review, options)
    const [seen = '', hidden = ''] = text.split('<details>', 2)
    expect(seen).toBe(
      '**APPROVE: no findings.**\n\nConfidence 4/5 · reviewed 1 of 2 changed files, 1 left out by rule\n\n',
    )
    expect(hidden).toContain('## Summary')
    const open = { ...review, coverage: { ...review.coverage, complete: false } }
    expect(formats.markdown(open, options)).toMatch(/^## Summary/m)
  })

  test('offers a suggestion for committing only where the host can take it, else shows it as a diff', () => {
    const suggestion = { path: 'src/parse.ts', startLine: 12, endLine: 12, replacement: 'one\ntwo' }
    const review = sampleReview({ findings: [sampleFinding({ suggestion })] })
    const old = review.findings[0]?.excerpt[0]?.text
    expect(formats.markdown(review, options)).toContain(`line 12:\n\n\`\`\`diff\n-${old}\n+one\n+two\n\`\`\``)
    expect(formats.markdown(review, { ...options, committable: true })).toContain(
      'line 12:\n\n```suggestion\none\ntwo\n```',
    )
    expect(formats.terminal(review, options)).toContain(`line 12\n      - ${old}\n      + one\n      + two\n`)
    const partly = sampleReview({ findings: [sampleFinding({ suggestion: { ...suggestion, endLine: 13 } })] })
    expect(formats.markdown(partly, options)).toContain('lines 12 to 13:\n\n```diff\n+one\n+two\n```')
  })

  test('links to the host where one is known', () => {
    const review = sampleReview()
    const link = linksAt('https://github.com/owner/name/', review.request)
    const text = formats.markdown(review, link ? { ...options, link } : options)
    const head = review.request.head.commit
    expect(text).toContain(
      `[\`src/parse.ts:12\`](<https://github.com/owner/name/blob/${head}/src/parse.ts#L12>)`,
    )
    expect(text).toContain(`[\`src/app.ts:4\`](<https://github.com/owner/name/blob/${head}/src/app.ts#L4>)`)
  })

  test.each([
    ['github', 'https://git.example.com', 'blob', '#L3-L5'],
    ['gitlab', 'https://git.example.com', '-/blob', '#L3-5'],
    ['forgejo', 'https://git.example.com', 'src/commit', '#L3-L5'],
    [undefined, 'https://github.com', 'blob', '#L3-L5'],
    [undefined, 'https://gitlab.com', '-/blob', '#L3-5'],
    [undefined, 'https://codeberg.org', 'src/commit', '#L3-L5'],
  ] as const)('each host has its own pages of files: %s at %s', (kind, host, tree, lines) => {
    const { request } = sampleReview()
    const link = linksAt(`${host}/owner/name`, request, kind)
    expect(link?.({ path: 'src/a b.ts', side: 'new', startLine: 3, endLine: 5 })).toBe(
      `${host}/owner/name/${tree}/${request.head.commit}/src/a%20b.ts${lines}`,
    )
  })
})

describe('links', () => {
  const { request } = sampleReview()
  const place = { path: 'a.ts', side: 'new', startLine: 3, endLine: 3 } as const

  test.each([
    'ftp://host/o/n',
    'javascript:alert(1)',
    'https://me@host/o/n',
    'https://:key@host/o/n',
    'https://host/o/n?a',
    'https://host/o/n#a',
    'no address',
  ])('%s is no address of a repository', (address) => {
    expect(linksAt(address, request, 'github')).toBeNull()
  })

  test('they stay in one commit of the repository: the head, or the base for what was there', () => {
    const link = linksAt('http://host/o/n', request, 'github')
    const page = (commit: string | null, rest: string) => `http://host/o/n/blob/${commit}/${rest}`
    expect(link?.(place)).toBe(page(request.head.commit, 'a.ts#L3'))
    expect(link?.({ ...place, side: 'old' })).toBe(page(request.base.commit, 'a.ts#L3'))
    expect(link?.({ ...place, endLine: null })).toBe(page(request.head.commit, 'a.ts#L3'))
    expect(link?.({ ...place, startLine: null, endLine: null })).toBe(page(request.head.commit, 'a.ts'))
    expect(link?.({ ...place, path: '?#/%2e' })).toBe(page(request.head.commit, '%3F%23/%252e#L3'))
    for (const path of ['..', 'a/../../x', './a', 'a//b', '/a', ''])
      expect(link?.({ ...place, path })).toBeNull()
    const head = { ...request.head, commit: null }
    expect(linksAt('http://host/o/n', { ...request, head }, 'github')?.(place)).toBeNull()
  })
})

describe('rdjson', () => {
  test('maps severity, place and related places', () => {
    expect(JSON.parse(formats.rdjson(sampleReview(), options)).diagnostics[0]).toMatchObject({
      severity: 'ERROR',
      code: { value: 'contract/signature-arity' },
      location: { path: 'src/parse.ts', range: { start: { line: 12 }, end: { line: 12 } } },
      related_locations: [
        { location: { path: 'src/app.ts', range: { start: { line: 4 }, end: { line: 4 } } } },
      ],
    })
  })

  test('a finding on a removed line has no range at the head', () => {
    const review = sampleReview({ findings: [sampleFinding({ side: 'old' })] })
    expect(JSON.parse(formats.rdjson(review, options)).diagnostics[0].location).toEqual({
      path: 'src/parse.ts',
    })
  })
})

describe('code-quality', () => {
  test('an entry for each finding, in one line of plain text', () => {
    const findings = [
      sampleFinding({ title: 'Two\nlines \u202eback', startLine: 12, endLine: 14 }),
      sampleFinding({ severity: 'low', side: 'old', startLine: 99, endLine: 99 }),
    ]
    const [first, second] = JSON.parse(formats['code-quality'](sampleReview({ findings }), options))
    expect(first).toMatchObject({
      check_name: 'contract/signature-arity',
      severity: 'critical',
      location: { path: 'src/parse.ts', lines: { begin: 12, end: 14 } },
    })
    expect(first.description).toMatch(/^Two.*lines ⟦U\+202E⟧back$/)
    expect(second).toMatchObject({ severity: 'minor', location: { lines: { begin: 1 } } })
  })
})

describe('compact', () => {
  test('a line for each finding, whatever its title holds, and one for each gap', () => {
    const findings = [
      sampleFinding({ title: 'Two\nlines \u202eback' }),
      sampleFinding({ side: 'old', startLine: 99, severity: 'low', title: 'Gone' }),
    ]
    const review = sampleReview({ findings })
    const lines = formats.compact(review, options).trimEnd().split('\n')
    expect(lines[0]).toMatch(
      /^src\/parse\.ts:12: high: Two.*lines ⟦U\+202E⟧back \[contract contract\/signature-arity\]$/,
    )
    expect(lines[1]).toBe(
      'src/parse.ts:99: low: Gone (before the change) [contract contract/signature-arity]',
    )
    const open = review.coverage.files.filter(({ state }) => state !== 'reviewed')
    expect(open.length).toBeGreaterThan(0)
    for (const { path, state } of open)
      expect(lines).toContainEqual(expect.stringContaining(`${path}:1: note: not reviewed (${state})`))
  })
})

describe('junit', () => {
  test('well-formed XML in which findings fail and unread files are skipped', () => {
    const title = `a < b & "c" \u0007 ]]> <testcase>`
    const review = sampleReview({ findings: [sampleFinding({ title })] })
    const seen: { name: string; attributes: Record<string, string> }[] = []
    const parser = new SaxesParser()
    parser.on('error', (error) => {
      throw error
    })
    parser.on('opentag', ({ name, attributes }) => seen.push({ name, attributes }))
    parser.write(formats.junit(review, options)).close()
    const named = (name: string) => seen.filter((one) => one.name === name)
    const skipped = review.coverage.files.filter(({ state }) => state !== 'reviewed').length
    expect(named('failure')).toHaveLength(1)
    expect(named('failure')[0]?.attributes.message).toContain('a < b & "c"')
    expect(named('skipped')).toHaveLength(skipped)
    expect(named('testsuite')[0]?.attributes).toMatchObject({
      tests: `${named('testcase').length}`,
      failures: '1',
      skipped: `${skipped}`,
    })
  })
})

describe('sarif', () => {
  test('no more results than code scanning takes, the most important ones, and a word on the rest', () => {
    const findings = Array.from({ length: 5_003 }, (_, at) => sampleFinding({ id: `C${at}` }))
    const [run] = JSON.parse(formats.sarif({ ...sampleReview(), findings }, options)).runs
    expect(run.results).toHaveLength(5_000)
    const said = run.invocations[0].toolExecutionNotifications.map(
      ({ message }: { message: { text: string } }) => message.text,
    )
    expect(said).toContainEqual(expect.stringContaining('3 less important findings were left out'))
  })

  test('maps severities to levels and keeps fingerprints', () => {
    const findings = (['critical', 'high', 'medium', 'low'] as const).map((severity) =>
      sampleFinding({ severity, rule: `contract/${severity}` }),
    )
    const [run] = JSON.parse(formats.sarif(sampleReview({ findings }), options)).runs
    expect(run.results.map((result: { level: string }) => result.level)).toEqual([
      'error',
      'error',
      'warning',
      'note',
    ])
    expect(run.results[0].partialFingerprints).toEqual({ 'sightline/v1': 'f'.repeat(64) })
    for (const result of run.results) expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId)
  })

  test('encodes odd paths as relative addresses', () => {
    const review = sampleReview({
      findings: [sampleFinding({ anchor: { path: 'a b/ü#1.ts', tags: ['L12#000'] } })],
    })
    const { artifactLocation } = JSON.parse(formats.sarif(review, options)).runs[0].results[0].locations[0]
      .physicalLocation
    expect(artifactLocation.uri).toBe('a%20b/%C3%BC%231.ts')
  })
})
