/** The same steps over a real repository: git's diff, git's objects, and facts from the real index. */
import { afterAll, expect, test } from 'vitest'
import { defaultConfig } from '../../../src/config/schema.ts'
import type { Candidate } from '../../../src/domain/finding.ts'
import { formatFileTag } from '../../../src/domain/line-tag.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import { readChangeSet } from '../../../src/pipeline/diff/read-change-set.ts'
import { diffSymbols } from '../../../src/pipeline/diff/symbol-changes.ts'
import { validateCandidates } from '../../../src/pipeline/validation/validate.ts'
import { createRepo } from '../../helpers/git-repo.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'
import { candidate, contextOf, evidenceOf, tagAt } from './world.ts'

const facts = sharedFacts()
afterAll(() => facts.close())

test('callers, suggestions and file tags are judged by what git and the index say', async () => {
  const repo = createRepo()
  const caller = "import { parse } from './a.ts'\nexport const one = parse('1')\n// parse('2') was here\n"
  repo.commit({
    'src/a.ts': 'export function parse(text: string) {\n  return text\n}\n',
    'src/b.ts': caller,
    'logo.png': new Uint8Array([0, 1, 2]),
  })
  repo.commit({
    'src/a.ts': 'export function parse(text: string, strict: boolean) {\n  return text\n}\n',
    'logo.png': new Uint8Array([0, 1, 3]),
  })
  const { limits } = defaultConfig
  const collected = await collectLocal({
    folder: repo.path,
    selector: { kind: 'commit', commit: 'HEAD' },
    limits,
  })
  try {
    const { base, head, history } = collected
    const change = await readChangeSet(await collected.diff(), { ...defaultConfig.paths, base })
    const symbols = await diffSymbols({ change, base, head, facts })
    const evidence = [evidenceOf('src/b.ts', 2, "export const one = parse('1')")]
    const tags = [tagAt(change, 'src/a.ts', 1)]
    const claim = (line: number): Candidate['claims'][number] => ({
      kind: 'caller-not-updated',
      symbol: 'parse',
      definedIn: 'src/a.ts',
      path: 'src/b.ts',
      line,
    })
    const suggest = (replacement: string) => ({ path: 'src/a.ts', startLine: 1, endLine: 1, replacement })
    const cites = [{ evidence: 'E1', quote: "parse('1')" }]
    const shared = {
      severity: 'medium' as const,
      confidence: 'likely' as const,
      anchor: { path: 'src/a.ts', tags },
      evidence: cites,
    }
    const candidates = [
      candidate({
        ...shared,
        id: 'C1',
        claims: [claim(2)],
        suggestion: suggest('export function parse(text: string, strict = false) {'),
      }),
      candidate({ ...shared, id: 'C2', rule: 'r/2', claims: [claim(3)] }),
      candidate({
        ...shared,
        id: 'C3',
        rule: 'r/3',
        claims: [claim(2)],
        suggestion: suggest('export function parse(text: string {'),
      }),
      candidate({
        id: 'C4',
        rule: 'r/4',
        severity: 'low',
        anchor: { path: 'logo.png', tags: [formatFileTag('logo.png')] },
        evidence: cites,
      }),
    ]
    const context = contextOf(change, { symbols, evidence })
    const planes = ['contract']
    const verdicts = await validateCandidates({
      candidates,
      context,
      base,
      head,
      history,
      facts,
      config: defaultConfig,
      planes,
    })
    expect(
      verdicts.map(({ candidate: { id }, outcome, step, reason }) => [
        id,
        outcome,
        step,
        reason.slice(0, 60),
      ]),
    ).toEqual([
      ['C1', 'kept', 'kept', expect.any(String)],
      ['C3', 'demoted', 'suggestion', 'suggestion shown as an example only: the file would no longe'],
      ['C4', 'kept', 'kept', expect.any(String)],
      ['C2', 'dropped', 'claims', expect.stringContaining('A claim is false (caller-not-updated)')],
    ])
    expect(verdicts[0]?.finding).toMatchObject({
      startLine: 1,
      verifiedBy: expect.arrayContaining(['the suggestion applies and parses']),
    })
    expect(verdicts[2]?.finding).toMatchObject({
      startLine: 1,
      excerpt: [],
      anchor: { tags: [formatFileTag('logo.png')] },
    })
  } finally {
    await collected.close()
  }
})
