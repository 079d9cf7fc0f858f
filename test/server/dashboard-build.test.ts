/** In a checkout the dashboard builds itself, and a build that fails says why. */
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copyCheckout } from '../helpers/checkout-copy.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { pathWith } from '../helpers/needs/hide.ts'
import { environment } from '../helpers/sightline.ts'

/** Its first page once it listens, or its end. */
async function openUi(checkout: string, env: Record<string, string> = {}) {
  const folder = temporaryFolder()
  const homes = { XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder }
  const child = spawn(process.execPath, [join(checkout, 'bin/sightline.js'), 'ui'], {
    cwd: folder,
    env: environment({ ...homes, ...env }),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const url = new Promise<string | null>((resolve, reject) => {
    child.on('error', reject).on('close', () => resolve(null))
    child.stdout
      .setEncoding('utf8')
      .once('data', (line: string) => resolve(/^Open (.*)\/#/.exec(line)?.[1] ?? null))
  })
  const address = await url
  const page = address === null ? null : await fetch(address)
  if (address !== null) {
    child.kill('SIGINT')
    await new Promise((resolve) => child.on('close', resolve))
  }
  return { page: page && { status: page.status, text: await page.text() }, code: child.exitCode, stderr }
}

test('on first use, once, and again when its sources changed', async () => {
  const checkout = copyCheckout({ name: 'a b ü' })
  const first = await openUi(checkout)
  expect(first.stderr).toBe('sightline: building the dashboard, once\n')
  expect(first.page).toMatchObject({ status: 200, text: expect.stringContaining('<script type="module"') })
  // What it says and ends with when it cannot be built: the next test.
  const module = await import(join(checkout, 'src/server/dashboard-build.ts'))
  const { prepareDashboard }: typeof import('../../src/server/dashboard-build.ts') = module
  const notes: string[] = []
  const prepare = () => prepareDashboard((line) => notes.push(line), new AbortController().signal)
  await prepare()
  expect(notes).toEqual([])
  appendFileSync(join(checkout, 'dashboard/src/main.tsx'), '\nconst = broken\n')
  await expect(prepare()).rejects.toMatchObject({
    ...{ code: 'dashboard-unbuilt', message: expect.stringContaining('main.tsx') },
  })
  expect(notes).toEqual(['building the dashboard, once'])
})

test('what building needs is installed first; a machine without npm is told so', async () => {
  const checkout = copyCheckout({ without: ['vite'] })
  const { code, stderr } = await openUi(checkout, { PATH: pathWith('sh', 'git', 'dirname', 'cmp') })
  expect(code).toBe(3)
  expect(stderr).toContain('The dashboard could not be built')
  expect(stderr).toContain('npm is needed to install the packages once.')
  expect(existsSync(join(checkout, 'dashboard/dist'))).toBe(false)
})
