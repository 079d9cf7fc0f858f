/** Which instructions govern which changed files. That they are those of the base: test/e2e/pull-instructions.test.ts. */
import { expect, test } from 'vitest'
import { retrieveInstructions } from '../../../src/pipeline/context/retrieval/instructions.ts'
import type { Files } from '../../helpers/git-repo.ts'
import { memorySnapshot } from '../../helpers/in-memory/change.ts'

const instructionsFor = (base: Files, changed: string[]) =>
  retrieveInstructions(memorySnapshot(base), changed)

test('nested files govern their folders, the nearest first', async () => {
  const { instructions } = await instructionsFor(
    {
      'AGENTS.md': 'root',
      'src/api/CLAUDE.md': 'api',
      'src/web/AGENTS.md': 'web',
      'src/api/.cursor/BUGBOT.md': 'bug',
      '.cursorrules': 'cursor',
      '.github/copilot-instructions.md': 'copilot',
      '.sightline/instructions.md': 'ours',
    },
    ['src/api/a.ts', 'README.md'],
  )
  expect(instructions.map(({ path, scope, governs }) => [path, scope, governs.length])).toEqual([
    ['src/api/.cursor/BUGBOT.md', 'files in src/api/', 1],
    ['src/api/CLAUDE.md', 'files in src/api/', 1],
    ['.cursorrules', 'everything', 2],
    ['.github/copilot-instructions.md', 'everything', 2],
    ['.sightline/instructions.md', 'everything', 2],
    ['AGENTS.md', 'everything', 2],
  ])
  expect(instructions.at(-1)?.text).toBe('root')
})

test('globs of front matter, as a line and as a list', async () => {
  const { instructions } = await instructionsFor(
    {
      '.cursor/rules/ts.mdc': '---\nglobs: **/*.{ts,tsx}, lib/*.js\n---\nTypes.',
      '.cursor/rules/all.mdc': '---\nalwaysApply: true\n---\nAll.',
      '.github/instructions/py.instructions.md': '---\napplyTo: "**/*.py"\n---\nPython.',
      '.github/instructions/go.instructions.md': '---\napplyTo:\n  - "**/*.go"\n---\nGo.',
      '.github/instructions/none.instructions.md': 'No front matter.',
      '.sightline/instructions/go.md': '---\npaths:\n  - "**/*.go"\n---\nOurs.',
      '.sightline/instructions/java.md': '---\npaths: ["**/*.java"]\n---\nJava.',
    },
    ['src/a.tsx', 'b.go'],
  )
  expect(instructions.map(({ path, governs }) => `${path} ${governs.join(',')}`)).toEqual([
    '.cursor/rules/all.mdc b.go,src/a.tsx',
    '.cursor/rules/ts.mdc src/a.tsx',
    '.github/instructions/go.instructions.md b.go',
    '.sightline/instructions/go.md b.go',
  ])
})

test('long ones are cut, too many are left out, and both is said', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 5 }, (_, at) => [`${'d/'.repeat(at)}AGENTS.md`, 'x'.repeat(10_000)]),
  )
  const { instructions, cuts } = await instructionsFor(files, ['d/d/d/d/a.ts'])
  expect(instructions.map(({ path, text, cut }) => [path, text.length, cut])).toEqual([
    ['d/d/d/d/AGENTS.md', 4_000, '10000 characters, of which 4000 are kept'],
    ['d/d/d/AGENTS.md', 4_000, '10000 characters, of which 4000 are kept'],
  ])
  expect(cuts).toEqual(['instructions left out for their length: d/d/AGENTS.md, d/AGENTS.md, AGENTS.md'])
})

test('parts about set-up and pushing are left out by name, rules about code are kept', async () => {
  const { instructions } = await instructionsFor(
    {
      'AGENTS.md':
        '# Guide\n\nNever log tokens.\n\n## Getting started\n\n```sh\n# install\nnpm ci\n```\n\n### Database\n\nRun it.\n\n## Errors\n\nWrap every error.\n\n## Commits and pull requests\n\nPush to main.\n',
    },
    ['a.ts'],
  )
  expect(instructions[0]?.text).toBe('# Guide\n\nNever log tokens.\n\n## Errors\n\nWrap every error.')
  expect(instructions[0]?.cut).toContain('Getting started, Commits and pull requests')
})
