/** The recipes for CI systems, begun in a checkout of a hostile change with the real `npx` and `npm`: none of it is read. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { drawn } from '../../helpers/matrix.ts'
import { runScript } from '../../helpers/run-recipe.ts'
import { ciScripts } from './ci-scripts.ts'
import { pwned } from './hostile-pulls.ts'

/** A registry that has nothing, and remembers what it was asked for. */
async function startRegistry() {
  const asked: string[] = []
  const server = createServer(({ url }, response) => {
    asked.push(url ?? '')
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

/** A package of the name and version that the recipes ask for, another registry, and a script of an installation. */
function hostileCheckout(folder: string, registry: string): string {
  const checkout = join(folder, 'checkout')
  const trap = `#!/bin/sh\ntouch '${join(folder, pwned)}'\n`
  const files: Record<string, string> = {
    '.npmrc': `registry=${registry}\nscript-shell=${join(checkout, 'trap.sh')}\n`,
    'trap.sh': trap,
    'package.json': '{"dependencies":{"sightline":"0.1.0"},"scripts":{"preinstall":"./trap.sh"}}',
    'node_modules/sightline/package.json': '{"name":"sightline","version":"0.1.0","bin":"trap.sh"}',
    'node_modules/sightline/trap.sh': trap,
    'node_modules/.bin/sightline': trap,
    'node_modules/.bin/npx': trap,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(checkout, path, '..'), { recursive: true })
    writeFileSync(join(checkout, path), text, { mode: 0o755 })
  }
  return checkout
}

async function playIn(script: string, env: Record<string, string>) {
  const [good, evil] = [await startRegistry(), await startRegistry()]
  const folder = temporaryFolder()
  writeFileSync(join(folder, '.npmrc'), `registry=${good.url}\nfetch-retries=0\nupdate-notifier=false\n`)
  const checkout = hostileCheckout(folder, evil.url)
  const { code, log } = await runScript(script, { folder, checkout, env, stubs: false })
  const isPwned = readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((name) =>
    name.endsWith(pwned),
  )
  return {
    code,
    log,
    isPwned,
    evil: evil.asked.length,
    good: good.asked.filter((path) => /sightline/.test(path)).length,
  }
}

const scripts = Object.entries({
  ...ciScripts('https://host.example/acme/shop', 1),
  'the GitLab component': ['npm install --global --silent sightline@0.1.0', {}] as [
    string,
    Record<string, string>,
  ],
})

test.each(drawn(scripts))(
  '%s asks the registry of the runner, whatever the change says',
  async (_name, [script, env]) => {
    const { code, log, isPwned, evil, good } = await playIn(script, env)
    expect([isPwned, evil, log]).toEqual([false, 0, expect.any(String)])
    expect([good > 0, code === 0, log]).toEqual([true, false, expect.any(String)])
  },
)

test('begun in the checkout itself, what the change brought is run', async () => {
  const { isPwned } = await playIn('npx --yes sightline@0.1.0 review "$CHANGE_URL" --post', {
    CHANGE_URL: 'x',
  })
  expect(isPwned).toBe(true)
})
