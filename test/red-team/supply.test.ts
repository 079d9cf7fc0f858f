/**
 * What `npm install` runs and fetches, and what names of strangers do on their way through the Action: no script of a dependency
 * runs but that of Node itself, every package is fixed by its content, and a branch's name is data.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { findChange } from '../../action/find-change.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().default(false),
      hasInstallScript: z.boolean().default(false),
    }),
  ),
})

test.each(['package-lock.json', 'site/package-lock.json'])(
  '%s: each package by its SHA-512, from the registry only; no dependency has a script of its own but the program Node',
  (path) => {
    const { packages } = Lock.parse(JSON.parse(readFileSync(path, 'utf8')))
    const [loose, elsewhere, scripted]: string[][] = [[], [], []]
    for (const [name, { resolved, integrity, link, hasInstallScript }] of Object.entries(packages)) {
      if (name === '' || link || !name.includes('node_modules/')) continue
      if (!integrity?.startsWith('sha512-')) loose?.push(name)
      // Without an address, npm asks the registry that it is set to.
      if (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')) elsewhere?.push(name)
      if (hasInstallScript) scripted?.push(name)
    }
    expect({ loose, elsewhere }).toEqual({ loose: [], elsewhere: [] })
    // The site is only built, with scripts switched off.
    const allowed = path.startsWith('site/')
      ? /^ignore-scripts=true$/m.test(readFileSync('site/.npmrc', 'utf8')) && scripted
      : ['node_modules/node']
    expect(scripted).toEqual(allowed)
  },
)

test('our own package has no script that npm runs by itself, and the Action is a program and no shell', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')))
  const byItself = /^(?:pre|post)?(?:install|prepare|publish|pack|version|uninstall|dependencies|shrinkwrap)/
  expect(Object.keys(scripts).filter((name) => byItself.test(name))).toEqual([])
  const { runs } = z
    .object({ runs: z.record(z.string(), z.string()) })
    .parse(parse(readFileSync('action/action.yml', 'utf8')))
  expect(runs).toEqual({ using: 'node24', main: 'dist/action/main.js' })
})

test('hostile names of branches and owners are asked for as they are', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.setHeader('content-type', 'application/json')
    response.end('[]')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const path = join(temporaryFolder(), 'event.json')
  const names = [
    '$(id)',
    '`id`',
    '";id #',
    'a&state=closed',
    '../../other/pulls',
    '--upload-pack=id',
    'x\n::set-output name=a::b',
    '🦊\u202e',
  ]
  for (const branch of names) {
    const from = { id: 1, owner: { login: 'eve&x=' } }
    const run = { head_sha: 'a'.repeat(40), head_branch: branch, head_repository: from }
    writeFileSync(path, JSON.stringify({ workflow_run: run }))
    const environment = { GITHUB_EVENT_PATH: path, GITHUB_API_URL: api, GITHUB_REPOSITORY: 'acme/shop' }
    expect(await findChange(environment, '')).toHaveProperty('reason')
    const { pathname, searchParams } = new URL(asked.at(-1) ?? '', api)
    expect(pathname).toBe('/repos/acme/shop/pulls')
    expect([...searchParams]).toEqual([
      ['head', `eve&x=:${branch}`],
      ['state', 'open'],
      ['per_page', '100'],
    ])
  }
})
