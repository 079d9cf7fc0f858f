/** The suites that say most about a machine: those that start programs. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const starts =
  /'node:child_process'|sightlineProcess|withoutSandbox|startServer\(|runAction\(|runRole\(|confineNode|openLiveIndexes|languageServers/
/** They start programs of a project of their own, which is the same everywhere, or take minutes by design. */
const elsewhere = /^test\/(?:evals|chaos|red-team|fakes|site|bench)\//

export function suitesThatStartPrograms(): string[] {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'test'], {
    cwd: root,
    encoding: 'utf8',
  })
  return tracked
    .split('\n')
    .filter((path) => path.endsWith('.test.ts') && !path.includes('/fixtures/') && !elsewhere.test(path))
    .filter((path) => starts.test(readFileSync(join(root, path), 'utf8')))
}
