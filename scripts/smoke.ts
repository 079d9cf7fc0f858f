/**
 * Packs the package, installs it into an empty folder as a stranger would, and calls it there. Slow (it installs all
 * dependencies), so it is called by hand and before a release: `npm run smoke`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'sightline-smoke-'))
try {
  smoke()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function smoke(): void {
  const [pack] = JSON.parse(call('npm', ['pack', '--json', '--pack-destination', folder], root))
  const packed: string[] = pack.files.map((file: { path: string }) => file.path)
  const expected = [
    'bin/sightline.js',
    'dist/cli/main.js',
    'dist/index.d.ts',
    'demo/01-start-the-parcel-desk.commit',
    'schema/config.json',
    'prompts/quick-review.v2.md',
    'LICENSE',
  ]
  for (const path of expected) check(packed.includes(path), `${path} is in the package`)
  check(
    packed.some((path) => path.startsWith('rules/')),
    'the rules are in the package',
  )
  const strays = packed.filter((path) => /^(src|test|bench|docs|scripts|evals)\//.test(path))
  check(strays.length === 0, `nothing else is in it ${strays.join(' ')}`)

  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  call('npm', ['install', '--no-audit', '--no-fund', '--omit=dev', join(folder, pack.filename)], folder)
  check(
    call('npx', ['--no-install', 'sightline', '--version'], folder) === `${version}\n`,
    'it says its version',
  )
  check(reviewWith(folder).includes('No findings.'), 'it reviews a commit')
}

function reviewWith(installed: string): string {
  const repository = join(installed, 'repository')
  mkdirSync(repository)
  const git = (...args: string[]) =>
    call('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], repository)
  git('init', '--quiet')
  for (const text of ['one\n', 'one\ntwo\n']) {
    writeFileSync(join(repository, 'words.txt'), text)
    git('add', '.')
    git('commit', '--quiet', '--no-gpg-sign', '-m', 'words')
  }
  const command = join(installed, 'node_modules/.bin/sightline')
  return call(command, ['review', '--no-cache'], repository)
}

function call(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`smoke: not so: ${what}`)
  process.stdout.write(`ok  ${what}\n`)
}
