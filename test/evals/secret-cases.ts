/** A mirror with changes that each bring a secret, and one that brings none. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { EvalCase } from '../../evals/cases/eval-case.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { caseOf, faultAt, placeAt } from './case-of.ts'

/** `fault-1` … with the secret on line 2 of `aN.ts`, then `clean`. */
export function secretCases(count: number): { mirrors: string; cases: EvalCase[] } {
  const repo = createRepo()
  let base = repo.commit({ 'readme.md': 'begin\n' })
  const cases: EvalCase[] = []
  for (let at = 1; at <= count; at++) {
    const token = `ghp_${String(at).padStart(2, '0')}${'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3h'}`
    const head = repo.commit({ [`a${at}.ts`]: `export const name = 'a'\nexport const token = '${token}'\n` })
    const expected = [faultAt(placeAt(`a${at}.ts`, 2), { category: 'security' })]
    cases.push(caseOf({ id: `fault-${at}`, base, head, expected }))
    base = head
  }
  const head = repo.commit({ 'b.md': 'nothing is wrong here\n' })
  cases.push(caseOf({ id: 'clean', kind: 'clean', base, head }))
  const mirrors = temporaryFolder()
  mkdirSync(join(mirrors, 'owner+name'))
  execFileSync('git', ['clone', '--quiet', '--bare', repo.path, join(mirrors, 'owner+name', 'repo')])
  return { mirrors, cases }
}
