/** Projects made of the cases: a repository with its change, and the finding and the test of each case. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Case, type Claimed, go, java, javascript, python, rust } from './cases.ts'

export type World = {
  name: string
  cases: readonly Case[]
  files: Readonly<Record<string, string>>
  /** Whose `node_modules` its checkout needs; null for none. */
  packages: string | null
  fileOf(one: Case): string
  /** The whole file of these functions, which are its lines. */
  render(lines: readonly string[], one: Case): string
  /** A test that asserts what a claim says; its failure holds the words. */
  testOf(one: Case, claim: Claimed, words: string): string
  /** What the test becomes that asserts the opposite, and one that cannot be loaded: words and what replaces them. */
  opposite: readonly [string, string]
  spoilt: readonly [string, string]
}

const nameOf = ({ after }: Claimed): string =>
  /(?:const|def|func|fn|static \w+|exports\.) ?(\w+)/.exec(after)?.[1] ?? ''

type Check = (claim: Pick<Claimed, 'call' | 'want'>, words: string) => string
type JavaScript = Pick<World, 'name' | 'cases' | 'packages' | 'opposite'> & {
  manifest: object
  head: string
  load(name: string, file: string): string
  check: Check
}

function javascriptWorld({ manifest, head, load, check, ...world }: JavaScript): World {
  const example = check({ call: '1 + 1', want: '2' }, '"sum"')
  return {
    ...world,
    files: {
      '.gitignore': 'node_modules\n',
      'package.json': JSON.stringify(manifest),
      'test/example.test.js': `${head}\ntest('one and one', () => {\n  ${example}\n})\n`,
    },
    fileOf: (one) => `src/${one.name}.js`,
    render: (lines) => `${lines.join('\n\n')}\n`,
    testOf: (one, claim, words) =>
      `${head}${load(nameOf(claim), `../src/${one.name}.js`)}\n\ntest(${JSON.stringify(words)}, () => {\n  ${check(claim, JSON.stringify(words))}\n})\n`,
    spoilt: ['../src', '../nothing'],
  }
}

const asserts: Check = ({ call, want }, words) => `assert.deepEqual(${call}, ${want}, ${words})`
const expects: Check = ({ call, want }, words) => `expect(${call}, ${words}).toEqual(${want})`
const strict = "import assert from 'node:assert/strict'\n"
const imported = (name: string, file: string) => `import { ${name} } from '${file}'`
const required = (name: string, file: string) => `const { ${name} } = require('${file}')`
const notDeep = ['deepEqual', 'notDeepEqual'] as const

/** Jest loads modules of CommonJS only, without further settings. */
const withExports = (claim: Claimed): Claimed => ({
  ...claim,
  before: claim.before.replace(/^export const (\w+)/, 'exports.$1'),
  after: claim.after.replace(/^export const (\w+)/, 'exports.$1'),
})

const example =
  'import unittest\n\n\nclass Example(unittest.TestCase):\n    def test_sum(self):\n        self.assertEqual(1 + 1, 2)\n'

function pythonWorld(world: Pick<World, 'name' | 'cases' | 'files' | 'testOf' | 'opposite'>): World {
  return {
    ...world,
    files: { 'src/__init__.py': '', 'tests/__init__.py': '', ...world.files },
    packages: null,
    fileOf: ({ name }) => `src/${name}.py`,
    render: (lines) => `${lines.join('\n\n\n')}\n`,
    spoilt: ['from src', 'from nothing'],
  }
}

const unittestWorld = pythonWorld({
  name: 'unittest',
  cases: python,
  files: { 'setup.cfg': '', 'tests/test_example.py': example },
  testOf: ({ name }, claim, words) =>
    `import unittest\n\nfrom src.${name} import ${nameOf(claim)}\n\n\nclass Shows(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(${claim.call}, ${claim.want}, ${JSON.stringify(words)})\n`,
  opposite: ['assertEqual', 'assertNotEqual'],
})

const pytestWorld = pythonWorld({
  name: 'pytest',
  cases: python.slice(0, 6),
  files: {
    'setup.cfg': '[tool:pytest]\n',
    'tests/test_example.py': 'def test_sum():\n    assert 1 + 1 == 2\n',
  },
  testOf: ({ name }, claim, words) =>
    `from src.${name} import ${nameOf(claim)}\n\n\ndef test_it():\n    assert (${claim.call}) == ${claim.want}, ${JSON.stringify(words)}\n`,
  opposite: [') == ', ') != '],
})

const goWorld: World = {
  name: 'go test',
  cases: go,
  files: { 'go.mod': 'module example.com/world\n\ngo 1.19\n' },
  packages: null,
  fileOf: ({ name }) => `${name.toLowerCase()}/code.go`,
  render: (lines) => `package code\n\n${lines.join('\n\n')}\n`,
  testOf: (_, { call, want }, words) =>
    `package code\n\nimport "testing"\n\nfunc TestShows(t *testing.T) {\n\tif got := ${call}; got != (${want}) {\n\t\tt.Fatalf("%s: %v", ${JSON.stringify(words)}, got)\n\t}\n}\n`,
  opposite: [' != (', ' == ('],
  spoilt: ['"testing"', '"nothing"'],
}

const rustWorld: World = {
  name: 'cargo test',
  cases: rust,
  files: {
    'Cargo.toml': '[package]\nname = "world"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs': rust.map(({ name }) => `pub mod ${name};\n`).join(''),
  },
  packages: null,
  fileOf: ({ name }) => `src/${name}.rs`,
  render: (lines) => `${lines.join('\n\n')}\n`,
  testOf: ({ name }, claim, words) =>
    `use world::${name}::${nameOf(claim)};\n\n#[test]\nfn shows_it() {\n    assert_eq!(${claim.call}, ${claim.want}, ${JSON.stringify(words)});\n}\n`,
  opposite: ['assert_eq', 'assert_ne'],
  spoilt: ['world::', 'nothing::'],
}

const plugins = join(homedir(), '.m2/repository/org/apache/maven/plugins')
const plugin = (name: string, version: string) =>
  `<plugin><artifactId>maven-${name}-plugin</artifactId><version>${version}</version></plugin>`
export const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>
<version>5.10.2</version><scope>test</scope></dependency></dependencies>
<build><plugins>${plugin('surefire', '3.2.5')}${plugin('compiler', '3.14.1')}${plugin('resources', '3.3.1')}</plugins></build>
</project>
`

const javaWorld: World = {
  name: 'Maven',
  cases: java,
  files: { 'pom.xml': pom, '.gitignore': 'target\n' },
  packages: null,
  fileOf: ({ name }) => `src/main/java/shop/${name}.java`,
  render: (lines, { name }) =>
    `package shop;\n\npublic class ${name} {\n${lines.map((line) => `  ${line}`).join('\n\n')}\n}\n`,
  testOf: (_, claim, words) =>
    `package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nimport static org.junit.jupiter.api.Assertions.assertNotEquals;\n\nimport org.junit.jupiter.api.Test;\n\npublic class CLASS {\n  @Test\n  void it() {\n    assertEquals(${claim.want}, ${claim.call}, ${JSON.stringify(words)});\n  }\n}\n`,
  opposite: ['    assertEquals', '    assertNotEquals'],
  spoilt: ['org.junit.jupiter.api.Test;', 'org.nothing.Test;'],
}

/** Those of npm need the folder with its packages, below `packages`; Maven what its repository on this machine holds. */
export function listWorlds(packages: string | null): World[] {
  const some = javascript.slice(0, 6)
  const isInstalled = (name: string) => packages !== null && existsSync(join(packages, 'node_modules', name))
  const shared = { packages, load: imported, opposite: notDeep }
  const npm = (name: string) => ({ type: 'module', devDependencies: { [name]: '*' } })
  const ofNpm: [string, World][] = [
    [
      'vitest',
      javascriptWorld({
        ...{ ...shared, name: 'Vitest', cases: some, manifest: npm('vitest'), check: expects },
        head: "import { expect, test } from 'vitest'\n",
        opposite: ['.toEqual', '.not.toEqual'],
      }),
    ],
    [
      'mocha',
      javascriptWorld({
        ...{
          ...shared,
          name: 'Mocha',
          cases: javascript.slice(6, 12),
          manifest: npm('mocha'),
          check: asserts,
        },
        head: `${strict}const test = it\n`,
        // Imports come first anyway, wherever they are.
        load: imported,
      }),
    ],
    [
      'jest',
      javascriptWorld({
        ...{ ...shared, name: 'Jest', check: asserts, manifest: { devDependencies: { jest: '*' } } },
        cases: javascript.slice(12).map(({ name, broken, harmless }) => ({
          ...{ name, broken: withExports(broken), harmless: withExports(harmless) },
        })),
        head: "const assert = require('node:assert/strict')\n",
        load: required,
      }),
    ],
  ]
  return [
    javascriptWorld({
      ...{ ...shared, packages: null, name: 'node:test', cases: javascript, check: asserts },
      manifest: { type: 'module', scripts: { test: 'node --test' } },
      head: `${strict}import { test } from 'node:test'\n`,
    }),
    ...ofNpm.flatMap(([name, world]) => (isInstalled(name) ? [world] : [])),
    unittestWorld,
    ...(existsSync('/usr/lib/python3/dist-packages/pytest') ? [pytestWorld] : []),
    ...(existsSync('/usr/bin/go') ? [goWorld] : []),
    rustWorld,
    ...(existsSync(join(plugins, 'maven-surefire-plugin/3.2.5')) ? [javaWorld] : []),
  ]
}

/** Its last commit is the change. */
export function createWorld({ cases, files, packages, fileOf, render }: World): string {
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
  for (const one of cases) write(fileOf(one), render([one.broken.before, one.harmless.before], one))
  commit('First version')
  for (const one of cases) write(fileOf(one), render([one.broken.after, one.harmless.after], one))
  commit('Simplify small functions')
  // A real folder: what a link leads to is not lent.
  if (packages !== null)
    execFileSync('cp', ['-al', join(packages, 'node_modules'), join(folder, 'node_modules')])
  return folder
}
