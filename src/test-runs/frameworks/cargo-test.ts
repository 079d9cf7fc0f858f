/** Cargo's tests, whose report is what the stable test runner prints: a line for each test, then the words of those that failed. */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { buildCache, type TestCase, type TestFramework } from '../contract.ts'

export const cargoTest: TestFramework = {
  name: 'cargo test',
  ecosystem: 'rust',
  guide:
    'Write one function with `#[test]`. The file is an integration test in the folder `tests`: it sees what the crate exports, under the name of the crate.',
  isUsedBy: () => true,
  nameFor: (stem) => `${stem.replaceAll('-', '_')}.rs`,
  folderFor: (_, { folder }) => join(folder, 'tests'),
  command({ test }) {
    const found = findToolchain()
    if (!found) return null
    const registry = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry')
    return {
      words: [
        'cargo',
        'test',
        '--offline',
        '--quiet',
        '--test',
        basename(test, '.rs'),
        '--',
        '--format=pretty',
      ],
      typed: ['cargo', 'test', '--test', basename(test, '.rs')],
      reportIn: 'output',
      environment: {
        PATH: `${found.programs}:/usr/local/bin:/usr/bin:/bin`,
        CARGO_HOME: '/tmp/cargo',
        CARGO_TARGET_DIR: `${buildCache}/cargo`,
        CARGO_TERM_COLOR: 'never',
        RUST_BACKTRACE: '1',
      },
      lent: [...found.lent, ...(existsSync(registry) ? [{ from: registry, to: '/tmp/cargo/registry' }] : [])],
    }
  },
  read(report) {
    const results = [
      ...report.matchAll(/^test (?<name>\S+)(?: - .*?)? \.\.\. (?<status>ok|FAILED|ignored)\b/gm),
    ]
    const ends = [...report.matchAll(/^test result: .*? (\d+) passed; (\d+) failed;/gm)]
    const [[, passed, failed] = []] = ends
    const count = (status: string) => results.filter(({ groups }) => groups?.status === status).length
    if (ends.length !== 1 || count('ok') !== Number(passed) || count('FAILED') !== Number(failed))
      throw new Error('the lines of the tests and their sum disagree')
    return results.map(({ groups = {} }): TestCase => {
      const { name = '', status } = groups
      const details = status === 'FAILED' ? wordsOf(name, report) : ''
      const state = status === 'ok' ? 'passed' : status === 'FAILED' ? 'failed' : 'skipped'
      return { name, status: state, message: messageIn(details), details }
    })
  },
}

/** Below `---- name stdout ----`, until the next such line or the list of failures. */
function wordsOf(name: string, report: string): string {
  const [, rest = ''] = report.split(`---- ${name} stdout ----\n`)
  return rest.split(/^(?:---- \S+ stdout ----|failures:)$/m)[0] ?? ''
}

/** What the panic says: the lines behind the one that tells where, up to the stack. */
function messageIn(details: string): string {
  const lines = details.split('\n')
  const words = lines.slice(lines.findIndex((line) => line.includes(' panicked at ')) + 1)
  const end = words.findIndex((line) => line.startsWith('stack backtrace:') || line.startsWith('note: '))
  return words
    .slice(0, end < 0 ? undefined : end)
    .join('\n')
    .trim()
}

type Toolchain = { programs: string; lent: { from: string; to: string }[] }

/** The system's, or the default one of rustup: its own `cargo` chooses by the reviewed repository, and may want to download. */
function findToolchain(): Toolchain | null {
  if (existsSync('/usr/bin/cargo')) return { programs: '/usr/bin', lent: [] }
  const rustup = process.env.RUSTUP_HOME ?? join(homedir(), '.rustup')
  const settings = join(rustup, 'settings.toml')
  if (!existsSync(settings)) return null
  const [, name] = /^default_toolchain = "([\w.-]+)"/m.exec(readFileSync(settings, 'utf8')) ?? []
  const from = join(rustup, 'toolchains', name ?? '')
  return name !== undefined && existsSync(join(from, 'bin/cargo'))
    ? { programs: '/rust/bin', lent: [{ from, to: '/rust' }] }
    : null
}
