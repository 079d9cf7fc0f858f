/**
 * Each test framework that is installed here, for real: one test that fails on the head and passes on the base, and one
 * that cannot be loaded, in a sandbox without network. Jest and Mocha are not among our packages: name a folder whose
 * `node_modules` has them in SIGHTLINE_TEST_PACKAGES.
 */
import { expect, test } from 'vitest'
import { findSandbox } from '../../src/base/sandbox/probe.ts'
import { findProject } from '../../src/test-runs/find-project.ts'
import { frameworkOf } from '../../src/test-runs/registry.ts'
import { runTest } from '../../src/test-runs/run-test.ts'
import { memorySnapshot } from '../helpers/in-memory/change.ts'
import { drawn, isWhole } from '../helpers/matrix.ts'
import { needs } from '../helpers/needs/needs.ts'
import type { Thing } from '../helpers/needs/things.ts'
import { root } from '../helpers/sightline.ts'

const { signal } = new AbortController()
const sandbox = await findSandbox(undefined, signal)
const packages = process.env.SIGHTLINE_TEST_PACKAGES ?? root

type World = {
  framework: string
  /** Beyond a sandbox. */
  needs: Thing[]
  /** Of the base; in the head, `before` is `after` in the tested file. */
  files: Record<string, string>
  path: string
  before: string
  after: string
  /** A test that shows it, and its path. */
  test: { path: string; text: string }
  predicted: string
}

const script = (command: string, name: string) =>
  `${JSON.stringify({ type: 'module', scripts: { test: command }, devDependencies: name === '' ? {} : { [name]: '*' } })}\n`
const source = 'export const half = (n) => n / 2\n'
const inJavaScript = { path: 'src/half.js', before: 'n / 2', after: 'n / 3' }

/** Versions of plugins that a Maven repository often holds. */
const surefireVersion = '3.2.5'
const plugin = (name: string, version: string) =>
  `<plugin><artifactId>maven-${name}-plugin</artifactId><version>${version}</version></plugin>`
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>
<version>5.10.2</version><scope>test</scope></dependency></dependencies>
<build><plugins>${plugin('surefire', surefireVersion)}${plugin('compiler', '3.14.1')}${plugin('resources', '3.3.1')}</plugins></build>
</project>
`

const worlds: readonly World[] = [
  {
    ...inJavaScript,
    framework: 'node:test',
    needs: [],
    files: { 'package.json': script('node --test', ''), 'src/half.js': source },
    test: {
      path: 'test/half.test.js',
      text: "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { half } from '../src/half.js'\ntest('half', () => assert.equal(half(6), 3))\n",
    },
    predicted: '2 !== 3',
  },
  {
    ...inJavaScript,
    framework: 'Vitest',
    needs: ['Vitest'],
    files: { 'package.json': script('vitest', 'vitest'), 'src/half.js': source },
    test: {
      path: 'test/half.test.js',
      text: "import { expect, test } from 'vitest'\nimport { half } from '../src/half.js'\ntest('half', () => expect(half(6)).toBe(3))\n",
    },
    predicted: 'expected 2 to be 3',
  },
  {
    ...inJavaScript,
    framework: 'Mocha',
    needs: ['Mocha'],
    files: { 'package.json': script('mocha', 'mocha'), 'src/half.js': source },
    test: {
      path: 'test/half.test.js',
      text: "import assert from 'node:assert/strict'\nimport { half } from '../src/half.js'\ndescribe('half', () => { it('is', () => assert.equal(half(6), 3)) })\n",
    },
    predicted: '2 !== 3',
  },
  {
    framework: 'Jest',
    needs: ['Jest'],
    files: {
      'package.json': '{ "scripts": { "test": "jest" }, "devDependencies": { "jest": "*" } }\n',
      'src/half.js': 'exports.half = (n) => n / 2\n',
    },
    ...inJavaScript,
    test: {
      path: 'test/half.test.js',
      text: "const { half } = require('../src/half.js')\ntest('half', () => expect(half(6)).toBe(3))\n",
    },
    predicted: 'Expected: 3',
  },
  {
    framework: 'unittest',
    needs: ['python3'],
    files: { 'shop/half.py': 'def half(n):\n    return n / 2\n', 'shop/__init__.py': '' },
    ...{ path: 'shop/half.py', before: 'n / 2', after: 'n / 3' },
    test: {
      path: 'tests/test_half.py',
      text: 'import unittest\nfrom shop.half import half\n\nclass Half(unittest.TestCase):\n    def test_half(self):\n        self.assertEqual(half(6), 3)\n',
    },
    predicted: '2.0 != 3',
  },
  {
    framework: 'pytest',
    needs: ['pytest'],
    files: {
      'pyproject.toml': '[project]\nname = "shop"\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
      'shop/half.py': 'def half(n):\n    return n / 2\n',
    },
    ...{ path: 'shop/half.py', before: 'n / 2', after: 'n / 3' },
    test: {
      path: 'tests/test_half.py',
      text: 'from shop.half import half\n\ndef test_half():\n    assert half(6) == 3\n',
    },
    predicted: 'assert 2.0 == 3',
  },
  {
    framework: 'go test',
    needs: ['go'],
    files: {
      'go.mod': 'module example.com/shop\n\ngo 1.19\n',
      'half/half.go': 'package half\n\nfunc Half(n int) int {\n\treturn n / 2\n}\n',
    },
    ...{ path: 'half/half.go', before: 'n / 2', after: 'n / 3' },
    test: {
      path: 'half/shows_half_test.go',
      text: 'package half\n\nimport "testing"\n\nfunc TestShowsHalf(t *testing.T) {\n\tif got := Half(6); got != 3 {\n\t\tt.Errorf("Half(6) is %d", got)\n\t}\n}\n',
    },
    predicted: 'Half(6) is 2',
  },
  {
    framework: 'cargo test',
    needs: ['cargo'],
    files: {
      'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub fn half(n: u32) -> u32 {\n    n / 2\n}\n',
    },
    ...{ path: 'src/lib.rs', before: 'n / 2', after: 'n / 3' },
    test: {
      path: 'tests/shows_half.rs',
      text: '#[test]\nfn half_of_six() {\n    assert_eq!(shop::half(6), 3, "half of six");\n}\n',
    },
    predicted: 'half of six',
  },
  {
    framework: 'Maven',
    needs: ['Maven with its plugins'],
    files: {
      'pom.xml': pom,
      'src/main/java/shop/Half.java':
        'package shop;\n\npublic class Half {\n  public static int of(int n) {\n    return n / 2;\n  }\n}\n',
    },
    ...{ path: 'src/main/java/shop/Half.java', before: 'n / 2', after: 'n / 3' },
    test: {
      path: 'src/test/java/shop/ShowsHalfTest.java',
      text: 'package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nimport org.junit.jupiter.api.Test;\n\npublic class ShowsHalfTest {\n  @Test\n  void half() {\n    assertEquals(3, Half.of(6));\n  }\n}\n',
    },
    predicted: 'expected: <3> but was: <2>',
  },
  {
    framework: 'Gradle',
    needs: ['Gradle and JUnit'],
    files: {
      'settings.gradle': "rootProject.name = 'shop'\n",
      'build.gradle':
        "apply plugin: 'java'\ndependencies { testCompile files('/usr/share/java/junit4.jar', '/usr/share/java/hamcrest-core.jar') }\n",
      'src/main/java/shop/Half.java':
        'package shop;\n\npublic class Half {\n  public static int of(int n) {\n    return n / 2;\n  }\n}\n',
    },
    ...{ path: 'src/main/java/shop/Half.java', before: 'n / 2', after: 'n / 3' },
    test: {
      path: 'src/test/java/shop/ShowsHalfTest.java',
      text: 'package shop;\n\nimport static org.junit.Assert.assertEquals;\n\nimport org.junit.Test;\n\npublic class ShowsHalfTest {\n  @Test\n  public void half() {\n    assertEquals(3, Half.of(6));\n  }\n}\n',
    },
    predicted: 'expected:<3> but was:<2>',
  },
]

/** A run of theirs takes seconds of the processor: `npm run test:matrices` plays them. */
const slow = ['Maven', 'Gradle']
/** Seconds too, one of which is played. */
const drawnFrom = ['Vitest', 'cargo test']
const left = drawnFrom.filter((name) => !drawn(drawnFrom).includes(name))

for (const world of worlds.filter(({ framework }) => isWhole || ![...slow, ...left].includes(framework))) {
  const needed = needs('a sandbox (bubblewrap or a container)', ...world.needs)
  test(world.framework, { ...needed, timeout: 300_000 }, async () => {
    const changed = { [world.path]: (world.files[world.path] ?? '').replace(world.before, world.after) }
    const trees = {
      base: memorySnapshot(world.files),
      head: memorySnapshot({ ...world.files, ...changed }),
    }
    const project = await findProject(world.path, trees.head, packages)
    const framework = project && frameworkOf(project)
    if (!sandbox || !project || !framework) throw new Error('no framework was found')
    expect(framework.name).toBe(world.framework)
    const run = (side: 'base' | 'head', words: string) => {
      const test = { path: world.test.path, text: words }
      const limits = { seconds: 120, memoryMb: 2048, readOnlyPaths: [] }
      const input = { tree: trees[side], test, framework, project, sandbox, checkout: packages, limits }
      return runTest(input, signal)
    }
    const failed = await run('head', world.test.text)
    expect(failed, failed.why + failed.output).toMatchObject({ status: 'failed', why: '' })
    expect(failed.failures).toHaveLength(1)
    const [failure] = failed.failures
    expect(`${failure?.message}\n${failure?.details}`.replaceAll(/\s+/g, ' ')).toContain(world.predicted)
    const passed = await run('base', world.test.text)
    expect(passed, passed.why + passed.output).toMatchObject({ status: 'passed', passed: [failure?.name] })
    // What cannot be loaded has no results, or one that is a failure.
    expect((await run('base', 'import? nothing that exists')).status).not.toBe('passed')
  })
}
