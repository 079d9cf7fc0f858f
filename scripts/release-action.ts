/**
 * Makes the commit that workflows name: the bundle with `action.yml` at its root and nothing else, so that nothing is
 * installed when a job runs. The same source gives the same tree, and with `--write` the same commit.
 *
 *   node scripts/release-action.ts                    dry run: the tree, its size, and how long it takes to start
 *   node scripts/release-action.ts --write BRANCH     also adds the commit to BRANCH; pushes nothing
 *       --into FOLDER                                 of the repository in FOLDER; default: this one
 *       --bundle FOLDER                               with the bundle that `bundle.ts` has made there; default: makes one
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
/** What a job may wait before the first step begins. */
const mostStartMs = 2000
const starts = 3

type GitOptions = { environment?: Record<string, string>; input?: string }

function git(gitDir: string, args: readonly string[], { environment = {}, input }: GitOptions = {}): string {
  const env = { ...process.env, GIT_DIR: gitDir, ...environment }
  return execFileSync('git', args, {
    encoding: 'utf8',
    env,
    ...(input === undefined ? {} : { input }),
  }).trim()
}

/** Every file of the folder, whatever an ignore file in it says. */
function writeTree(gitDir: string, folder: string, scratch: string): string {
  const environment = { GIT_INDEX_FILE: join(scratch, 'index'), GIT_WORK_TREE: folder }
  // What is pushed is packed, and compressed then.
  const settings = ['core.autocrlf=false', 'core.fileMode=true', 'core.looseCompression=0']
  git(gitDir, [...settings.flatMap((one) => ['-c', one]), 'add', '--all', '--force', '.'], { environment })
  return git(gitDir, ['write-tree'], { environment })
}

/** As a runner starts it for an event that is about no pull request; the middle one of three, in milliseconds. */
function measureStart(folder: string, scratch: string): number {
  const event = join(scratch, 'event.json')
  writeFileSync(event, '{}')
  const times = Array.from({ length: starts }, () => {
    const began = performance.now()
    const { status, stdout } = spawnSync(process.execPath, [join(folder, 'dist/action/main.js')], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: scratch, GITHUB_EVENT_PATH: event, GITHUB_EVENT_NAME: 'push' },
    })
    if (status !== 0 || !stdout.includes('Nothing to review'))
      throw new Error(`the Action does not start: ${stdout}`)
    return performance.now() - began
  })
  return Math.round(times.sort((a, b) => a - b)[Math.floor(starts / 2)] ?? 0)
}

/** Author, dates and words come from the commit that it is made of, so that everybody makes the same. */
function commit(gitDir: string, tree: string, branch: string): string {
  const [source = '', name = '', email = '', date = ''] = git(gitDirOf(root), [
    'log',
    '-1',
    '--format=%H%n%an%n%ae%n%aI',
  ]).split('\n')
  const found = spawnSync('git', ['rev-parse', '--quiet', '--verify', `refs/heads/${branch}`], {
    encoding: 'utf8',
    env: { ...process.env, GIT_DIR: gitDir },
  })
  const parent = found.stdout.trim()
  const environment = {
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date },
    ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: date },
  }
  const parents = parent === '' ? [] : ['-p', parent]
  const made = git(gitDir, ['commit-tree', tree, ...parents], {
    environment,
    input: `Release of the Action\n\nThe bundle of ${source}.\n`,
  })
  git(gitDir, ['update-ref', `refs/heads/${branch}`, made, parent])
  return made
}

function gitDirOf(folder: string): string {
  return execFileSync('git', ['rev-parse', '--absolute-git-dir'], { cwd: folder, encoding: 'utf8' }).trim()
}

const { values } = parseArgs({
  options: { write: { type: 'string' }, into: { type: 'string', default: root }, bundle: { type: 'string' } },
})
const scratch = mkdtempSync(join(tmpdir(), 'sightline-release-'))
try {
  const folder = values.bundle ?? join(scratch, 'action')
  if (values.bundle === undefined) {
    // With it come the bundler and half of the product.
    const { makeBundle } = await import('./bundle.ts')
    await makeBundle(folder)
  }
  let gitDir = join(scratch, 'git')
  if (values.write === undefined) execFileSync('git', ['init', '--quiet', '--bare', gitDir])
  else gitDir = gitDirOf(values.into)
  const tree = writeTree(gitDir, folder, scratch)
  const sizes = git(gitDir, ['ls-tree', '-r', '--long', tree])
    .split('\n')
    .map((line) => Number(line.split(/\s+/)[3]))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const ms = measureStart(folder, scratch)
  process.stdout.write(
    `tree ${tree}: ${sizes.length} files, ${(bytes / 1e6).toFixed(1)} MB, starts in ${ms} ms\n`,
  )
  if (ms > mostStartMs) process.stderr.write(`release-action: that is longer than ${mostStartMs} ms\n`)
  if (values.write === undefined) process.stdout.write('Dry run: no commit was made.\n')
  else process.stdout.write(`commit ${commit(gitDir, tree, values.write)} on ${values.write}\n`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
