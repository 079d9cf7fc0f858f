/**
 * The tables of promises in docs/security.md: every entry point is in them, what they name is there, and each entry point reaches the
 * function that keeps the promise by what it imports.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const page = readFileSync('docs/security.md', 'utf8')
const [, section = ''] = page.split('## Who keeps each promise\n')
const [entryTable = [], groupTable = [], promises = []] = tablesIn(section.split('\n## ')[0] ?? '')
const pathsIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
const entryPoints = new Map(entryTable.map(([name = '', where]) => [name, pathsIn(where)]))
const groups = new Map(
  groupTable.map(([name = '', names = '']) => [name, namesIn(names, [...entryPoints.keys()])]),
)

/** Rows of each table, without its head. */
function tablesIn(text: string): string[][][] {
  const tables = text.match(/(?:^\|.*\n?)+/gm) ?? []
  return tables.map((table) => {
    const lines = table.trim().split('\n').slice(2)
    return lines.map((line) => line.slice(2, -2).split(' | '))
  })
}

/** `server, API` is one name. */
function namesIn(text: string, names: readonly string[]): string[] {
  const longestFirst = [...names].sort((a, b) => b.length - a.length)
  let rest = text
  const found: string[] = []
  while (rest !== '') {
    const name = longestFirst.find((each) => rest === each || rest.startsWith(`${each}, `))
    if (name === undefined) throw new Error(`no entry point is called so: ${rest}`)
    found.push(name)
    rest = rest.slice(name.length).replace(/^, /, '')
  }
  return found
}

function entryPointsIn(text = ''): string[] {
  const named = namesIn(text, [...groups.keys(), ...entryPoints.keys()])
  return named.flatMap((name) => groups.get(name) ?? [name])
}

const everyRequest = 'src/server/http/listen.ts'
const reached = new Map<string, ReadonlySet<string>>()

/** All modules that a file loads or may load later, itself too. What it only takes types of is none. */
function reachedFrom(file: string): ReadonlySet<string> {
  const found = new Set([file])
  for (const path of found) {
    const code = readFileSync(path, 'utf8').replace(/^(?:import|export) type .*?from '.*?'$/gms, '')
    for (const [, name = ''] of code.matchAll(/'(\.{1,2}\/[\w./-]+\.ts)'/g)) {
      const other = join(dirname(path), name)
      if (existsSync(other)) found.add(other)
    }
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
  const own = ['src/server/api/local.ts', 'src/server/roles/carry-out.ts', 'src/server/serve.ts']
  const first = [...entryPoints.values()].map(([path]) => path)
  expect(first.sort()).toEqual([...routes, ...entries, ...own].sort())
  const requests = [...entryPoints.keys()].filter(
    (name) => name.startsWith('server, ') && !['server, jobs', 'server, by itself'].includes(name),
  )
  expect(groups.get('requests')).toEqual(['dashboard of one machine', ...requests])
})

test.each(promises)('%s: kept by %s', (_promise, keptBy, doors, tests) => {
  const [, name = '', path = ''] = /^`(\w+)` in `([\w./-]+)`$/.exec(keptBy ?? '') ?? []
  expect(readFileSync(path, 'utf8')).toMatch(
    new RegExp(`^export (?:async )?(?:function\\*?|class|const) ${name}\\b`, 'm'),
  )
  const named = entryPointsIn(doors)
  expect(named.length).toBeGreaterThan(0)
  const without = named.filter((door) => {
    const shared = groups.get('requests')?.includes(door) ? [everyRequest] : []
    return ![...(entryPoints.get(door) ?? []), ...shared].some((file) => {
      if (!reached.has(file)) reached.set(file, reachedFrom(file))
      return reached.get(file)?.has(path)
    })
  })
  expect(without, 'these cannot reach it').toEqual([])
  expect(pathsIn(tests).length).toBeGreaterThan(0)
  expect(pathsIn(tests).filter((each) => !existsSync(each))).toEqual([])
})

test('every entry point keeps some promise, and no promise has two rows', () => {
  const kept = new Set(promises.flatMap(([, , doors]) => entryPointsIn(doors)))
  expect([...entryPoints.keys()].filter((name) => !kept.has(name))).toEqual([])
  expect(new Set(promises.map(([promise]) => promise)).size).toBe(promises.length)
  expect(promises.length).toBeGreaterThan(60)
})
