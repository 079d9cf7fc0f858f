/**
 * Writes schema/problem-matchers: how GitHub and VS Code find the lines of `--format compact` in an output.
 * `node scripts/problem-matchers.ts` writes; test/scripts/problem-matchers.test.ts checks.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { severities } from '../src/domain/severity.ts'
import type { DerivedFile } from './config-reference.ts'

const folder = join(import.meta.dirname, '../schema/problem-matchers')

/** Their words for how bad something is. */
const levels = [
  { severity: 'error', words: severities.slice(0, 2) },
  { severity: 'warning', words: severities.slice(2) },
] as const

/** `src/a.ts:12: high: What is wrong [rules js/some-rule]` */
function pattern(words: readonly string[]): { regexp: string; file: 1; line: 2; message: 3; code: 4 } {
  const regexp = `^(?!\\s)(.+?):(\\d+): (?:${words.join('|')}): (.+) \\[\\S+ (\\S+)\\]$`
  return { regexp, file: 1, line: 2, message: 3, code: 4 }
}

export function deriveProblemMatchers(): DerivedFile[] {
  const github = {
    problemMatcher: levels.map(({ severity, words }) => ({
      owner: `sightline-${severity}`,
      severity,
      pattern: [pattern(words)],
    })),
  }
  const vscode = levels.map(({ severity, words }) => ({
    owner: 'sightline',
    source: 'sightline',
    severity,
    fileLocation: ['relative', ['$', '{workspaceFolder}'].join('')],
    pattern: pattern(words),
  }))
  return [
    { path: join(folder, 'github.json'), text: `${JSON.stringify(github, null, 2)}\n` },
    { path: join(folder, 'vscode.json'), text: `${JSON.stringify(vscode, null, 2)}\n` },
  ]
}

if (import.meta.main)
  for (const { path, text } of deriveProblemMatchers()) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
