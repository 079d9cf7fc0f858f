/**
 * Draws the floors of the house from the real imports, type imports too, and names the arrow that climbs,
 * runs between neighbours, or closes a circle. The floors are those of ARCHITECTURE.md.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { bundledFolders } from '../scripts/bundle.ts'

const root = resolve(import.meta.dirname, '..')

/** From the top down. Rooms of one line are neighbours: they do not know each other. */
const floors = [
  ['evals', 'dashboard', 'src/cli'],
  ['src/index.ts', 'src/server'],
  ['src/lsp', 'src/mcp'],
  ['src/telemetry'],
  ['src/sightline.ts'],
  ['src/assembly'],
  ['src/pipeline', 'src/tools'],
  ['src/memory', 'src/workspace'],
  ['src/agent', 'src/code-index', 'src/graph', 'src/ledger', 'src/test-runs'],
  ['src/llm', 'src/hosts', 'src/storage'],
  ['src/config'],
  ['src/domain'],
  ['src/base'],
  // Plain JavaScript, for the start of the command.
  ['bin/compile-cache.js'],
]

/** The floors inside the code index, from the top down: those of its section in docs/contributing/rooms.md. */
const codeIndex = 'src/code-index'
const codeIndexFloors = [
  ['language-servers', 'search'],
  ['graph'],
  ['query'],
  ['resolve', 'tree-index', 'vectors', 'related', 'fact-store.ts'],
  ['parsing'],
  ['cache', 'languages', 'segments'],
  ['extraction', 'index-files', 'lexical', 'chunks'],
  ['contract.ts', 'language-of.ts'],
].map((rooms) => rooms.map((room) => `${codeIndex}/${room}`))

/** Folders inside a room whose children must not know each other; files beside them may know them all. */
const stageFolders = ['src/pipeline']
/** Below all stages: what they are given alike. */
const stageInput = 'src/pipeline/stage-input.ts'

type Arrow = { from: string; to: string }

function sourceFiles(): string[] {
  const found: string[] = []
  for (const top of ['src', 'evals', 'dashboard']) {
    const entries = readdirSync(root, { withFileTypes: true }).some((e) => e.name === top)
      ? readdirSync(join(root, top), { recursive: true, withFileTypes: true })
      : []
    for (const entry of entries) {
      const path = relative(root, join(entry.parentPath, entry.name))
      if (entry.isFile() && /\.tsx?$/.test(path) && !/(^|\/)(node_modules|fixtures|dist)\//.test(path))
        found.push(path)
    }
  }
  return found.sort()
}

/** Every `import`, `export … from`, dynamic `import()` and `import type` whose target is a file of ours. */
function arrows(files: string[]): Arrow[] {
  const specifier = /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)(['"])(\.[^'"]+)\1/g
  return files.flatMap((from) =>
    [...readFileSync(join(root, from), 'utf8').matchAll(specifier)].map((match) => ({
      from,
      to: relative(root, resolve(root, dirname(from), match[2] ?? '')),
    })),
  )
}

function placeOf(path: string, house: readonly string[][] = floors): { floor: number; room: string } | null {
  for (const [floor, rooms] of house.entries()) {
    const room = rooms.find((r) => path === r || path.startsWith(`${r}/`))
    if (room) return { floor, room }
  }
  return null
}

function complaints(all: Arrow[]): string[] {
  return all.flatMap(({ from, to }) => {
    const [a, b] = [placeOf(from), placeOf(to)]
    if (!a) return [`${from} stands on no floor`]
    if (!b) return [`${from} → ${to} leaves the house`]
    if (a.room === 'evals' && b.room !== 'evals' && b.room !== 'src/index.ts')
      return [`${from} → ${to} goes around the library's entry point`]
    if (b.floor < a.floor) return [`${from} → ${to} climbs`]
    if (b.floor === a.floor && a.room !== b.room) return [`${from} → ${to} runs between neighbours`]
    if (a.room === codeIndex && b.room === codeIndex) {
      const [x, y] = [placeOf(from, codeIndexFloors), placeOf(to, codeIndexFloors)]
      if (!x || !y) return [`${x ? to : from} stands on no floor of ${codeIndex}`]
      if (y.floor < x.floor) return [`${from} → ${to} climbs`]
      if (y.floor === x.floor && x.room !== y.room) return [`${from} → ${to} runs between neighbours`]
    }
    const stages = stageFolders.find((s) => from.startsWith(`${s}/`) && to.startsWith(`${s}/`))
    if (stages) {
      const [x, y] = [from, to].map((p) => p.slice(stages.length + 1).split('/'))
      if (x && y && x.length > 1 && y.length > 1 && x[0] !== y[0]) return [`${from} → ${to} ties two stages`]
      if (x && y && x.length > 1 && y.length === 1 && to !== stageInput) return [`${from} → ${to} climbs`]
    }
    return []
  })
}

/** The first circle found, as `a → b → a`, or null. */
function circle(all: Arrow[]): string | null {
  const next = Map.groupBy(all, (arrow) => arrow.from)
  const done = new Set<string>()
  const path: string[] = []
  const walk = (file: string): string | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(' → ')
    if (done.has(file)) return null
    path.push(file)
    for (const { to } of next.get(file) ?? []) {
      const found = walk(to)
      if (found) return found
    }
    path.pop()
    done.add(file)
    return null
  }
  for (const file of next.keys()) {
    const found = walk(file)
    if (found) return found
  }
  return null
}

const drawn = arrows(sourceFiles())

test('no arrow climbs, and none runs between neighbours', () => {
  expect(drawn.length).toBeGreaterThan(10)
  expect(complaints(drawn)).toEqual([])
})

test('no circle closes, type imports included', () => {
  expect(circle(drawn)).toBeNull()
})

test('the drawing itself sees what it should forbid', () => {
  expect(complaints([{ from: 'src/base/a.ts', to: 'src/config/b.ts' }])).toEqual([
    'src/base/a.ts → src/config/b.ts climbs',
  ])
  expect(complaints([{ from: 'evals/a.ts', to: 'src/base/b.ts' }])).toEqual([
    "evals/a.ts → src/base/b.ts goes around the library's entry point",
  ])
  expect(complaints([{ from: 'evals/a.ts', to: 'src/index.ts' }])).toEqual([])
  expect(complaints([{ from: 'src/base/a.ts', to: 'src/domain/b.ts' }])).toHaveLength(1)
  expect(complaints([{ from: 'src/pipeline/diff/a.ts', to: 'src/pipeline/planes/b.ts' }])).toHaveLength(1)
  expect(complaints([{ from: 'src/pipeline/diff/a.ts', to: 'src/pipeline/review.ts' }])).toHaveLength(1)
  expect(complaints([{ from: 'src/pipeline/review.ts', to: 'src/pipeline/diff/a.ts' }])).toEqual([])
  expect(complaints([{ from: 'src/pipeline/diff/a.ts', to: stageInput }])).toEqual([])
  const inIndex = (from: string, to: string) =>
    complaints([{ from: `${codeIndex}/${from}`, to: `${codeIndex}/${to}` }])
  expect(inIndex('query/a.ts', 'resolve/languages/b.ts')).toEqual([])
  expect(inIndex('resolve/a.ts', 'resolve/b.ts')).toEqual([])
  expect(inIndex('resolve/a.ts', 'query/b.ts')).toEqual([
    'src/code-index/resolve/a.ts → src/code-index/query/b.ts climbs',
  ])
  expect(inIndex('search/a.ts', 'language-servers/b.ts')).toHaveLength(1)
  expect(inIndex('somewhere/a.ts', 'contract.ts')).toHaveLength(1)
  expect(
    circle([
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ]),
  ).toBe('a → b → a')
})

test('what only evaluations need is not published', () => {
  // The folders that the bundle copies, and those that it is built from.
  const published = [...bundledFolders, 'src', 'dashboard/src']
  const paths = published.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  expect(paths).toContain(join('src', 'index.ts'))
  expect(paths.filter((path) => /\beval/.test(path))).toEqual([])
})
