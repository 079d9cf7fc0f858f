/** What the browser loads before it can show anything. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { dashboardFolder as dist, prepareDashboard } from '../../src/server/dashboard-build.ts'
import { root } from '../helpers/sightline.ts'

test('the first screen is at most 150 KB compressed, and nothing in it is inline', async () => {
  await prepareDashboard(() => {}, new AbortController().signal)
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const named = [...page.matchAll(/(?:src|href)="\/([^"]+)"/g)].flatMap(([, path]) => path ?? [])
  expect(named.length).toBeGreaterThan(2)
  const bytes = ['index.html', ...named].map((path) => gzipSync(readFileSync(join(dist, path))).byteLength)
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(150_000)
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
  // A build of another environment would be slow, and name the folders of whoever built it.
  const scripts = named
    .filter((path) => path.endsWith('.js'))
    .map((path) => readFileSync(join(dist, path), 'utf8'))
  expect(scripts.filter((text) => text.includes('jsxDEV') || text.includes(root))).toEqual([])
})
