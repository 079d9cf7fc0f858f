/** What goes with the files of a release: checksums, what is in them, and from what they were made. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export function sha256Of(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** For `sha256sum --check`. */
export function checksums(paths: readonly string[]): string {
  return paths.map((path) => `${sha256Of(path)}  ${basename(path)}\n`).join('')
}

type Locked = { version?: string; integrity?: string }

/**
 * A CycloneDX bill of materials. `packages`: whatever is in the bundle, as `makeBundle` names it; versions and hashes are
 * those of the lock file. Its time is that of the commit, so that the same source has the same bill.
 */
export function billOfMaterials(packages: readonly string[], version: string, time: Date): object {
  const lock: { packages: Record<string, Locked> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: time.toISOString(),
      component: {
        type: 'application',
        'bom-ref': `pkg:npm/sightline@${version}`,
        name: 'sightline',
        version,
        purl: `pkg:npm/sightline@${version}`,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components: packages.map((path) => component(path, lock.packages[`node_modules/${path}`])),
  }
}

function component(path: string, locked: Locked | undefined): object {
  const manifest = JSON.parse(readFileSync(join(root, 'node_modules', path, 'package.json'), 'utf8'))
  const { name, version, license }: { name: string; version: string; license: string } = manifest
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  if (locked?.version !== version)
    throw new Error(`${path} is ${version}, and the lock file says ${locked?.version ?? 'nothing'}`)
  const [algorithm, digest] = locked.integrity?.split('-') ?? []
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: [{ license: { id: license } }],
    ...(algorithm === 'sha512' && digest !== undefined
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
  }
}

/** An in-toto statement in the words of SLSA: these files, made of this commit by this script. It is not signed. */
export function provenance(paths: readonly string[], commit: string, time: Date): object {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: paths.map((path) => ({ name: basename(path), digest: { sha256: sha256Of(path) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:sightline:release:1',
        externalParameters: { command: 'npm run release' },
        internalParameters: { platform: `${process.platform}-${process.arch}`, node: process.version },
        resolvedDependencies: [
          { uri: 'urn:sightline:source', digest: { gitCommit: commit } },
          { uri: 'package-lock.json', digest: { sha256: sha256Of(join(root, 'package-lock.json')) } },
        ],
      },
      runDetails: {
        builder: { id: 'urn:sightline:scripts/release' },
        metadata: { startedOn: time.toISOString() },
      },
    },
  }
}
