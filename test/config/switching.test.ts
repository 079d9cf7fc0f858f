/** What becomes of the settings of each tool. The files are written for these tests, in the manner of real ones. */
import { expect, test } from 'vitest'
import { matchGlobs } from '../../src/base/globs.ts'
import type { Conversion } from '../../src/config/switching/contract.ts'
import { reviewTools, toolOf } from '../../src/config/switching/registry.ts'

function convert(path: string, text: string): Conversion {
  const tool = toolOf(path)
  if (!tool) throw new Error(`no tool for ${path}`)
  return tool.read(text, path)
}

const settingsOf = ({ carried }: Conversion): string[] => carried.map(({ setting }) => setting)

test('CodeRabbit: filters, scoped instructions, folders of rules; the rest by name', () => {
  const conversion = convert(
    '.coderabbit.yaml',
    `language: de-DE
tone_instructions: Be brief.
reviews:
  profile: chill
  path_filters: ["!**/*.gen.ts", "src/**", "lib/**", "**/dist/**"]
  path_instructions:
    - path: "src/**/*.sql"
      instructions: Statements take parameters.
  auto_review: {drafts: false, base_branches: [main]}
  tools:
    eslint: {enabled: true}
    ast-grep: {rule_dirs: [tools/rules], essential_rules: true}
  labels: []
chat: {auto_reply: true}
`,
  )
  const isExcluded = matchGlobs(conversion.config['paths.exclude'] ?? [])
  expect(['src/a.gen.ts', 'src/a.ts', 'lib/b.ts', 'docs/a.md'].filter(isExcluded)).toEqual([
    'src/a.gen.ts',
    'docs/a.md',
  ])
  expect(conversion.config['rules.paths']).toEqual(['tools/rules'])
  expect(conversion.instructions).toEqual([
    { paths: [], text: 'Be brief.' },
    { paths: ['src/**/*.sql'], text: 'Statements take parameters.' },
  ])
  expect(settingsOf(conversion)).toEqual([
    'tone_instructions',
    'reviews.path_filters',
    'reviews.path_instructions',
    'reviews.tools.ast-grep',
  ])
  expect(conversion.notCarried).toEqual([
    'language',
    'reviews.profile',
    'reviews.path_filters: **/dist/**',
    'reviews.auto_review',
    'reviews.tools.eslint',
    'reviews.tools.ast-grep: essential_rules',
    'chat',
  ])
})

test('Greptile: patterns in the manner of .gitignore, strictness, rules with a scope', () => {
  const conversion = convert(
    'greptile.json',
    `{
      // comments and trailing commas are allowed
      "ignorePatterns": "*.lock\\nbuild/\\n/vendor\\na/b\\n!keep.lock\\n# a comment",
      "strictness": 3,
      "fileChangeLimit": 40,
      "comment": "",
      "customContext": {
        "rules": [{ "scope": ["api/**"], "rule": "Check permissions." }, { "scope": [""], "rule": "" }],
        "other": [{ "scope": ["**"], "content": "A shop." }, { "rule": "Off.", "enabled": false }],
        "files": [{ "scope": [], "path": "docs/style.md" }],
      },
      "directoryRules": { "web/**": { "instructions": "No inline styles.", "strictness": 1 } },
    }`,
  )
  expect(conversion.config).toEqual({
    'paths.exclude': ['**/*.lock', '**/build/**', 'vendor/**', 'a/b/**'],
    'review.minSeverity': 'high',
    'limits.changedFiles': 40,
  })
  expect(conversion.instructions).toEqual([
    { paths: ['api/**'], text: 'Check permissions.' },
    { paths: [], text: 'A shop.' },
    { paths: ['web/**'], text: 'No inline styles.' },
  ])
  // An empty text sets nothing, so there is nothing to say.
  expect(conversion.notCarried).toEqual([
    'ignorePatterns: !keep.lock',
    'customContext.other: 1 of 2 rules, which are turned off',
    'customContext.files',
    'directoryRules: strictness',
  ])
})

test('Greptile: rules in plain language are for the files of their folder', () => {
  const [root, nested] = ['.greptile/rules.md', 'apps/[id]/.greptile/rules.md'].map((path) =>
    convert(path, '# Rules\n\nCheck permissions.\n'),
  )
  expect(root?.instructions).toEqual([{ paths: [], text: '# Rules\n\nCheck permissions.' }])
  expect(nested?.instructions).toEqual([{ paths: ['apps/?id?/**'], text: '# Rules\n\nCheck permissions.' }])
})

test('Qodo: best practices as they are, a checklist as requirements', () => {
  expect(convert('best_practices.md', '## Errors\n\nName the file.\n').instructions).toEqual([
    { paths: [], text: '## Errors\n\nName the file.' },
  ])
  const checklist = convert(
    'pr_compliance_checklist.yaml',
    `pr_compliances:
  - title: Errors
    objective: Errors name the file.
    success_criteria: The message has a path.
`,
  )
  expect(checklist.instructions).toEqual([
    { paths: [], text: '**Errors**: Errors name the file.\nMet if: The message has a path.' },
  ])
})

test('PR-Agent: sections in any case, globs whose star crosses folders, values are not quoted', () => {
  const conversion = convert(
    '.pr_agent.toml',
    `[CONFIG]
model = "gpt-5"
[ignore]
glob = ["*.pb.go", "docs/*", "src/*/gen*"]
regex = [".*_test"]
[PR_REVIEWER]
num_max_findings = 4
extra_instructions = """
Look for races.
"""
[openai]
key = "sk-not-a-real-key-at-all"
`,
  )
  const isExcluded = matchGlobs(conversion.config['paths.exclude'] ?? [])
  const paths = ['a.pb.go', 'x/y/a.pb.go', 'docs/a/b.md', 'src/a/b/generated.ts', 'src/a.ts']
  expect(paths.filter(isExcluded)).toEqual(paths.slice(0, 4))
  expect(conversion.config['review.maxInline']).toBe(4)
  expect(conversion.instructions).toEqual([{ paths: [], text: 'Look for races.' }])
  expect(conversion.notCarried).toEqual(['CONFIG', 'ignore.regex', 'openai'])
  expect(JSON.stringify(conversion)).not.toContain('sk-not-a-real')
})

test('instructions that reviews read where they are need no files', () => {
  for (const path of [
    '.cursor/BUGBOT.md',
    '.github/copilot-instructions.md',
    '.github/instructions/a/b.instructions.md',
  ])
    expect(convert(path, '# Rules')).toEqual({
      config: {},
      instructions: [],
      carried: [{ setting: 'the text', where: 'reviews read this file where it is (docs/context.md)' }],
      notCarried: [],
    })
})

test('a file that is not of the format says where', () => {
  expect(() => convert('.coderabbit.yaml', 'reviews: [')).toThrow(/^Line \d+: /)
  expect(() => convert('.coderabbit.yaml', '- a list')).toThrow('It does not hold a set of keys.')
  expect(() => convert('greptile.json', '{\n"a": 1,\n"b": "x\ny" }')).toThrow(
    'Line 3: This is not valid JSON.',
  )
  expect(() => convert('.pr_agent.toml', '[ignore\n')).toThrow(/line|TOML/i)
  expect(convert('.coderabbit.yaml', 'reviews: {path_filters: {a: 1}}').notCarried).toEqual([
    'reviews.path_filters (its value does not have the expected form)',
  ])
})

test('names of files belong to one tool each', () => {
  for (const { id, files } of reviewTools)
    for (const file of files) expect(toolOf(`sub/${file.replaceAll('*', 'x')}`)?.id).toBe(id)
})
