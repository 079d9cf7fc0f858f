/**
 * Makes the npm package and the single file, installs each as a stranger would, into a root that has nothing but git, a
 * shell and (for the package) Node, and reviews a commit there. Called by hand and before a release:
 *
 *   npm run smoke [-- FOLDER-OF-A-RELEASE] [-- --root FOLDER]
 *
 * `--root`: a copy of this root, such as one that `debootstrap --variant=minbase --include=git` made, instead of one with
 * copies of the programs of this machine. Needs Linux and bubblewrap. Prints how long installing and the first review take,
 * and the memory of all processes of the review together at its highest.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { residentBytesOfTree } from '../src/base/process-tree.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { root: { type: 'string' } },
})
const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'sightline-smoke-'))
/** Installing and the first review together, on an idle machine. */
const mostSeconds = 30

try {
  await smoke()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function smoke(): Promise<void> {
  const made = positionals[0] ?? join(scratch, 'release')
  if (positionals[0] === undefined) call(process.execPath, [join(root, 'scripts/release/release.ts'), made])
  const files = readdirSync(made)
  const tarball = files.find((name) => name.endsWith('.tgz'))
  const executable = files.find((name) => /^sightline-[\d.]+-\w+-\w+$/.test(name))
  if (tarball) await fromPackage(join(made, tarball))
  if (executable) await fromSingleFile(join(made, executable))
}

/** With a Node and its npm, and no network: the package brings everything. */
async function fromPackage(tarball: string): Promise<void> {
  const bare = bareRoot('package', [process.execPath])
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())))
  cpSync(npm, join(bare, 'opt/npm'), { recursive: true, dereference: true })
  copyFileSync(tarball, join(bare, 'root/sightline.tgz'))
  const node = `/usr/bin/${basename(process.execPath)}`
  await measure('npm package', bare, {
    install: `mkdir -p /opt/s && cd /opt/s && ${node} /opt/npm/bin/npm-cli.js install --offline --no-audit --no-fund --loglevel=error /root/sightline.tgz`,
    command: `${node} /opt/s/node_modules/sightline/bin/sightline.js`,
  })
}

async function fromSingleFile(path: string): Promise<void> {
  const bare = bareRoot('file', [])
  copyFileSync(path, join(bare, 'root/sightline'))
  addLibraries(bare, path)
  await measure('single file', bare, {
    install: 'cp /root/sightline /usr/bin/sightline && chmod 755 /usr/bin/sightline',
    command: 'sightline',
  })
}

/** A root with git, a shell, a few tools, the given programs, and a repository in `/work`. */
function bareRoot(name: string, programs: readonly string[]): string {
  const bare = join(scratch, name)
  if (values.root !== undefined)
    cpSync(values.root, bare, { recursive: true, verbatimSymlinks: true, filter: isCopied })
  for (const folder of ['bin', 'usr/bin', 'root', 'work', 'tmp', 'opt', 'etc', 'proc', 'dev'])
    mkdirSync(join(bare, folder), { recursive: true })
  if (values.root === undefined) {
    writeFileSync(join(bare, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
    for (const tool of ['git', 'sh', 'mkdir', 'cp', 'chmod', 'env'])
      addProgram(bare, execFileSync('which', [tool], { encoding: 'utf8' }).trim())
    copyFileSync(join(bare, 'usr/bin/sh'), join(bare, 'bin/sh'))
  }
  for (const path of programs) addProgram(bare, path)
  makeRepository(join(bare, 'work'))
  return bare
}

/** Devices cannot be copied, and bubblewrap makes its own. */
function isCopied(path: string): boolean {
  return !['dev', 'proc', 'sys'].some((name) => path.startsWith(`${values.root}/${name}/`))
}

function addProgram(bare: string, path: string): void {
  copyFileSync(path, join(bare, 'usr/bin', basename(path)))
  addLibraries(bare, path)
}

/** What `ldd` names, at the same places. */
function addLibraries(bare: string, program: string): void {
  const named = spawnSync('ldd', [program], { encoding: 'utf8' }).stdout
  for (const [path] of named.matchAll(/\/\S+\.so\S*/g)) {
    const to = join(bare, path)
    if (existsSync(to)) continue
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(path, to)
  }
}

function makeRepository(folder: string): void {
  const git = (...args: string[]) =>
    call('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args])
  git('init', '--quiet')
  const texts = [
    'def total(items, tax):\n    return sum(items) * tax\n',
    'def total(items):\n    return sum(items)\n',
  ]
  writeFileSync(join(folder, 'use.py'), 'from total import total\n\nprint(total([1], 2))\n')
  for (const text of texts) {
    writeFileSync(join(folder, 'total.py'), text)
    git('add', '.')
    git('commit', '--quiet', '--no-gpg-sign', '-m', 'words')
  }
}

async function measure(
  what: string,
  bare: string,
  { install, command }: { install: string; command: string },
): Promise<void> {
  const inside = async (script: string) => {
    const began = performance.now()
    const words = [
      '--bind',
      bare,
      '/',
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--unshare-all',
      '--die-with-parent',
    ]
    const clean = [
      '--clearenv',
      '--setenv',
      'PATH',
      '/usr/bin:/bin',
      '--setenv',
      'HOME',
      '/root',
      '--chdir',
      '/work',
    ]
    const child = spawn('bwrap', [...words, ...clean, '/bin/sh', '-c', script])
    let [stdout, stderr, bytes] = ['', '', 0]
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const sampler = setInterval(() => {
      bytes = Math.max(bytes, (child.pid && residentBytesOfTree(child.pid)) || 0)
    }, 50)
    const status = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', resolve)
    })
    clearInterval(sampler)
    return { status, stdout, stderr, bytes, seconds: (performance.now() - began) / 1000 }
  }
  const installed = await inside(install)
  check(installed.status === 0, `${what}: it installs ${installed.stderr}`)
  const first = await inside(`${command} review --json`)
  const rules =
    first.status === 1 ? JSON.parse(first.stdout).findings.map(({ rule }: { rule: string }) => rule) : []
  check(
    rules.includes('contract/signature-arity'),
    `${what}: the first review finds the broken call ${first.stderr}`,
  )
  const starts: number[] = []
  for (let turn = 0; turn < 3; turn++) starts.push((await inside(`${command} version`)).seconds)
  starts.sort((a, b) => a - b)
  const seconds = installed.seconds + first.seconds
  say(
    `${what}: installing ${installed.seconds.toFixed(1)} s, first review ${first.seconds.toFixed(1)} s, at most ${Math.round(first.bytes / 1e6)} MB, start-up ${starts[1]?.toFixed(2)} s`,
  )
  if (seconds > mostSeconds) say(`${what}: that is longer than ${mostSeconds} s`)
}

function call(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`smoke: not so: ${what}`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
