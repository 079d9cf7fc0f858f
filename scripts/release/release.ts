/**
 * Makes everything of a release in one folder and publishes nothing: the npm package, the executable and the Debian
 * package of this platform, a Homebrew formula, checksums, a bill of materials, a statement of provenance and notes. The
 * npm package is made twice, from the source on, and the release fails when the two differ.
 *
 *   npm run release:dry-run -- [FOLDER]     default: a temporary folder, which is removed at the end
 *       --only npm                          leaves out the executable and the Debian package
 *       --at URL                            where the files will be; goes into the formula
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeBundle } from '../bundle.ts'
import { makeDebianPackage } from './debian.ts'
import { homebrewFormula } from './homebrew.ts'
import { releaseNotes } from './notes.ts'
import { makeNpmPackage } from './npm-package.ts'
import { billOfMaterials, checksums, provenance, sha256Of } from './papers.ts'
import { makeSingleFile, platforms, thisPlatform } from './single-file.ts'

const root = join(import.meta.dirname, '../..')
const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, at: { type: 'string', default: 'https://example.org/sightline' } },
})
const scratch = mkdtempSync(join(tmpdir(), 'sightline-release-'))
const folder = resolve(positionals[0] ?? join(scratch, 'out'))
try {
  mkdirSync(folder, { recursive: true })
  await release()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function release(): Promise<void> {
  const commit = git('rev-parse', 'HEAD')
  const time = new Date(Number(git('log', '-1', '--format=%ct')) * 1000)
  const bundle = join(scratch, 'bundle')
  const { packages } = await makeBundle(bundle)
  const tarball = await makeNpmPackage(bundle, scratch, folder)
  const made = [tarball]
  const isWhole = values.only !== 'npm'
  if (isWhole) made.push(...(await executables(bundle, time)))
  await requireSame(tarball)

  writeFileSync(join(folder, 'sightline.rb'), formula(tarball))
  write('sbom.cdx.json', billOfMaterials(packages, version, time))
  write('provenance.json', provenance(made, commit, time))
  writeFileSync(join(folder, 'SHA256SUMS'), checksums(made))
  writeFileSync(join(folder, 'RELEASE-NOTES.md'), releaseNotes(version, commitsSinceLast()))

  for (const path of made)
    say(`${basename(path)}: ${megabytes(path)} MB, sha256 ${sha256Of(path).slice(0, 16)}`)
  say(`${packages.length} packages are in it; two builds of this source gave the same npm package`)
  const others = platforms.filter((name) => name !== thisPlatform)
  if (isWhole) say(`Not made here: the executables of ${others.join(', ')}`)
  say(
    positionals[0] === undefined
      ? 'Dry run: everything was removed.'
      : `Everything is in ${folder}; nothing was published.`,
  )
}

async function executables(bundle: string, time: Date): Promise<string[]> {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const executable = join(folder, `sightline-${version}-${thisPlatform}${suffix}`)
  await makeSingleFile(bundle, version, executable, scratch)
  if (process.platform !== 'linux' || spawnSync('dpkg-deb', ['--version']).status !== 0) {
    say('Not made here: the Debian package, which needs dpkg-deb')
    return [executable]
  }
  const ask = (...words: string[]) =>
    execFileSync(process.execPath, [join(bundle, 'bin/sightline.js'), ...words], { encoding: 'utf8' })
  const completions = Object.fromEntries(
    ['bash', 'zsh', 'fish'].map((shell) => [shell, ask('completions', shell)]),
  )
  const installed = { executable, manual: ask('manual'), completions }
  return [executable, makeDebianPackage(version, installed, { scratch, folder, time })]
}

/** Whoever builds the same commit gets the same bytes; else nobody could check what was published. */
async function requireSame(tarball: string): Promise<void> {
  const again = join(scratch, 'again')
  const bundle = join(again, 'bundle')
  await makeBundle(bundle)
  if (sha256Of(await makeNpmPackage(bundle, again, again)) !== sha256Of(tarball))
    throw new Error('two packages of the same source differ, so the release cannot be reproduced')
}

function formula(tarball: string): string {
  return homebrewFormula(`${values.at.replace(/\/$/, '')}/${basename(tarball)}`, sha256Of(tarball))
}

/** Since the last tag; all of them when there is none. */
function commitsSinceLast(): string[] {
  const { stdout, status } = spawnSync('git', ['describe', '--tags', '--abbrev=0'], {
    cwd: root,
    encoding: 'utf8',
  })
  const range = status === 0 ? [`${stdout.trim()}..HEAD`] : []
  return git('log', '--format=%s', ...range).split('\n')
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).trim()
}

function write(name: string, value: object): void {
  writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`)
}

function megabytes(path: string): string {
  return (statSync(path).size / 1e6).toFixed(1)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
