/** What the first call in a checkout installs, with an npm that only writes down what it was asked for. */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { root } from '../helpers/sightline.ts'

/** Puts a node that says its name where npm would put one. */
const npm = `#!/bin/sh
echo "$*" >> "$LOG"
case "$*" in
  *--prefix*) to=.node/node_modules/.bin ;;
  *--omit=dev*) rm -rf node_modules; to=node_modules ;;
  *) rm -rf node_modules; to=node_modules/.bin ;;
esac
mkdir -p "$to" node_modules
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
    node: `#!/bin/sh\n[ "$1" = -e ] && exit ${systemNode === 'new' ? 0 : 1}\necho "the system runs $*"\n`,
  }
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), text)
    chmodSync(join(bin, name), 0o755)
  }
  const log = join(folder, 'log')
  const env = { PATH: `${bin}:/usr/bin:/bin`, LOG: log, HOME: folder }
  return {
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

const quietly = '--no-audit --no-fund --loglevel=error'

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
    `install --prefix /.node --no-save --no-package-lock node@${devDependencies.node} ${quietly}`,
  ])
  run('sightline', 'demo')
  expect(asked()).toEqual([])
})

test('tests need everything, and then so does the command', () => {
  const { run, asked } = checkout('old')
  run('sightline', 'demo')
  asked()
  run('scripts/setup.sh')
  expect(asked()).toEqual([`ci ${quietly}`])
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
