/** In a checkout the dashboard builds itself, and a build that fails says why. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { pathWith } from '../helpers/needs/hide.ts'
import { environment, root } from '../helpers/sightline.ts'

/** Its first page, and what it says until it is stopped. */
async function openUi(checkout: string) {
  const folder = temporaryFolder()
  const child = spawn(process.execPath, [join(checkout, 'bin/sightline.js'), 'ui'], {
    cwd: folder,
    env: environment({ XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder }),
  })
  const stderr = text(child.stderr)
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const page = await fetch(/^Open (.*)\/#/.exec(line)?.[1] ?? line)
  child.kill('SIGINT')
  return { page: { status: page.status, text: await page.text() }, stderr: await stderr }
}

test('on first use, once, and again when its sources changed; what building needs is installed first', async () => {
  const checkout = copyCheckout('a b ü', 'vite')
  // All of it is built by `test/dashboard/weight.test.ts`.
  writeFileSync(join(checkout, 'dashboard/src/main.tsx'), "document.title = 'small'\n")
  const module = await import(join(checkout, 'src/server/dashboard-build.ts'))
  const { prepareDashboard }: typeof import('../../src/server/dashboard-build.ts') = module
  const notes: string[] = []
  const prepare = () => prepareDashboard((line) => notes.push(line), new AbortController().signal)

  vi.stubEnv('PATH', pathWith('sh', 'git', 'dirname', 'cmp'))
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(prepare()).rejects.toMatchObject({
    ...{ code: 'dashboard-unbuilt', exitCode: 3 },
    message: expect.stringContaining('npm is needed to install the packages once.'),
  })
  expect(existsSync(join(checkout, 'dashboard/dist'))).toBe(false)
  vi.unstubAllEnvs()
  linkPackage(checkout, 'vite')

  const first = await openUi(checkout)
  expect(first.stderr).toBe('sightline: building the dashboard, once\n')
  expect(first.page).toMatchObject({ status: 200, text: expect.stringContaining('<script type="module"') })
  notes.length = 0
  await prepare()
  expect(notes).toEqual([])
  appendFileSync(join(checkout, 'dashboard/src/main.tsx'), '\nconst = broken\n')
  await expect(prepare()).rejects.toMatchObject({
    ...{ code: 'dashboard-unbuilt', message: expect.stringContaining('main.tsx') },
  })
  expect(notes).toEqual(['building the dashboard, once'])
})

const copied = ['bin', 'dashboard', 'prompts', 'rules', 'schema', 'scripts', 'src', 'sightline']

/** Our own sources in a temporary folder, with the packages of this checkout but for `without`. */
function copyCheckout(name: string, without: string): string {
  const folder = join(temporaryFolder(), name)
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  for (const each of [...copied, 'package.json', 'package-lock.json'])
    cpSync(join(root, each), join(folder, each), {
      recursive: true,
      filter: (path) => !path.startsWith(join(root, 'dashboard/dist')),
    })
  for (const each of readdirSync(join(root, 'node_modules')))
    if (each !== without && !each.startsWith('.sightline')) linkPackage(folder, each)
  return folder
}

function linkPackage(checkout: string, name: string): void {
  symlinkSync(join(root, 'node_modules', name), join(checkout, 'node_modules', name))
}
