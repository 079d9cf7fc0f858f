/** A Debian package of the single file: it needs git, and no Node. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '../..')

/** Debian's word for the processor. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

export type Installed = {
  executable: string
  /** The man page, uncompressed. */
  manual: string
  /** Completion scripts by shell. */
  completions: Readonly<Record<string, string>>
}

/** Where Debian's shells look for completions. */
const completionPaths: Readonly<Record<string, string>> = {
  bash: 'usr/share/bash-completion/completions/sightline',
  zsh: 'usr/share/zsh/vendor-completions/_sightline',
  fish: 'usr/share/fish/vendor_completions.d/sightline.fish',
}

/** The description in the package, as Debian's policy wants it. */
export function controlFile(version: string, architecture: string, kilobytes: number): string {
  return `Package: sightline
Version: ${version}
Architecture: ${architecture}
Maintainer: The Sightline authors <sightline@example.org>
Installed-Size: ${kilobytes}
Depends: git (>= 1:2.34), libc6 (>= 2.28), libstdc++6
Recommends: bubblewrap
Suggests: gopls, clangd, rust-analyzer
Section: vcs
Priority: optional
Description: evidence-first code reviewer
 Sightline reviews changes to a git repository and reports only what survives
 mechanical checks: every finding is on a line of the change, quotes its
 evidence, and says how it was verified.
 .
 It needs no account, key or model, and sends nothing anywhere unless you agree
 to use a model.
`
}

/** Makes `sightline_VERSION_ARCHITECTURE.deb` in `folder` and returns its path. `time` is that of every file in it. */
export function makeDebianPackage(
  version: string,
  { executable, manual, completions }: Installed,
  { scratch, folder, time }: { scratch: string; folder: string; time: Date },
): string {
  const tree = join(scratch, 'debian')
  const architecture = architectures[process.arch] ?? process.arch
  const put = (path: string, data: string | Buffer) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), data)
  }
  put('usr/share/man/man1/sightline.1.gz', gzipSync(manual, { level: 9 }))
  put(
    'usr/share/doc/sightline/copyright',
    `License: Apache-2.0\n See /usr/share/common-licenses/Apache-2.0.\n`,
  )
  for (const [shell, path] of Object.entries(completionPaths)) put(path, completions[shell] ?? '')
  mkdirSync(join(tree, 'usr/bin'), { recursive: true })
  copyFileSync(executable, join(tree, 'usr/bin/sightline'))
  copyFileSync(join(root, 'LICENSE'), join(tree, 'usr/share/doc/sightline/LICENSE'))
  const kilobytes = Number(execFileSync('du', ['-sk', tree], { encoding: 'utf8' }).split('\t')[0])
  put('DEBIAN/control', controlFile(version, architecture, kilobytes))
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', tree])
  const path = join(folder, `sightline_${version}_${architecture}.deb`)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', tree, path], {
    stdio: ['ignore', 'ignore', 2],
    // It clamps the times of files to this, so that the same source gives the same package.
    env: { ...process.env, SOURCE_DATE_EPOCH: String(Math.floor(time.getTime() / 1000)) },
  })
  return path
}
