/** The reference of commands is what the commands say, and the site's navigation what the index of chapters says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deriveCommandReference } from '../../scripts/command-reference.ts'
import { readChapters } from '../../site/.vitepress/chapters.ts'

test('docs/command-reference.md is that of the script', async () => {
  const { path, text } = await deriveCommandReference()
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('every chapter of the index is in the navigation once', () => {
  const index = readFileSync(join(import.meta.dirname, '../../docs/index.md'), 'utf8')
  const links = readChapters(index).flatMap(({ items }) => items.map(({ link }) => link))
  expect(new Set(links).size).toBe(links.length)
  for (const link of [
    '/docs/quick-start',
    '/docs/start/air-gapped',
    '/docs/quality/rules',
    '/docs/server/setup',
  ])
    expect(links).toContain(link)
})
