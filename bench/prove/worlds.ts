/** Projects made of the cases: a repository with its change, and the finding and the test of each case. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Case, type Claimed, go, javascript, python } from './cases.ts'

export type World = {
  name: string
  cases: readonly Case[]
  files: Readonly<Record<string, string>>
  fileOf(one: Case): string
  /** The whole file of these functions, which are its lines. */
  render(lines: readonly string[]): string
  /** A test that asserts what a claim says; its failure holds the words. */
  testOf(one: Case, claim: Claimed, words: string): string
}

const nameOf = ({ after }: Claimed): string => /(?:const|def|func) (\w+)/.exec(after)?.[1] ?? ''

function javascriptWorld(name: string, cases: readonly Case[], manifest: object, head: string, check: Check) {
  return {
    name,
    cases,
    files: {
      'package.json': JSON.stringify({ type: 'module', ...manifest }),
      'test/example.test.js': `${head}\ntest('one and one', () => {\n  ${check({ call: '1 + 1', want: '2' }, '"sum"')}\n})\n`,
    },
    fileOf: (one: Case) => `src/${one.name}.js`,
    render: (lines: readonly string[]) => `${lines.join('\n\n')}\n`,
    testOf: (one: Case, claim: Claimed, words: string) =>
      `${head}import { ${nameOf(claim)} } from '../src/${one.name}.js'\n\ntest(${JSON.stringify(words)}, () => {\n  ${check(claim, JSON.stringify(words))}\n})\n`,
  } satisfies World
}
type Check = (claim: Pick<Claimed, 'call' | 'want'>, words: string) => string

const asserts: Check = ({ call, want }, words) => `assert.deepEqual(${call}, ${want}, ${words})`
const expects: Check = ({ call, want }, words) => `expect(${call}, ${words}).toEqual(${want})`
const strict = "import assert from 'node:assert/strict'\n"

const example =
  'import unittest\n\n\nclass Example(unittest.TestCase):\n    def test_sum(self):\n        self.assertEqual(1 + 1, 2)\n'

const pythonWorld: World = {
  name: 'unittest',
  cases: python,
  files: {
    'setup.cfg': '',
    'src/__init__.py': '',
    'tests/__init__.py': '',
    'tests/test_example.py': example,
  },
  fileOf: ({ name }) => `src/${name}.py`,
  render: (lines) => `${lines.join('\n\n\n')}\n`,
  testOf: ({ name }, claim, words) =>
    `import unittest\n\nfrom src.${name} import ${nameOf(claim)}\n\n\nclass Shows(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(${claim.call}, ${claim.want}, ${JSON.stringify(words)})\n`,
}

const goWorld: World = {
  name: 'go test',
  cases: go,
  files: { 'go.mod': 'module example.com/world\n\ngo 1.19\n' },
  fileOf: ({ name }) => `${name.toLowerCase()}/code.go`,
  render: (lines) => `package code\n\n${lines.join('\n\n')}\n`,
  testOf: (_, { call, want }, words) =>
    `package code\n\nimport "testing"\n\nfunc TestShows(t *testing.T) {\n\tif got := ${call}; got != ${want} {\n\t\tt.Fatalf("%s: %v", ${JSON.stringify(words)}, got)\n\t}\n}\n`,
}

/** Those of npm need its packages, in a folder of this name that a checkout can link to. */
export function listWorlds(packages: string | null): World[] {
  const some = javascript.slice(0, 6)
  const with_ = (name: string) => ({ devDependencies: { [name]: '*' } })
  return [
    javascriptWorld(
      'node:test',
      javascript,
      { scripts: { test: 'node --test' } },
      `${strict}import { test } from 'node:test'\n`,
      asserts,
    ),
    pythonWorld,
    goWorld,
    ...(packages !== null && existsSync(packages)
      ? [javascriptWorld('Vitest', some, with_('vitest'), "import { expect, test } from 'vitest'\n", expects)]
      : []),
  ]
}

/** Its last commit is the change. */
export function createWorld({ cases, files, fileOf, render }: World): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-prove-'))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const commit = (message: string) => {
    git('add', '--all')
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '-m', message)
  }
  git('init', '--quiet')
  for (const [path, text] of Object.entries(files)) write(path, text)
  for (const one of cases) write(fileOf(one), render([one.broken.before, one.harmless.before]))
  commit('First version')
  for (const one of cases) write(fileOf(one), render([one.broken.after, one.harmless.after]))
  commit('Simplify small functions')
  return folder
}

/** The packages of the world's own checkout. */
export function lendPackages(folder: string, packages: string): void {
  symlinkSync(packages, join(folder, 'node_modules'))
}
