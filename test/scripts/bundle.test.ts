/** The bundle: one folder that reviews without anything beside it, and the release of the Action. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'

const scripts = join(import.meta.dirname, '../../scripts')

/** As the release of the Action makes it: a commit with the bundle alone, taken out into a folder. */
function releaseInto(folder: string): void {
  const release = createRepo()
  // `npm test` has made it, to start its commands.
  const made = process.env.SIGHTLINE_TEST_PRODUCT
  const written = spawnSync(
    process.execPath,
    [
      join(scripts, 'release-action.ts'),
      ...['--write', 'action', '--into', release.path],
      ...(made === undefined ? [] : ['--bundle', made]),
    ],
    { encoding: 'utf8' },
  )
  expect([written.status, written.stderr]).toEqual([0, expect.any(String)])
  const said =
    /^tree ([0-9a-f]{40}): \d+ files, [\d.]+ MB, starts in \d+ ms\ncommit ([0-9a-f]{40}) on action\n$/
  const [, tree, commit] = said.exec(written.stdout) ?? []
  expect(release.git('rev-parse', 'action', 'action^{tree}')).toBe(`${commit}\n${tree}`)
  expect(release.git('status', '--porcelain')).toBe('')
  release.git('worktree', 'add', '--quiet', '--detach', folder, 'action')
}

/** Whatever Node loads before the module at `path` runs: its files, and the modules of Node. */
function loadedWith(path: string): Set<string> {
  const loaded = new Set([path])
  const imported = /(?:^|;)(?:(?:import|export)\b[^;]*?\bfrom|import) ?"([^"]+)";/g
  // What is added on the way is visited too.
  for (const each of loaded)
    if (each.endsWith('.js'))
      for (const [, name = ''] of readFileSync(each, 'utf8').matchAll(imported))
        loaded.add(name.startsWith('.') ? join(dirname(each), name) : name)
  return loaded
}

// That two are the same is checked by the release, which makes two: each takes as long as the rest of this test.
test('it parses, applies rules and names findings, with the licences of what is in it, and starts as the Action', () => {
  const folder = join(temporaryFolder(), 'sightline')
  releaseInto(folder)
  expect(readFileSync(join(folder, 'action.yml'), 'utf8')).toContain('main: dist/action/main.js')
  expect(existsSync(join(folder, 'dist/action/main.js'))).toBe(true)
  // Every command loads the library. Each file costs that a millisecond or two, and node:http 60.
  const library = loadedWith(join(folder, 'dist/index.js'))
  expect([...library].filter((name) => name.endsWith('.js')).length).toBeLessThan(30)
  expect(library).toContain('node:fs')
  expect(library).not.toContain('node:http')

  const repo = createRepo()
  repo.commit({
    'total.py': 'def total(items, tax):\n    return sum(items) * tax\n',
    'use.py': 'from total import total\n\nprint(total([1], 2))\n',
    'rate.ts': 'export const rate = 1\n',
  })
  repo.commit({
    'total.py': 'def total(items):\n    return sum(items)\n',
    'rate.ts': 'export const rate = Number("x") === NaN ? 1 : 2\n',
  })
  const home = temporaryFolder()
  const review = spawnSync(
    process.execPath,
    [join(folder, 'bin/sightline.js'), 'review', '--commit', 'HEAD', '--depth', 'offline', '--json'],
    {
      ...{ cwd: repo.path, encoding: 'utf8' },
      // What would be compiled for this folder is of use to nobody.
      ...{ env: { PATH: process.env.PATH, HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' } },
    },
  )
  expect(review.stderr).not.toContain('Internal error')
  const { findings, coverage } = JSON.parse(review.stdout)
  const rules: string[] = findings.map(({ rule }: { rule: string }) => rule)
  // One needs the grammar of Python, the other the rule engine: both in children that find their own files.
  expect(rules.filter((rule) => rule.startsWith('contract/'))).toHaveLength(1)
  expect(rules).toContain('js/compare-nan')
  expect(coverage.complete).toBe(true)

  const licences = readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const name of ['zod', 'web-tree-sitter', '@vscode/tree-sitter-wasm', '@modelcontextprotocol/client'])
    expect(licences).toMatch(new RegExp(`^${name} [\\d.]+(-[\\w.]+)?, `, 'm'))
})

test('a folder that holds something else is not replaced', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'precious.txt'), 'kept')
  const { status, stderr } = spawnSync(process.execPath, [join(scripts, 'bundle.ts'), folder], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([2, expect.stringContaining('holds something else')])
  expect(existsSync(join(folder, 'precious.txt'))).toBe(true)
})
