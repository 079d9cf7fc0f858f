/** What becomes of the settings of each tool. The files are written for these tests, in the manner of real ones. */
import { expect, test } from 'vitest'
import { matchGlobs } from '../../src/base/globs.ts'
import type { Conversion } from '../../src/config/switching/contract.ts'
import { globOfFnmatch, globsOfGitignore } from '../../src/config/switching/globs.ts'
import { reviewTools, toolOf } from '../../src/config/switching/registry.ts'

function convert(path: string, text: string): Conversion {
  const tool = toolOf(path)
  if (!tool) throw new Error(`no tool for ${path}`)
  return tool.read(text, path)
}

/** `setting → outcome`, the first of each setting. */
function outcomes({ notes }: Conversion): Record<string, string> {
  return Object.fromEntries(notes.toReversed().map(({ setting, outcome }) => [setting, outcome]))
}

test('CodeRabbit: what is a program or a preview is named as not read, with what to do', () => {
  const program = convert('.coderabbit.config.ts', 'export default () => { throw new Error("run") }\n')
  expect(program).toMatchObject({ config: {}, instructions: [] })
  expect(program.notes).toEqual([
    {
      setting: '.coderabbit.config.ts',
      outcome: 'missing',
      text: expect.stringMatching(/^A program, which is not run.*`@coderabbitai configuration`/),
    },
  ])
  const document = convert('web/.coderabbit/instructions/api.md', '---\napplyTo: [a]\n---\nCheck it.\n')
  expect(document.instructions).toEqual([])
  expect(document.notes[0]?.text).toContain('.sightline/instructions/NAME.md')
  const third = convert('.coderabbit.yaml', 'version: 3\nreview: {when: always}\n')
  expect(third.notes.map(({ setting }) => setting)).toEqual(['version', 'review'])
  expect(third.notes[0]?.text).toContain('schema 3, a preview')
  expect(convert('.coderabbit.yaml', 'version: "2"\n').notes).toEqual([])
})

test('CodeRabbit: filters, scoped instructions, folders of rules; the rest by name', () => {
  const conversion = convert(
    '.coderabbit.yaml',
    `language: de-DE
tone_instructions: Be brief.
reviews:
  profile: chill
  poem: true
  path_filters: ["!**/*.gen.ts", "src/**", "lib/**", "**/dist/**"]
  path_instructions:
    - path: "src/**/*.sql"
      instructions: Statements take parameters.
  auto_review: {drafts: false, base_branches: [main]}
  tools:
    eslint: {enabled: true}
    gitleaks: {enabled: true}
    ast-grep: {rule_dirs: [tools/rules], essential_rules: true}
knowledge_base:
  code_guidelines: {filePatterns: [AGENTS.md, docs/style.md]}
brand_new_setting: 1
chat: {auto_reply: true}
`,
  )
  const excluded = conversion.config['paths.exclude'] ?? []
  const isExcluded = matchGlobs(excluded)
  expect(['src/a.gen.ts', 'src/a.ts', 'lib/b.ts', 'docs/a.md'].filter(isExcluded)).toEqual([
    'src/a.gen.ts',
    'docs/a.md',
  ])
  expect(conversion.config['rules.paths']).toEqual(['tools/rules'])
  expect(conversion.instructions).toEqual([
    { paths: [], text: 'Be brief.' },
    { paths: ['src/**/*.sql'], text: 'Statements take parameters.' },
  ])
  expect(outcomes(conversion)).toEqual({
    language: 'missing',
    tone_instructions: 'carried',
    'reviews.profile': 'different',
    'reviews.poem': 'missing',
    'reviews.path_filters': 'carried',
    'reviews.path_instructions': 'carried',
    'reviews.auto_review': 'different',
    'reviews.tools.eslint': 'different',
    'reviews.tools.gitleaks': 'different',
    'reviews.tools.ast-grep': 'carried',
    'knowledge_base.code_guidelines': 'different',
    brand_new_setting: 'missing',
    chat: 'different',
  })
  expect(conversion.notes.find(({ setting }) => setting === 'brand_new_setting')?.text).toBe(
    'Sightline does not know this setting.',
  )
  expect(conversion.notes.some(({ text }) => text.includes('docs/style.md'))).toBe(true)
})

test('Greptile: patterns in the manner of .gitignore, strictness, rules with a scope', () => {
  const conversion = convert(
    'greptile.json',
    `{
      // comments and trailing commas are allowed
      "ignorePatterns": "*.lock\\nbuild/\\n/vendor\\n!keep.lock\\n# a comment",
      "strictness": 3,
      "fileChangeLimit": 40,
      "comment": "",
      "commentTypes": ["logic"],
      "customContext": {
        "rules": [{ "scope": ["api/**"], "rule": "Check permissions." }, { "scope": [""], "rule": "" }],
        "other": [{ "scope": ["**"], "content": "A shop." }],
        "files": [{ "scope": [], "path": "docs/style.md" }],
      },
      "directoryRules": { "web/**": { "instructions": "No inline styles.", "strictness": 1 } },
      "labels": ["review"],
    }`,
  )
  expect(conversion.config).toEqual({
    'paths.exclude': ['**/*.lock', '**/build/**', 'vendor/**'],
    'review.minSeverity': 'high',
    'limits.changedFiles': 40,
  })
  expect(conversion.instructions).toEqual([
    { paths: ['api/**'], text: 'Check permissions.' },
    { paths: [], text: 'A shop.' },
    { paths: ['web/**'], text: 'No inline styles.' },
  ])
  expect(conversion.notes.some(({ text }) => text.includes('!keep.lock'))).toBe(true)
  // An empty text sets nothing, so there is nothing to say.
  expect(outcomes(conversion)).not.toHaveProperty('comment')
  expect(outcomes(conversion)).toMatchObject({ labels: 'different', commentTypes: 'different' })
})

test('Greptile: rules in plain language are for the files of their folder', () => {
  const [root, nested] = ['.greptile/rules.md', 'apps/[id]/.greptile/rules.md'].map((path) =>
    convert(path, '# Rules\n\nCheck permissions.\n'),
  )
  expect(root?.instructions).toEqual([{ paths: [], text: '# Rules\n\nCheck permissions.' }])
  expect(nested?.instructions).toEqual([{ paths: ['apps/?id?/**'], text: '# Rules\n\nCheck permissions.' }])
  expect(nested?.notes.map(({ outcome }) => outcome)).toEqual(['carried', 'different'])
})

test('Greptile: documents that are read anyway, those that are not, and rules that are turned off', () => {
  const { notes } = convert(
    '.greptile/files.json',
    '{"files": [{"path": "AGENTS.md"}, {"path": "docs/api.md", "scope": ["api/**"]}]}',
  )
  expect(notes.map(({ setting, outcome }) => `${setting} ${outcome}`)).toEqual([
    'AGENTS.md carried',
    'docs/api.md different',
  ])
  expect(() => convert('.greptile/files.json', '{"path": "a"}')).toThrow('It does not hold a list of files.')
  const rules = convert(
    '.greptile/config.json',
    '{"rules": [{"rule": "Log no tokens.", "severity": "high"}, {"rule": "Be brief.", "enabled": false}]}',
  )
  expect(rules.instructions).toEqual([{ paths: [], text: 'Log no tokens.' }])
  expect(rules.notes.map(({ text }) => text)).toEqual([
    'instructions for all files',
    '1 of 2 rules are turned off there and were left out.',
    'An instruction has no severity; each finding gets its own.',
  ])
})

test('Qodo: best practices as they are, a checklist as requirements', () => {
  expect(convert('best_practices.md', '## Errors\n\nName the file.\n').instructions).toEqual([
    { paths: [], text: '## Errors\n\nName the file.' },
  ])
  const checklist = convert(
    'pr_compliance_checklist.yaml',
    `pr_compliances:
  - title: Errors
    compliance_label: true
    objective: Errors name the file.
    success_criteria: The message has a path.
`,
  )
  expect(checklist.instructions).toEqual([
    { paths: [], text: '**Errors**: Errors name the file.\nMet if: The message has a path.' },
  ])
  expect(checklist.notes.map(({ outcome }) => outcome)).toEqual(['carried', 'missing'])
})

test('PR-Agent: sections in any case, globs whose star crosses folders, keys are not quoted', () => {
  const conversion = convert(
    '.pr_agent.toml',
    `[CONFIG]
model = "gpt-5"
verbosity_level = 1
[ignore]
glob = ["*.pb.go", "docs/*", "src/*/gen*"]
regex = [".*_test"]
[pr_reviewer]
num_max_findings = 4
extra_instructions = """
Look for races.
"""
require_score_review = false
[openai]
key = "sk-not-a-real-key-at-all"
[pr_description]
publish_labels = true
`,
  )
  const isExcluded = matchGlobs(conversion.config['paths.exclude'] ?? [])
  const paths = ['a.pb.go', 'x/y/a.pb.go', 'docs/a/b.md', 'src/a/b/generated.ts', 'src/a.ts']
  expect(paths.filter(isExcluded)).toEqual(paths.slice(0, 4))
  expect(conversion.config['review.maxInline']).toBe(4)
  expect(conversion.instructions).toEqual([{ paths: [], text: 'Look for races.' }])
  expect(outcomes(conversion)).toMatchObject({
    'CONFIG.model': 'different',
    'CONFIG.verbosity_level': 'missing',
    'ignore.regex': 'missing',
    'pr_reviewer.require_score_review': 'missing',
    pr_description: 'missing',
    openai: 'different',
  })
  expect(JSON.stringify(conversion)).not.toContain('sk-not-a-real')
})

test('Cora: rules as instructions, the gate as a severity', () => {
  const conversion = convert(
    '.cora.yaml',
    `focus: [security, bugs]
rules: ["Scores are integers.", "No new dependencies."]
ignore: {files: ["*.lock", vendor/], rules: [hardcoded secret]}
hook: {mode: warn, min_severity: major}
quality_gate: {enabled: true, thresholds: {max_critical: 0, max_major: 0, max_minor: 9}}
llm: {max_tokens: 9}
rules_engine: {enabled: true, custom: [{id: no-sleep, pattern: 'sleep\\('}]}
`,
  )
  expect(conversion.config).toEqual({
    'paths.exclude': ['**/*.lock', '**/vendor/**'],
    'review.failOn': 'high',
  })
  expect(conversion.instructions).toEqual([
    { paths: [], text: '- Scores are integers.\n- No new dependencies.' },
  ])
  expect(outcomes(conversion)).toMatchObject({
    focus: 'different',
    'ignore.rules': 'missing',
    'hook.mode': 'different',
    llm: 'different',
    rules_engine: 'missing',
    quality_gate: 'carried',
  })
  const off = convert('.cora.yaml', 'quality_gate: {enabled: false}')
  expect(off.config).toEqual({ 'review.failOn': 'never' })
})

test('Ellipsis: rules and what the project is about, also where an item reads as a key', () => {
  const conversion = convert(
    'ellipsis.yaml',
    `version: 1.3
about:
  - A queue.
  - cmd/main.go : entry point
ignore: [gen/]
pr_review:
  confidence_threshold: 0.8
  rules: ["Log no tokens."]
build: {commands: [{command: make}]}
`,
  )
  expect(conversion.config).toEqual({ 'paths.exclude': ['**/gen/**'] })
  expect(conversion.instructions.map(({ text }) => text)).toEqual([
    '- A queue.\n- cmd/main.go: entry point',
    '- Log no tokens.',
  ])
  expect(outcomes(conversion)).toMatchObject({ build: 'missing', version: 'different' })
})

test('Sourcery: paths of the repository only; own rules are named', () => {
  const conversion = convert(
    '.sourcery.yaml',
    `ignore: [.venv, ~/.cache, src/legacy]
rules: [{id: no-print, pattern: print(...)}]
rule_settings: {enable: [default]}
clone_detection: {min_lines: 3}
`,
  )
  expect(conversion.config).toEqual({ 'paths.exclude': ['**/.venv/**', 'src/legacy/**'] })
  expect(conversion.notes.some(({ text }) => text.includes('~/.cache'))).toBe(true)
  expect(conversion.notes.find(({ setting }) => setting === 'rules')?.text).toContain('no-print')
  expect(outcomes(conversion)).toMatchObject({ rules: 'missing', clone_detection: 'different' })
})

test('reviewdog: nothing is run; each runner says how its output becomes a file of results', () => {
  const { config, notes } = convert(
    '.reviewdog.yml',
    `runner:
  checkstyle: {cmd: cat result.xml, format: checkstyle}
  golint: {cmd: golint ./..., errorformat: ["%f:%l:%c: %m"]}
  govet: {cmd: go vet ./..., format: govet}
`,
  )
  expect(config).toEqual({})
  expect(notes.map(({ text }) => /`(?:--sarif FILE`: checkstyle|reviewdog [^`]+)/.exec(text)?.[0])).toEqual([
    '`--sarif FILE`: checkstyle',
    "`reviewdog -efm='%f:%l:%c: %m' -reporter=sarif",
    '`reviewdog -f=govet -reporter=sarif',
  ])
})

test('Danger: each call that reports is listed by its line, and nothing is run', () => {
  const { notes } = convert(
    'Dangerfile',
    `# warn('not this one')
warn('Big PR') if git.lines_of_code > 500
fail('Please update the changelog') unless git.modified_files.include?('CHANGELOG.md')
swiftlint.lint_files
fail('fdescribe left in tests') if \`grep -r fdescribe specs/\`.length > 1
message('Thanks!')
`,
  )
  expect(notes.map(({ setting, outcome }) => `${setting} ${outcome}`)).toEqual([
    'line 2 missing',
    'line 3 different',
    'line 4 different',
    'line 5 different',
    'line 6 missing',
  ])
})

test('Danger: calls over several lines, plugins, and what only looks like a call', () => {
  const swift = convert(
    'Dangerfile.swift',
    `import Danger
let danger = Danger()
SwiftLint.lint(inline: true)
if danger.git.linesOfCode > 500 {
    danger.warn("Too much at once")
}
danger.fail("""
    Say in the change log what is new.
    """)
let message = "nothing is reported here"
`,
  )
  expect(swift.notes.map(({ setting, outcome }) => `${setting} ${outcome}`)).toEqual([
    'line 3 different',
    'line 5 missing',
    'line 7 different',
  ])
  const script = convert(
    'dangerfile.ts',
    `import { danger, fail } from 'danger'
import jest from 'danger-plugin-jest'
const { jiraIssue } = require('danger-plugin-jira-issue')
const failed = danger.git.deleted_files
jest()
jiraIssue({ key: 'SHOP' })
fail(
  'Every change has a label.',
)
`,
  )
  expect(script.notes.map(({ setting, outcome }) => `${setting} ${outcome}`)).toEqual([
    'line 5 different',
    'line 6 missing',
    'line 7 missing',
  ])
  const kotlin = convert('Dangerfile.df.kts', 'danger(args) {\n  onGitHub { warn("Big PR") }\n}\n')
  expect(kotlin.notes.map(({ setting }) => setting)).toEqual(['line 2'])
})

test('Copilot: instructions for some files say for which, and whom they exclude', () => {
  const read = (text: string) =>
    convert('.github/instructions/web/react.instructions.md', text).notes.map(
      ({ setting, outcome }) => `${setting} ${outcome}`,
    )
  expect(read('---\napplyTo: "**/*.{ts,tsx}"\n---\nNo inline styles.\n')).toContain('applyTo carried')
  const excluded = read('---\nexcludeAgent: "code-review"\n---\nNo inline styles.\n')
  expect(excluded).toContain('applyTo missing')
  expect(excluded).toContain('excludeAgent missing')
})

test('Bugbot and Copilot: nothing to write, their files are read where they are', () => {
  for (const path of ['.cursor/BUGBOT.md', 'src/BUGBOT.md', '.github/copilot-instructions.md']) {
    const conversion = convert(path, `# Rules\n${'x'.repeat(5_000)}`)
    expect(conversion).toMatchObject({ config: {}, instructions: [] })
    expect(conversion.notes[0]?.outcome).toBe('carried')
    expect(conversion.notes.at(-1)?.text).toContain('4,000 characters')
  }
})

test('a file that is not of the format says where', () => {
  expect(() => convert('.coderabbit.yaml', 'reviews: [')).toThrow(/^Line \d+: /)
  expect(() => convert('.coderabbit.yaml', '- a list')).toThrow('It does not hold a set of keys.')
  expect(() => convert('greptile.json', '{\n"a": 1,\n"b": "x\ny" }')).toThrow(
    'Line 3: This is not valid JSON.',
  )
  expect(() => convert('.pr_agent.toml', '[ignore\n')).toThrow(/line|TOML/i)
  const { notes } = convert('.coderabbit.yaml', 'reviews: {path_filters: {a: 1}}')
  expect(notes).toEqual([
    {
      setting: 'reviews.path_filters',
      outcome: 'missing',
      text: 'Its value does not have the expected form.',
    },
  ])
})

test('names of files belong to one tool each, and workflows of reviewdog to none', () => {
  const all = reviewTools.flatMap(({ id, files }) =>
    files.map((file) => [toolOf(`sub/${file.replaceAll('*', 'x')}`)?.id, id]),
  )
  for (const [found, id] of all) expect(found).toBe(id)
  expect(toolOf('.github/workflows/reviewdog.yml')).toBeNull()
  expect(toolOf('.github/workflows/sourcery.yaml')).toBeNull()
})

test('patterns of other tools match what they matched there', () => {
  const { globs } = globsOfGitignore(['*.log', '/only-root', 'a/b', 'dir/', 'deep/**'])
  const matches = matchGlobs(globs)
  const paths = ['x.log', 'p/x.log', 'only-root/f', 'q/only-root', 'a/b/c', 'z/a/b', 'q/dir/f', 'deep/x/y']
  expect(paths.filter(matches)).toEqual(['x.log', 'p/x.log', 'only-root/f', 'a/b/c', 'q/dir/f', 'deep/x/y'])
  expect(globOfFnmatch('*')).toBe('**')
})
