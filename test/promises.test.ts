/** The table of promises in docs/security.md: every entry point is in it, and what it names is there. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('docs/security.md', 'utf8')
const [, section = ''] = page.split('## Who keeps each promise\n')
const [entryTable = '', promiseTable = ''] = section.split('\n## ')[0]?.split('\n| Promise |') ?? []
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Entry point'))
    .map((line) => line.slice(2, -2).split(' | '))

const entryPoints = new Map(
  rowsOf(entryTable).map(([name = '', where = '']) => [name, where.replaceAll('`', '')]),
)
const promises = rowsOf(promiseTable).filter(([promise]) => promise !== 'Promise')
const jobs = 'server, jobs'
const groups: Record<string, readonly string[]> = {
  reviews: ['command', 'action', 'library', 'agents', 'editors', jobs],
  requests: [
    'dashboard of one machine',
    ...[...entryPoints.keys()].filter((name) => name.startsWith('server, ') && name !== jobs),
  ],
}

/** `server, API` is one name. Longest first. */
function entryPointsIn(text: string): string[] {
  const names = [...Object.keys(groups), ...entryPoints.keys()].sort((a, b) => b.length - a.length)
  let rest = text
  const found: string[] = []
  while (rest !== '') {
    const name = names.find((each) => rest === each || rest.startsWith(`${each}, `))
    if (name === undefined) throw new Error(`no entry point is called so: ${rest}`)
    found.push(...(groups[name] ?? [name]))
    rest = rest.slice(name.length).replace(/^, /, '')
  }
  return found
}

test('every entry point of the source is in the table', () => {
  const routes = globSync('src/server/**/*.ts').filter((path) => {
    const text = readFileSync(path, 'utf8')
    // A file that makes routes itself, and not one that passes on those of others.
    return /\): Route(?:\[\])? \{/.test(text) && /\bscope\b/.test(text)
  })
  const entries = [
    'src/cli/main.ts',
    'action/main.ts',
    'src/index.ts',
    'src/lsp/server.ts',
    'src/mcp/server.ts',
  ]
  const own = ['src/server/api/local.ts', 'src/server/roles/carry-out.ts']
  expect([...entryPoints.values()].sort()).toEqual([...routes, ...entries, ...own].sort())
})

test.each(promises)('%s: kept by %s', (_promise, keptBy, reached, test) => {
  const [, name = '', path = ''] = /^`(\w+)` in `([\w./-]+)`$/.exec(keptBy ?? '') ?? []
  expect(readFileSync(path, 'utf8')).toMatch(
    new RegExp(`^export (?:async )?(?:function\\*?|class|const) ${name}\\b`, 'm'),
  )
  expect(entryPointsIn(reached ?? '').length).toBeGreaterThan(0)
  expect(existsSync((test ?? '').replaceAll('`', '')), test).toBe(true)
})

test('every entry point keeps some promise', () => {
  const kept = new Set(promises.flatMap(([, , reached]) => entryPointsIn(reached ?? '')))
  expect([...entryPoints.keys()].filter((name) => !kept.has(name))).toEqual([])
  expect(promises.length).toBeGreaterThan(15)
})
