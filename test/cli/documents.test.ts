/** What the pages name is there: linked files, paths of sources, and the functions that pages for contributors tell of. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { root, sightline } from '../helpers/sightline.ts'

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

function read(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

test.each(pages)('%s links to files that exist', (page) => {
  const targets = [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target)
  const local = targets.filter((target) => !/^[a-z]+:/.test(target))
  const missing = local.filter((target) => !existsSync(resolve(root, dirname(page), target)))
  expect(missing).toEqual([])
})

/** What others wrote, about the sources of other projects. */
const transcripts = ['docs/quality/asks.md', 'docs/proving-examples.md']

test.each(pages.filter((page) => !transcripts.includes(page)))('%s names sources that exist', (page) => {
  const paths = [...read(page).matchAll(/`((?:src|test|scripts|schema|bin)\/[\w./-]+)`/g)]
  expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test.each(['ARCHITECTURE.md', 'docs/contributing/rooms.md'])('%s names functions where they are', (page) => {
  const named = [...read(page).matchAll(/`(\w+)` in\s+`(src\/[\w./-]+\.ts)`/g)]
  expect(named.length).toBeGreaterThan(10)
  for (const [, name = '', path = ''] of named)
    expect(read(path), `${name} in ${path}`).toMatch(
      new RegExp(`export (async )?(function|const|class|type) ${name}\\b`),
    )
})

test('the chapters are all in the index, decisions as a folder', () => {
  const index = read('docs/index.md')
  const chapters = pages.filter((path) => /^docs\/(?!decisions\/|index\.md)/.test(path))
  for (const page of chapters) expect(index, page).toContain(`](${page.slice('docs/'.length)})`)
})

test('the examples in the README and in the page on reviews are what the demo prints', async () => {
  const { stdout } = await sightline(['demo'])
  // The numbers of evidence and the time depend on what else runs; all else is held, the totals too.
  const printed = new Set(stdout.split('\n').map(withoutNumbers))
  const examples: [page: string, least: number][] = [
    ['README.md', 30],
    ['docs/reading-a-review.md', 15],
  ]
  for (const [page, least] of examples) {
    const [, example = ''] =
      /^(?:One|Two findings) of `\.\/sightline demo`[^`]*?\n\n```\n([\s\S]*?)\n```$/m.exec(read(page)) ?? []
    const told = example.split('\n').filter((line) => line !== '…')
    expect(told.length, page).toBeGreaterThan(least)
    expect(
      told.filter((line) => !printed.has(withoutNumbers(line))),
      page,
    ).toEqual([])
  }
})

function withoutNumbers(line: string): string {
  return line.replace(/^ {4}E\d+ +/, '    E# ').replace(/· [\d.]+ s$/, '· # s')
}
