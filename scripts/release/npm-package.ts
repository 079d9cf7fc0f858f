/**
 * The npm package: the folder of `scripts/bundle.ts` with declarations for programs that call the library, and the contract suite
 * for hosts in other packages. It brings what every review needs and depends on nothing else; whatever only some need is an
 * optional peer.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { bundleOne } from '../bundle-one.ts'

const root = join(import.meta.dirname, '../..')

/** Why each is not in the package. Versions come from package.json. */
const peers = [
  'zod', // declarations name its types
  'typescript', // a language server
  'pyright', // a language server
  '@electric-sql/pglite', // the server's built-in database
  '@aws-sdk/client-s3', // runs in a bucket
  'vitest', // the contract suite for hosts
] as const

/** Makes `sightline-VERSION.tgz` in `folder` and returns its path. `scratch` gets what it is packed from. */
export async function makeNpmPackage(bundle: string, scratch: string, folder: string): Promise<string> {
  const packed = join(scratch, 'package')
  cpSync(bundle, packed, { recursive: true })
  copyFileSync(join(root, 'README.md'), join(packed, 'README.md'))
  await bundleHostSuite(join(packed, 'host-suite'))
  writeTypes(join(packed, 'types'), join(scratch, 'declarations'))
  writeFileSync(join(packed, 'package.json'), `${JSON.stringify(manifest(packed), null, 2)}\n`)
  const words = ['pack', '--json', '--ignore-scripts', '--no-update-notifier', '--pack-destination', folder]
  const [made] = JSON.parse(
    execFileSync('npm', words, { cwd: packed, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] }),
  )
  return join(folder, made.filename)
}

function manifest(packed: string): object {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const brought = packagesIn(join(packed, 'node_modules'))
  const pinned: Record<string, string> = {
    ...own.devDependencies,
    ...own.optionalDependencies,
    ...own.dependencies,
  }
  return {
    name: own.name,
    version: own.version,
    description: own.description,
    license: own.license,
    keywords: ['code review', 'static analysis', 'git', 'pull requests', 'sarif'],
    type: own.type,
    engines: own.engines,
    bin: own.bin,
    exports: own.exports,
    dependencies: Object.fromEntries(brought),
    bundleDependencies: brought.map(([name]) => name),
    peerDependencies: Object.fromEntries(peers.map((name) => [name, rangeOf(name, pinned[name])])),
    peerDependenciesMeta: Object.fromEntries(peers.map((name) => [name, { optional: true }])),
  }
}

/** What others run their own tests with, they choose. */
function rangeOf(name: string, version = ''): string {
  return name === 'vitest' ? `^${version}` : version
}

/** Names and versions of those at the top. */
function packagesIn(folder: string): [string, string][] {
  return readdirSync(folder)
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((own) => `${name}/${own}`) : name,
    )
    .map((name): [string, string] => [
      name,
      JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')).version,
    ])
    .sort(([one], [other]) => (one < other ? -1 : 1))
}

const suite = 'test/contracts/host-suite-package.ts'

/** One file that needs vitest only. */
export async function bundleHostSuite(folder: string): Promise<void> {
  await bundleOne(
    { folder: root, input: suite, external: [/^vitest(\/|$)/] },
    { file: join(folder, 'index.js'), format: 'esm' },
  )
}

/** The declarations of what the manifest exports, and of all that it reaches. */
function writeTypes(folder: string, scratch: string): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const words = [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', scratch]
  execFileSync(process.execPath, words, { stdio: ['ignore', 2, 2] })
  const exported = ['src/index', 'src/hosts/remote/kit', suite.replace(/\.ts$/, '')]
  const waiting = exported.map((path) => join(scratch, `${path}.d.ts`))
  const seen = new Set(waiting)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const to = join(folder, relative(scratch, path))
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(path, to)
    for (const [, named = ''] of readFileSync(path, 'utf8').matchAll(
      /(?:from |import\()["'](\.[^"']+)\.[jt]s["']/g,
    )) {
      const next = join(dirname(path), `${named}.d.ts`)
      if (!seen.has(next) && existsSync(next)) waiting.push(next)
      seen.add(next)
    }
  }
}
