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
      /[\w)]\.(?:lint|\w*report|scan|check_format|run)|\b(?:eslint|swiftlint|rubocop|ktlint|detekt|checkstyle|tslint|lint|coverage|junit|jacoco|jest|spell_?check)\b|(?:coverage|spellcheck)\b/i,
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
    words: /change[_ ]?log|release notes|\block\b|lock_?file|package\.json|podfile|gemfile|migration/i,
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

/** The functions of Danger that report something, called with parentheses or, as Ruby allows, without. */
const reports =
  /(?:^|[^\w.@$"'`]|\bdanger\.|\bself\.)(?:warn|fail|failure|message|markdown|schedule)\s*\(|(?:^|[;{]|->|\bthen\b|&&|\|\|)\s*(?:danger\.)?(?:warn|fail|failure|message|markdown)\s+["'`<:@\w]|\bimport_dangerfile\b/

/** A plugin's method, such as `swiftlint.lint_files`, `SwiftLint.lint(inline: true)` or `summary(file).report()`. */
const plugins =
  /^\s*(?:await |try )?(?!(?:git|github|gitlab|bitbucket_server|danger|result|file|dir)\.)(?:[a-z_]\w*|[A-Z]\w*(?=\.\w+\())\.\w*(?:lint|report|check|scan|coverage|run)(?:_?[a-z]\w*)?\b(?!\s*=[^=])|\)\.(?:report|lint|check)\(/i

const notCode = /^\s*(?:#|\/\/|\*|\/\*|import\b|from\b|def\b|fun\b|func\b|(?:async )?function\b)/

export const danger: ReviewTool = {
  name: 'Danger',
  id: 'danger',
  files: [
    'Dangerfile',
    'dangerfile.js',
    'dangerfile.ts',
    'dangerfile.mjs',
    'dangerfile.mts',
    'dangerfile.cjs',
    'Dangerfile.swift',
    'Dangerfile.df.kts',
    'dangerfile.py',
  ],
  rows: [...topics, other].map(({ setting, outcome, says }) => ({ setting, outcome, says })),
  read(text): Conversion {
    const lines = text.split('\n').map((line) => line.slice(0, 500))
    const imported = importedPlugins(text)
    const notes = lines.flatMap((line, at): SettingNote[] => {
      if (notCode.test(line)) return []
      if (!reports.test(line) && !plugins.test(line) && !imported.test(line)) return []
      const { outcome, says } = topicOf(lines, at)
      return [{ setting: `line ${at + 1}`, outcome, text: says }]
    })
    if (notes.length === 0) notes.push({ setting: 'the file', outcome: 'missing', text: other.says })
    return { config: {}, instructions: [], notes }
  },
}

/** Plugins of Danger JS are functions that the file imports: `import jest from 'danger-plugin-jest'`. */
function importedPlugins(text: string): RegExp {
  const modules = text.matchAll(/(?:\bfrom |\brequire\()['"](danger-[^'"\n]{1,100})['"]/g)
  const names = [...modules].flatMap(({ index }) => {
    const before = text.slice(Math.max(0, index - 300), index)
    const start = Math.max(...['import ', 'const ', 'let ', 'var '].map((word) => before.lastIndexOf(word)))
    return before.slice(start).split(/\W+/).slice(1)
  })
  const plugins = names.filter((name) => name !== '' && !['as', 'from', 'type'].includes(name))
  return plugins.length > 0 ? new RegExp(`(?:^|[^\\w.])(?:${plugins.join('|')})(?:\\.\\w+)?\\(`) : /(?!)/
}

/** By the words of the call, which may go on below its line; else by those of the condition above it. */
function topicOf(lines: readonly string[], at: number): SettingRow {
  const end = lines.findIndex((line, below) => below >= at && /\)\s*(?:[;,}]|$|if\b|unless\b)/.test(line))
  const call = lines.slice(at, Math.min(at + 6, end === -1 ? at + 1 : end + 1)).join(' ')
  const find = (words: string) => topics.find((topic) => topic.words.test(words))
  return find(call) ?? find(conditionOf(lines, at)) ?? other
}

function conditionOf(lines: readonly string[], at: number): string {
  for (const line of lines.slice(Math.max(0, at - 3), at).toReversed()) {
    if (/^\s*(?:end\b|\})\s*$/.test(line) || reports.test(line)) return ''
    if (/\b(?:if|unless|elsif)\b/.test(line)) return line
  }
  return ''
}
