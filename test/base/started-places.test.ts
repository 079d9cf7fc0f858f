/**
 * Where the product starts a program or a thread. Whoever adds such a file decides here what it starts, so that nothing of a
 * repository runs outside of a sandbox and nothing runs through a shell.
 */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const decided: Record<string, string> = {
  git: 'src/base/git/run.ts',
  'this program once more: the command, roles of the server, indexes, parsers, rules': `
    action/main.ts src/base/child-worker.ts src/cli/supervision/background-index.ts src/cli/supervision/supervise.ts
    src/server/database/embedded/data-files.ts src/server/database/embedded/embedded-database.ts src/server/roles/compiled.ts
    src/server/roles/run-role.ts`,
  'in a sandbox: tests, linters, language servers, programs of the settings': `
    src/base/sandbox/confine-node.ts src/base/sandbox/run-boxed.ts src/code-index/language-servers/server-process.ts
    src/hosts/mcp/connect.ts`,
  'what the machine has installed: the version of a language server, the pager of the user': `
    src/cli/output/pager.ts src/code-index/language-servers/programs.ts`,
  'our own dashboard, from a checkout of ours': 'src/server/dashboard-build.ts',
  'nothing: a thread, a context for the collector of garbage, types': `
    src/base/git/object-reader.ts src/base/git/spare-git.ts src/base/release-memory.ts src/server/database/embedded/engine.ts`,
}

test('every file that starts something is decided about, and none asks a shell', () => {
  const found = globSync(['src/**/*.ts', 'action/*.ts']).filter((path) =>
    /(?:from|import\() *'(?:node:)?(?:child_process|worker_threads|cluster|vm|@modelcontextprotocol\/client\/stdio)'/.test(
      readFileSync(path, 'utf8'),
    ),
  )
  const known = Object.values(decided).flatMap((paths) => paths.trim().split(/\s+/))
  expect(found.sort()).toEqual(known.sort())
  for (const path of found)
    expect(readFileSync(path, 'utf8'), path).not.toMatch(
      /\bshell: true\b|import \{[^}]*\bexec(?:Sync)?\b[^}]*\} from 'node:child/,
    )
})
