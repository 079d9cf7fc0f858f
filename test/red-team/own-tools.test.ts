/**
 * Tools that run what their configuration says, each with one that would leave a mark: reviewed with the default settings, none
 * of them is started and none of the files is run. Whatever is on the PATH or in the project under a name of such a tool is a
 * trap that leaves a mark too.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sightlineProcess } from '../helpers/sightline.ts'

const mark = join(mkdtempSync(join(tmpdir(), 'sightline-mark-')), 'mark')
afterAll(() => rmSync(dirname(mark), { recursive: true, force: true }))
const javascript = `require('node:fs').appendFileSync(${JSON.stringify(mark)}, __filename + '\\n')\n`
const module = `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(mark)}, import.meta.url + '\\n')\nexport default {}\n`
const python = `open(${JSON.stringify(mark)}, 'a').write(__file__ + '\\n')\n`
const ruby = `File.write(${JSON.stringify(mark)}, __FILE__, mode: 'a')\n`
const shell = `echo "$0" >> ${mark}\n`
const php = `<?php file_put_contents(${JSON.stringify(mark)}, __FILE__, FILE_APPEND);\n`
const scripts = {
  preinstall: `sh -c '${shell.trim()}'`,
  postinstall: `sh -c '${shell.trim()}'`,
  test: `sh -c '${shell.trim()}'`,
}

/** By tool: the programs that read it, and its files. */
const tools: Record<string, { programs: string[]; files: Record<string, string> }> = {
  ESLint: {
    programs: ['eslint', 'eslint_d'],
    files: { 'eslint.config.js': module, '.eslintrc.cjs': javascript },
  },
  Prettier: { programs: ['prettier'], files: { 'prettier.config.mjs': module } },
  Stylelint: { programs: ['stylelint'], files: { 'stylelint.config.mjs': module } },
  Babel: { programs: ['babel'], files: { 'babel.config.cjs': javascript } },
  Jest: { programs: ['jest'], files: { 'jest.config.cjs': javascript } },
  Vitest: { programs: ['vitest'], files: { 'vitest.config.ts': module } },
  Vite: { programs: ['vite'], files: { 'vite.config.ts': module } },
  webpack: { programs: ['webpack'], files: { 'webpack.config.js': javascript } },
  Rollup: { programs: ['rollup'], files: { 'rollup.config.mjs': module } },
  TypeScript: {
    programs: ['tsc', 'tsserver'],
    files: {
      'tsconfig.json': '{"compilerOptions":{"plugins":[{"name":"./trap.cjs"}]}}\n',
      'trap.cjs': javascript,
    },
  },
  npm: {
    programs: ['npm', 'npx', 'node-gyp'],
    files: { 'package.json': JSON.stringify({ scripts }), '.npmrc': 'node-options=--require=./trap.cjs\n' },
  },
  pnpm: { programs: ['pnpm'], files: { '.pnpmfile.cjs': javascript } },
  Yarn: { programs: ['yarn'], files: { '.yarnrc.yml': 'yarnPath: ./trap.cjs\n', '.pnp.cjs': javascript } },
  Husky: { programs: ['husky', 'lint-staged'], files: { '.husky/pre-commit': shell } },
  'pre-commit': {
    programs: ['pre-commit'],
    files: {
      '.pre-commit-config.yaml':
        'repos: [{repo: local, hooks: [{id: x, name: x, language: system, entry: ./trap.sh}]}]\n',
      'trap.sh': shell,
    },
  },
  RuboCop: {
    programs: ['rubocop', 'bundle', 'ruby'],
    files: { '.rubocop.yml': 'require: ./trap.rb\n', 'trap.rb': ruby, Gemfile: ruby },
  },
  Rake: { programs: ['rake'], files: { Rakefile: ruby } },
  setuptools: { programs: ['python', 'python3', 'pip'], files: { 'setup.py': python } },
  pytest: { programs: ['pytest', 'py.test'], files: { 'conftest.py': python } },
  Pylint: {
    programs: ['pylint'],
    files: { '.pylintrc': `[MAIN]\ninit-hook='open("${mark}", "a").write("pylint")'\n` },
  },
  mypy: {
    programs: ['mypy', 'ruff', 'flake8'],
    files: { 'mypy.ini': '[mypy]\nplugins = ./trap.py\n', 'trap.py': python },
  },
  tox: {
    programs: ['tox', 'nox'],
    files: { 'tox.ini': '[testenv]\ncommands = sh trap.sh\n', 'noxfile.py': python },
  },
  Make: {
    programs: ['make', 'gmake', 'just'],
    files: { Makefile: `$(shell echo make >> ${mark})\nall:\n\ttrue\n` },
  },
  Gradle: {
    programs: ['gradle', 'java'],
    files: { 'build.gradle': `new File("${mark}") << "gradle"\n`, gradlew: shell },
  },
  Maven: { programs: ['mvn'], files: { '.mvn/jvm.config': '-javaagent:trap.jar\n', mvnw: shell } },
  Cargo: {
    programs: ['cargo', 'rustc', 'clippy-driver'],
    files: {
      'build.rs': `fn main() { std::fs::write("${mark}", "cargo").unwrap() }\n`,
      '.cargo/config.toml': '[build]\nrustc-wrapper = "./trap.sh"\n',
    },
  },
  Go: {
    programs: ['go', 'golangci-lint', 'gopls'],
    files: { 'gen.go': 'package a\n\n//go:generate sh trap.sh\n' },
  },
  PHP: {
    programs: ['php', 'phpstan', 'composer'],
    files: {
      'phpstan.neon': 'parameters: { bootstrapFiles: [trap.php] }\n',
      'trap.php': php,
      'composer.json': JSON.stringify({ scripts: { 'post-install-cmd': 'sh trap.sh' } }),
    },
  },
  direnv: { programs: ['direnv'], files: { '.envrc': shell } },
  editors: {
    programs: ['code'],
    files: {
      '.vscode/tasks.json':
        '{"tasks":[{"label":"x","command":"sh trap.sh","runOptions":{"runOn":"folderOpen"}}]}\n',
      '.exrc': '!sh trap.sh\n',
    },
  },
}

test(`${Object.keys(tools).length} tools that run their configuration: none is started`, {
  timeout: 300_000,
}, async () => {
  const repo = createRepo()
  const files = Object.assign({}, ...Object.values(tools).map((tool) => tool.files)) as Record<string, string>
  repo.commit({ 'src/a.ts': 'export const a = 1\n' }, 'first')
  const traps = temporaryFolder()
  const places = [
    traps,
    ...['node_modules/.bin', '.venv/bin', 'vendor/bin', 'bin'].map((path) => join(repo.path, path)),
  ]
  for (const place of places) mkdirSync(place, { recursive: true })
  for (const program of Object.values(tools).flatMap(({ programs }) => programs))
    for (const place of places) {
      writeFileSync(join(place, program), `#!/bin/sh\n${shell}`)
      chmodSync(join(place, program), 0o755)
    }
  repo.commit({ ...files, 'src/a.ts': 'export const a = 2\n' }, 'second')
  const env = {
    PATH: `${traps}:${process.env.PATH}`,
    XDG_STATE_HOME: temporaryFolder(),
    XDG_CACHE_HOME: temporaryFolder(),
  }
  const command = ['review', 'HEAD', '--fail-on', 'never']
  const { code, stderr } = await sightlineProcess(command, { cwd: repo.path, env })
  expect(code, stderr).toBe(0)
  expect(existsSync(mark) ? readFileSync(mark, 'utf8') : '').toBe('')
})
