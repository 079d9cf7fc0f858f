/**
 * Danger: https://danger.systems. Its file is a program, which cannot be carried over and is never run. What it checks is
 * listed by the calls that report something, each with its line and with what serves the purpose here.
 */
import type { Conversion, ReviewTool, SettingNote, SettingRow } from './contract.ts'

/** The first whose pattern the call matches decides. */
const topics: readonly (SettingRow & { words: RegExp })[] = [
  {
    setting: 'results of linters, coverage and tests',
    words:
      /\w\.(?:lint|report|scan|check_format|run)|\b(?:eslint|swiftlint|rubocop|ktlint|detekt|checkstyle|tslint|lint|coverage|junit|jacoco)\b/i,
    outcome: 'different',
    says: 'Write the results as SARIF, rdjson or Checkstyle and pass them with `--sarif FILE` (docs/linters.md).',
  },
  {
    setting: 'focused tests and debug output',
    words: /\b(?:fdescribe|fit|fcontext|\.only|debugger|binding\.pry|console\.log|print(?:ln)?)\b/i,
    outcome: 'different',
    says: 'Built-in rules find focused tests and debuggers in changed lines (`sightline rules`).',
  },
  {
    setting: 'missing tests',
    words: /\btests?\b|\bspecs?\b/i,
    outcome: 'different',
    says: 'The plane `tests` and models look at what the change leaves untested.',
  },
  {
    setting: 'files that change together, such as a change log or a lock file',
    words: /change_?log|release notes|\block(?:file)?\b|package\.json|podfile|gemfile|migration/i,
    outcome: 'different',
    says: 'The plane `co-change` names files that usually change along; `--planes co-change` turns it on.',
  },
  {
    setting: 'size, title, description, labels, reviewers of the pull request',
    words:
      /\bpr\b|pull request|merge request|\bmr\b|title|body|description|label|assignee|reviewer|milestone|wip|draft|big|lines|size|branch|commit|jira|ticket/i,
    outcome: 'missing',
    says: 'A review is about code: rules about the pull request itself stay with Danger, which can run as well.',
  },
]

const other: SettingRow = {
  setting: 'everything else',
  outcome: 'missing',
  says: 'Danger runs code of the repository, Sightline does not: keep Danger for it, or write a rule (docs/writing-a-rule.md).',
}

/** A call that reports, or a plugin's call that does. Comments are left out before. */
const call =
  /(?:^|[^\w.])(?:warn|fail|failure|message|markdown|schedule)\s*[(\s]\s*["'`(]?.*|^\s*[a-z_]\w*\.(?:lint\w*|report\w*|check\w*|scan\w*|run)\b.*/

export const danger: ReviewTool = {
  name: 'Danger',
  id: 'danger',
  files: [
    'Dangerfile',
    'dangerfile.js',
    'dangerfile.ts',
    'dangerfile.mjs',
    'Dangerfile.swift',
    'dangerfile.py',
  ],
  rows: [...topics, other].map(({ setting, outcome, says }) => ({ setting, outcome, says })),
  read(text): Conversion {
    const notes: SettingNote[] = []
    for (const [at, line] of text.split('\n').entries()) {
      const code = line.slice(0, 500)
      if (/^\s*(?:#|\/\/|\*|import\b|require\b|const \{|from\b)/.test(code) || !call.test(code)) continue
      const { outcome, says } = topics.find(({ words }) => words.test(code)) ?? other
      notes.push({ setting: `line ${at + 1}`, outcome, text: says })
    }
    if (notes.length === 0) notes.push({ setting: 'the file', outcome: 'missing', text: other.says })
    return { config: {}, instructions: [], notes }
  },
}
