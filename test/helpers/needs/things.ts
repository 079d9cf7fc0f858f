/** What some tests need of a machine beyond git and Node, and how each is looked for: once, before the workers start. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { gitVersion, isAtLeast } from '../../../src/base/git/version.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import { usePrivateFolder } from '../../../src/base/private-folders.ts'
import { probeBubblewrap } from '../../../src/base/sandbox/bubblewrap.ts'
import { nodeWalls } from '../../../src/base/sandbox/confine-node.ts'
import { findSandbox } from '../../../src/base/sandbox/probe.ts'
import { findOnPath } from '../../../src/code-index/language-servers/programs.ts'
import { chromiumPath } from '../chromium.ts'
import { postgresPrograms } from '../postgres.ts'

const { signal } = new AbortController()
const around = { environment: process.env, foreignFolders: [] }

const isOnPath = (program: string) => () => findOnPath(program, around) !== null
const isFile =
  (...parts: string[]) =>
  () =>
    existsSync(join(...parts))
const isSet = (variable: string) => () => Boolean(process.env[variable])
const testPackage = (path: string) =>
  isFile(process.env.SIGHTLINE_TEST_PACKAGES ?? packageRoot, 'node_modules', path)

const surefire = '.m2/repository/org/apache/maven/plugins/maven-surefire-plugin/3.2.5'

/** The names are read by people: "14 tests need bubblewrap". */
const things = {
  Linux: () => process.platform === 'linux',
  POSIX: () => process.platform !== 'win32',
  bubblewrap: async () =>
    (await nodeWalls()) !== 'permissions' &&
    (await usePrivateFolder('probe', (folder) => probeBubblewrap(folder, signal))) !== null,
  'a sandbox (bubblewrap or a container)': async () => (await findSandbox(undefined, signal)) !== null,
  PostgreSQL: () => postgresPrograms() !== null,
  Chromium: () => chromiumPath !== null,
  'script of util-linux': () =>
    /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? ''),
  'git 2.45': async () => isAtLeast(await gitVersion(), { major: 2, minor: 45 }),
  'git before 2.45': async () => !isAtLeast(await gitVersion(), { major: 2, minor: 45 }),
  bash: isOnPath('bash'),
  fish: isOnPath('fish'),
  zsh: isOnPath('zsh'),
  Neovim: isOnPath('nvim'),
  'Emacs with Eglot': () =>
    isOnPath('emacs')() && spawnSync('emacs', ['--batch', '--eval', "(require 'eglot)"]).status === 0,
  'gopls and go': () => isOnPath('gopls')() && isOnPath('go')(),
  clangd: isOnPath('clangd'),
  'Biome for this machine': isFile(
    ...[packageRoot, `node_modules/@biomejs/cli-${process.platform}-${process.arch}/biome`],
  ),
  // In the sandbox programs of the distribution are seen, and others are not.
  python3: isFile('/usr/bin/python3'),
  pytest: isFile('/usr/lib/python3/dist-packages/pytest'),
  go: isFile('/usr/bin/go'),
  cargo: () => existsSync('/usr/bin/cargo') || existsSync(join(homedir(), '.rustup/settings.toml')),
  'Maven with its plugins': isFile(homedir(), surefire, 'maven-surefire-plugin-3.2.5.jar'),
  'Gradle and JUnit': () => existsSync('/usr/bin/gradle') && existsSync('/usr/share/java/junit4.jar'),
  Vitest: testPackage('vitest/vitest.mjs'),
  Mocha: testPackage('mocha/bin/mocha.js'),
  Jest: testPackage('jest/bin/jest.js'),
  'npm run test:mcp': isSet('SIGHTLINE_MCP_SERVERS'),
  'npm run test:site': isSet('SIGHTLINE_SITE'),
  'npm run test:walk': isSet('SIGHTLINE_WALK'),
  'an OpenTelemetry Collector (SIGHTLINE_OTELCOL)': isSet('SIGHTLINE_OTELCOL'),
  'the schema of OTLP (SIGHTLINE_OTLP_PROTO)': isSet('SIGHTLINE_OTLP_PROTO'),
} satisfies Record<string, () => boolean | Promise<boolean>>

export type Thing = keyof typeof things

export async function findLacking(): Promise<Thing[]> {
  const looked = Object.entries(things).map(async ([name, isHere]) => ({ name, isHere: await isHere() }))
  return (await Promise.all(looked)).flatMap(({ name, isHere }) => (isHere ? [] : [name as Thing]))
}
