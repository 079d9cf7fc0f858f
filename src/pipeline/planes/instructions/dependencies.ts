/** Dependencies that a change asks for: locked as asked, and not under a name or version that is known to be malicious. */
import { z } from 'zod'
import type { FileChange } from '../../../domain/change-set.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { AddedLine, AddedText } from '../changed-lines.ts'
import type { Observation } from './observation.ts'

/** A dependency as an added line of a manifest asks for it. */
type Asked = { name: string; version: string; line: AddedLine }

type Manifest = {
  /** Of the manifest. */
  file: RegExp
  lock: string
  /** What fails when the two differ. */
  fails: string
  update: string
  asked(text: string, lines: readonly AddedLine[]): Asked[]
  /**
   * Reads the lock, and answers whether it has one; null when it does not say, as for a package that it does not cover. `at`: the
   * manifest's folder from the lock's.
   */
  readLock(lock: string, at: string): (asked: Asked) => boolean | null
}

const manifests: readonly Manifest[] = [
  {
    file: /(?:^|\/)package\.json$/,
    lock: 'package-lock.json',
    fails: '`npm ci` fails',
    update: 'Run `npm install` and commit `package-lock.json`.',
    asked: askedOfNpm,
    readLock: readNpmLock,
  },
  {
    file: /(?:^|\/)Cargo\.toml$/,
    lock: 'Cargo.lock',
    fails: '`cargo build --locked` fails',
    update: 'Run `cargo check` and commit `Cargo.lock`.',
    asked: askedOfCargo,
    readLock:
      (lock) =>
      ({ name }) =>
        lock.includes(`\nname = "${name}"\n`),
  },
  {
    file: /(?:^|\/)go\.mod$/,
    lock: 'go.sum',
    fails: '`go build` fails',
    update: 'Run `go mod tidy` and commit `go.sum`.',
    asked: askedOfGo,
    readLock:
      (lock) =>
      ({ name, version }) =>
        lock.includes(`${name} ${version}/go.mod `),
  },
]

/** The npm packages that a change writes itself: no lock has the version of one before it is published. */
export async function packagesOf(
  files: readonly FileChange[],
  head: Pick<RepoSnapshot, 'readMany'>,
): Promise<ReadonlySet<string>> {
  const paths = files.map(({ path }) => path).filter((path) => /(?:^|\/)package\.json$/.test(path))
  const texts = [...(await head.readMany(paths)).values()]
  return new Set(texts.flatMap(({ text }) => NpmPackage.safeParse(parsed(text)).data?.name ?? []))
}

/** `own`: as `packagesOf` gives it. Never throws: a manifest or lock that cannot be read says nothing. */
export async function checkDependencies(
  { file, lines }: AddedText,
  head: Pick<RepoSnapshot, 'readMany'>,
  own: ReadonlySet<string>,
): Promise<Observation[]> {
  const manifest = manifests.find(({ file: pattern }) => pattern.test(file.path))
  if (!manifest) return []
  const folders = foldersAbove(file.path)
  const texts = await head.readMany([file.path, ...folders.map((folder) => `${folder}${manifest.lock}`)])
  const text = texts.get(file.path)?.text
  if (text === undefined) return []
  const asked = manifest.asked(text, lines)
  const malicious = manifest.lock === 'package-lock.json' ? asked.filter(isMalicious) : []
  const found = malicious.length > 0 ? [maliciousPackage(malicious)] : []
  const folder = folders.find((each) => texts.has(`${each}${manifest.lock}`))
  const lock = folder === undefined ? undefined : texts.get(`${folder}${manifest.lock}`)?.text
  if (folder === undefined || lock === undefined) return found
  const at = file.path.slice(folder.length).split('/').slice(0, -1).join('/')
  const isLocked = manifest.readLock(lock, at)
  const lacks = (one: Asked): boolean => !own.has(one.name) && isLocked(one) === false
  const missing = asked.filter(lacks)
  if (missing.length === 0) return found
  // A lock that lacked other things before is not kept, or not used.
  const added = new Set(lines.map((line) => line.new))
  const others = manifest.asked(text, text.split('\n').map(asLine)).filter(({ line }) => !added.has(line.new))
  return others.some(lacks) ? found : [...found, outOfStep(missing, `${folder}${manifest.lock}`, manifest)]
}

function asLine(text: string, index: number): AddedLine {
  return { kind: 'added', text, old: null, new: index + 1, hash: '' }
}

/** Its own first, each with a `/` at the end; the root is empty. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return Array.from({ length: parts.length + 1 }, (_, up) =>
    parts
      .slice(0, parts.length - up)
      .map((part) => `${part}/`)
      .join(''),
  )
}

function outOfStep(missing: readonly Asked[], lock: string, { fails, update }: Manifest): Observation {
  const names = missing.map(({ name }) => `\`${name}\``)
  const shown =
    names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
  return {
    rule: 'lock-out-of-step',
    category: 'correctness',
    severity: 'medium',
    confidence: 'certain',
    title: `\`${lock}\` does not have ${shown} as it is asked for here`,
    explanation: `The manifest changed and the lock file did not follow, so ${fails}, or installs something else than was tried.`,
    remedy: update,
    lines: missing.map(({ line }) => line),
  }
}

const sections = z.record(z.string(), z.string()).optional()
const NpmPackage = z.looseObject({
  name: z.string().optional(),
  version: z.string().optional(),
  dependencies: sections,
  devDependencies: sections,
  optionalDependencies: sections,
})
const NpmLock = z.looseObject({
  packages: z.record(z.string(), NpmPackage.extend({ link: z.boolean().optional() })),
})

function dependenciesOf({ dependencies, devDependencies, optionalDependencies }: z.infer<typeof NpmPackage>) {
  return { ...devDependencies, ...optionalDependencies, ...dependencies }
}

/** Locked elsewhere, or not at all. */
const local = /^(?:workspace|link|file|portal|catalog|patch):/

function askedOfNpm(text: string, lines: readonly AddedLine[]): Asked[] {
  const read = NpmPackage.safeParse(parsed(text))
  if (!read.success) return []
  const wanted = dependenciesOf(read.data)
  return lines.flatMap((line) => {
    const [, name = '', version = ''] = /^\s*"([^"]+)"\s*:\s*"([^"]+)"/.exec(line.text) ?? []
    // A line of another section, such as `scripts`, says something else under that name.
    return Object.hasOwn(wanted, name) && wanted[name] === version && !local.test(version)
      ? [{ name, version, line }]
      : []
  })
}

function readNpmLock(lock: string, at: string): (asked: Asked) => boolean | null {
  const packages = NpmLock.safeParse(parsed(lock)).data?.packages ?? {}
  const own = Object.hasOwn(packages, at) ? packages[at] : undefined
  const wanted = own && dependenciesOf(own)
  return ({ name, version }) => {
    const installed = packages[`node_modules/${name}`]
    // A workspace is linked, whatever version its manifest has.
    if (!wanted || installed?.link === true) return null
    // The very version that the manifest now names is locked, under an older range.
    return wanted[name] === version || installed?.version === version
  }
}

function askedOfCargo(text: string, lines: readonly AddedLine[]): Asked[] {
  const wanted = new Map(lines.map((line) => [line.new, line]))
  let section = ''
  return text.split('\n').flatMap((words, at) => {
    section = /^\s*\[\[?([^\]]+)\]/.exec(words)?.[1] ?? section
    const line = wanted.get(at + 1)
    // What a workspace offers its members is locked only once one of them takes it.
    const isDependency = /^(?!workspace\.)(?:.*\.)?(?:dev-|build-)?dependencies$/.test(section)
    const [, key, value = ''] = /^\s*([\w-]+)\s*=\s*(["{].*)$/.exec(words) ?? []
    if (!line || !isDependency || key === undefined || /\bworkspace\s*=\s*true/.test(value)) return []
    return [{ name: /\bpackage\s*=\s*"([^"]+)"/.exec(value)?.[1] ?? key, version: value, line }]
  })
}

/** Direct ones: of what others need, only a part has to be in `go.sum`. */
function askedOfGo(text: string, lines: readonly AddedLine[]): Asked[] {
  return lines.flatMap((line) => {
    const words = line.text.trim().split(/\s+/)
    const [name = '', version = '', ...more] = words[0] === 'require' ? words.slice(1) : words
    // A range in brackets is one that is taken back.
    if (!name.includes('.') || name.startsWith('[') || !/^v\d/.test(version) || more.length > 0) return []
    const isReplaced = text.split('\n').some((words) => words.includes('=>') && words.includes(`${name} `))
    return isReplaced ? [] : [{ name, version, line }]
  })
}

/**
 * Packages that advisories of the npm registry name as malicious: all of their versions (`*`), or these, in which somebody
 * else published under a known name.
 */
const maliciousVersions: ReadonlyMap<string, readonly string[]> = new Map([
  ['flatmap-stream', ['*']],
  ['crossenv', ['*']],
  ['cross-env.js', ['*']],
  ['mongose', ['*']],
  ['babelcli', ['*']],
  ['d3.js', ['*']],
  ['electorn', ['*']],
  ['loadyaml', ['*']],
  ['discord.dll', ['*']],
  ['event-stream', ['3.3.6']],
  ['eslint-scope', ['3.7.2']],
  ['ua-parser-js', ['0.7.29', '0.8.0', '1.0.0']],
  ['coa', ['2.0.3', '2.0.4', '2.1.1', '2.1.3', '3.0.1', '3.1.3']],
  ['rc', ['1.2.9', '1.3.9', '2.3.9']],
  ['node-ipc', ['10.1.1', '10.1.2']],
  ['colors', ['1.4.1', '1.4.2', '1.4.44-liberty-2']],
  ['faker', ['6.6.6']],
  ['@solana/web3.js', ['1.95.6', '1.95.7']],
  ['chalk', ['5.6.1']],
  ['debug', ['4.4.2']],
])

function isMalicious({ name, version }: Asked): boolean {
  const versions = maliciousVersions.get(name) ?? []
  // A range that begins with one of them installs a later version today.
  return versions.includes('*') || versions.includes(version.replace(/^[=v\s]+/, ''))
}

function maliciousPackage(asked: readonly Asked[]): Observation {
  const [first] = asked
  return {
    rule: 'dependency-malicious',
    severity: 'critical',
    confidence: 'certain',
    title: `\`${first?.name}\` ${first?.version} is known to be malicious`,
    explanation:
      'An advisory names this package or version: it was published to run its own code on the machines of those who install it.',
    remedy: 'Check the spelling of the name, and use a version that the advisory does not name.',
    lines: asked.map(({ line }) => line),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
