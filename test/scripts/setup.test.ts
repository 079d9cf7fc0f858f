/** What the first call in a checkout installs, with an npm that only writes down what it was asked for. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { needs } from '../helpers/needs/needs.ts'
import { root } from '../helpers/sightline.ts'

/** Puts a node that says its name where npm would put one; without scripts the package `node` puts none. */
const npm = `#!/bin/sh
echo "$*" >> "$LOG"
while [ -e "$LOG.hold" ]; do sleep 0.05; done
case "$*" in ci*) rm -rf node_modules ;; esac
case "$*" in
  *--prefix*) to=.node/node_modules/.bin ;;
  *--omit=dev*) to=node_modules ;;
  *) to=node_modules/.bin; [ -z "\${npm_config_ignore_scripts-}" ] || to=node_modules ;;
esac
mkdir -p "$to" node_modules/.bin
[ "$to" = node_modules ] || { printf '#!/bin/sh\\n[ "$1" = -e ] || echo "%s runs $*"\\n' "$to" > "$to/node"; chmod +x "$to/node"; }
`

function checkout(systemNode: 'new' | 'old') {
  const folder = temporaryFolder()
  const bin = join(folder, 'bin-of-system')
  for (const path of ['sightline', 'scripts/setup.sh', 'package.json', 'package-lock.json'])
    cpSync(join(root, path), join(folder, path))
  mkdirSync(bin)
  const programs = {
    npm,
    node: `#!/bin/sh\n[ "$1" = -p ] && echo node-os-cpu && exit\n[ "$1" = -e ] && exit ${systemNode === 'new' ? 0 : 1}\necho "the system runs $*"\n`,
  }
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), text)
    chmodSync(join(bin, name), 0o755)
  }
  const log = join(folder, 'log')
  const env = { PATH: `${bin}:/usr/bin:/bin`, LOG: log, HOME: folder }
  return {
    folder,
    env,
    hold: join(folder, 'log.hold'),
    run: (...command: string[]) =>
      execFileSync('sh', command, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
        .replaceAll(folder, '')
        .trim(),
    change: (path: string) => appendFileSync(join(folder, path), '\n'),
    /** What npm was asked for since the last time, in any order. */
    asked: () => {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').replaceAll(folder, '').trim().split('\n') : []
      writeFileSync(log, '')
      return lines.filter(Boolean).sort()
    },
  }
}

const quietly = '--prefer-offline --no-audit --no-fund --loglevel=error'

test('with a Node that runs it, the command installs what it needs, once', () => {
  const { run, asked } = checkout('new')
  expect(run('sightline', 'review')).toBe('the system runs /bin/sightline.js review')
  expect(asked()).toEqual([`ci --omit=dev ${quietly}`])
  run('sightline', 'review')
  expect(asked()).toEqual([])
})

test('with an older one, also the pinned Node', () => {
  const { run, asked } = checkout('old')
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(run('sightline', 'demo')).toBe('.node/node_modules/.bin runs /bin/sightline.js demo')
  expect(asked()).toEqual([
    `ci --omit=dev ${quietly}`,
    `install --prefix /.node --no-save --no-package-lock node-os-cpu@${devDependencies.node} ${quietly}`,
  ])
  run('sightline', 'demo')
  expect(asked()).toEqual([])
})

test('tests need everything, and then so does the command', () => {
  const { run, asked } = checkout('old')
  run('sightline', 'demo')
  asked()
  run('scripts/setup.sh')
  // Nothing is removed below a command that is running.
  expect(asked()).toEqual([`install --no-save ${quietly}`])
  expect(run('sightline', 'demo')).toBe('node_modules/.bin runs /bin/sightline.js demo')
  expect(asked()).toEqual([])
})

test('whoever has the packages for development keeps them when the lock file changes', () => {
  const { run, asked, change } = checkout('new')
  run('scripts/setup.sh')
  asked()
  change('package-lock.json')
  run('sightline', 'demo')
  expect(asked()).toEqual([`ci ${quietly}`])
})

test('of two first calls at the same time one installs, and the other one waits', async () => {
  const { run, asked, folder, env, hold } = checkout('new')
  writeFileSync(hold, '')
  const call = () => spawn('sh', ['sightline', 'review'], { cwd: folder, env, stdio: 'pipe' })
  const [one, other] = [call(), call()]
  const ended = [one, other].map((child) => text(child.stdout))
  await new Promise<void>((resolve) => {
    for (const child of [one, other])
      child.stderr.setEncoding('utf8').on('data', (said: string) => {
        if (said.includes('another call is installing the packages, waiting for it ...')) resolve()
      })
  })
  rmSync(hold)
  const words = `the system runs ${folder}/bin/sightline.js review\n`
  expect(await Promise.all(ended)).toEqual([words, words])
  expect(asked()).toEqual([`ci --omit=dev ${quietly}`])
  expect(existsSync(join(folder, '.node/lock'))).toBe(false)
  run('sightline', 'review')
  expect(asked()).toEqual([])
})

test('a call that was killed while it installed does not hold up the next one', needs('Linux'), () => {
  const { run, asked, folder } = checkout('new')
  mkdirSync(join(folder, '.node/lock'), { recursive: true })
  // Above the largest process id that Linux gives.
  writeFileSync(join(folder, '.node/lock/pid'), '4194305\n')
  run('sightline', 'review')
  expect(asked()).toEqual([`ci --omit=dev ${quietly}`])
})

test('with scripts of npm switched off, the pinned Node is fetched as what it is', () => {
  const { run, env, asked } = checkout('old')
  Object.assign(env, { npm_config_ignore_scripts: 'true' })
  run('scripts/setup.sh')
  expect(asked()).toHaveLength(2)
  expect(run('node_modules/.bin/node', 'x')).toBe('.node/node_modules/.bin runs x')
})

test('who may not write to the checkout reads who has to call it once', () => {
  const { folder, env, asked } = checkout('new')
  writeFileSync(join(folder, '.node'), 'no folder')
  const { status, stderr } = spawnSync('sh', ['sightline', 'review'], { cwd: folder, env, encoding: 'utf8' })
  expect([status, asked()]).toEqual([2, []])
  expect(stderr).toBe(
    `sightline: the packages of ${folder} are not installed yet, and you may not write there. Call ${folder}/sightline once as somebody who may.\n`,
  )
})

test('a Node that lacks a library of the system is named as what does not run', () => {
  const { folder, env, asked } = checkout('new')
  const lacks = 'node: error while loading shared libraries: libatomic.so.1: No such file'
  writeFileSync(join(folder, 'bin-of-system/node'), `#!/bin/sh\necho '${lacks}' >&2\nexit 127\n`)
  const { status, stderr } = spawnSync('sh', ['sightline', 'review'], { cwd: folder, env, encoding: 'utf8' })
  expect([status, asked()]).toEqual([2, []])
  expect(stderr).toBe(
    `${lacks}\nsightline: the Node on the PATH does not run; its own words are above. A library of the system that they name has to be installed first.\n`,
  )
})
