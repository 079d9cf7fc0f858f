/**
 * One executable file for this platform: Node's own binary with the folder of `scripts/bundle.ts` inside (a "single
 * executable application"). Other platforms are made on a machine of theirs, since each needs its own Node.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { sha256 } from '../../src/base/canonical-json.ts'
import { packFolder } from './archive.ts'

/** Where the executable can be made, as Node names platform and processor. */
export const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'] as const

export const thisPlatform = `${process.platform}-${process.arch}`

/** Node looks for it in its own binary. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

type Inject = (
  file: string,
  name: string,
  data: Buffer,
  options: { sentinelFuse: string; machoSegmentName?: string },
) => Promise<void>

/** `bundle`: the folder. Writes the executable to `path`; `scratch` gets what it is made of. */
export async function makeSingleFile(
  bundle: string,
  version: string,
  path: string,
  scratch: string,
): Promise<void> {
  const main = join(scratch, 'start.cjs')
  await mergeStart(main)
  const program = join(scratch, 'program')
  const packed = packFolder(bundle)
  writeFileSync(program, packed)
  // What it unpacks to is told apart by its content, so that two builds of one version never mix.
  const label = join(scratch, 'version')
  writeFileSync(label, `${version}-${sha256(packed).slice(0, 12)}`)
  const settings = join(scratch, 'settings.json')
  const blob = join(scratch, 'blob')
  writeFileSync(
    settings,
    JSON.stringify({
      main,
      output: blob,
      disableExperimentalSEAWarning: true,
      execArgvExtension: 'cli',
      assets: { program, version: label },
    }),
  )
  execFileSync(process.execPath, ['--experimental-sea-config', settings], { stdio: ['ignore', 'ignore', 2] })
  copyFileSync(process.execPath, path)
  chmodSync(path, 0o755)
  const { inject }: { inject: Inject } = createRequire(import.meta.url)('postject')
  await inject(path, 'NODE_SEA_BLOB', readFileSync(blob), {
    sentinelFuse: fuse,
    ...(process.platform === 'darwin' ? { machoSegmentName: 'NODE_SEA' } : {}),
  })
  // macOS runs nothing whose signature does not fit; this one says nothing of who made it.
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', '--force', path])
}

async function mergeStart(path: string): Promise<void> {
  const build = await rolldown({
    platform: 'node',
    input: join(import.meta.dirname, 'single-file-start.ts'),
  })
  await build.write({ file: path, format: 'cjs' })
  await build.close()
}
