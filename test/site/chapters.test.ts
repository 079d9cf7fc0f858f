/** The navigation of the documentation site, which is made of docs/index.md. `npm run test:site` builds the site itself. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { readChapters } from '../../site/.vitepress/chapters.ts'

const root = join(import.meta.dirname, '../..')
const groups = readChapters(readFileSync(join(root, 'docs/index.md'), 'utf8'))
const entries = groups.flatMap((group) => group.items)

test('every entry leads to a page, under a name of its own in its group', () => {
  const missing = entries.filter(({ link }) => !existsSync(join(root, `${link}.md`)))
  expect(missing).toEqual([])
  for (const { items } of groups) {
    const names = items.map((item) => item.text)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    expect(names.filter((name) => name.slice(0, 1) !== name.slice(0, 1).toUpperCase())).toEqual([])
  }
})

test('every chapter has an entry', () => {
  const files = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
  const pages = files
    .filter((file) => file.isFile() && file.name.endsWith('.md'))
    .map((file) => `/${relative(root, join(file.parentPath, file.name)).replaceAll('\\', '/')}`)
    .filter((path) => !/^\/docs\/(?:decisions\/|index\.md$)/.test(path))
  const links = new Set(entries.map(({ link }) => `${link}.md`))
  expect(pages.filter((path) => !links.has(path))).toEqual([])
})
