/**
 * A git directory of our own that borrows the objects of another one. Git never sees the target's
 * configuration, hooks, attribute drivers or filters, so nothing that a hostile repository names there can run.
 */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder, type PrivateFolder } from '../private-folders.ts'
import { checkBorrowing } from './borrowed.ts'
import { type ConfigData, readConfigData } from './config-data.ts'
import { discoverRepository, type Repository } from './discover.ts'
import { ObjectReader } from './object-reader.ts'
import { readData, statOrNull } from './read-data.ts'
import { hasReftable, readFileRefs, readReftable, symbolicRef, writeRefs } from './refs.ts'
import { type GitOptions, type GitPlace, runGit, streamGit, tryGit } from './run.ts'
import { SpareGit } from './spare-git.ts'
import { gitVersion } from './version.ts'

/** Blobs above this many bytes count as binary in diffs, and work tree files above it are not hashed. */
export const hugeFileBytes = 20_000_000

/** The object that every repository has without storing it: the tree of nothing. */
export const emptyTrees = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
} as const

export class Shadow {
  readonly repository: Repository
  readonly place: GitPlace
  /** Our temporary folder, mode 0700: the git directory, an empty home and private indexes. */
  readonly root: string
  readonly config: ConfigData
  /** Commits at which a shallow clone ends; empty for a whole one. */
  readonly shallow: ReadonlySet<string>
  readonly objects: ObjectReader
  readonly signal: AbortSignal | undefined
  private readonly folder: PrivateFolder
  /** By their arguments: commands that are asked again and again. */
  private readonly spares = new Map<string, SpareGit>()

  /** Use `openShadow`. */
  constructor(
    folder: PrivateFolder,
    place: GitPlace,
    repository: Repository,
    config: ConfigData,
    signal: AbortSignal | undefined,
  ) {
    this.folder = folder
    this.root = folder.path
    this.place = place
    this.repository = repository
    this.config = config
    this.signal = signal
    this.shallow = takeShallow(repository, place)
    this.objects = new ObjectReader(place, signal)
  }

  get objectFormat(): 'sha1' | 'sha256' {
    return this.config.objectFormat
  }

  get emptyTree(): string {
    return emptyTrees[this.objectFormat]
  }

  /** What a symbolic reference leads to, `refs/heads/main` for `HEAD`; null when it is none. */
  symbolicRef(name: string): string | null {
    return symbolicRef(this.place.gitDir, name)
  }

  /** `runGit` in the shadow. Attributes of the repository do not apply: see `treesOnly`. */
  run(args: readonly string[], options: GitOptions & { maxBytes?: number } = {}): Promise<Buffer> {
    return runGit(this.place, args, this.withDefaults(options))
  }

  /** `tryGit` in the shadow. */
  try(args: readonly string[], options: GitOptions & { maxBytes?: number } = {}) {
    return tryGit(this.place, args, this.withDefaults(options))
  }

  /** `streamGit` in the shadow. */
  stream(args: readonly string[], onData: (chunk: Buffer) => boolean | undefined, options: GitOptions = {}) {
    return streamGit(this.place, args, onData, this.withDefaults(options))
  }

  /** `stream` of a command that reads its input first, and that `prepareRepeated` has started before. */
  repeat(args: readonly string[], onData: (chunk: Buffer) => undefined, options: GitOptions) {
    const defaults = this.withDefaults(options)
    const key = args.join('\0')
    const spare = this.spares.get(key) ?? new SpareGit(this.place, args, defaults.env)
    this.spares.set(key, spare)
    return streamGit(this.place, args, onData, { ...defaults, child: spare.take() })
  }

  /** Starts the next process of each repeated command. Starting one takes time, so call it when nobody waits for a result. */
  prepareRepeated(): void {
    if (!this.signal?.aborted) for (const spare of this.spares.values()) spare.prepare()
  }

  async close(): Promise<void> {
    for (const spare of this.spares.values()) spare.close()
    await this.objects.close()
    await this.folder.remove()
  }

  private withDefaults<T extends GitOptions>(options: T): T & { env: Record<string, string> } {
    const workTree = options.env?.GIT_WORK_TREE
    const treesOnly = workTree ? {} : { GIT_ATTR_SOURCE: this.emptyTree }
    const whatHoldsIt = (): string | null => {
      const pipe = workTree ? findWaitingPipe(workTree) : null
      return pipe && `${pipe} is not a regular file, and git waits for it forever. Remove it`
    }
    return { ...options, whatHoldsIt, signal: this.signal, env: { ...treesOnly, ...options.env } }
  }
}

/**
 * Finds the repository around `folder` and makes a shadow of it; close it when done.
 * `borrowFrom`: folders outside of it whose objects it may use. Throws `not-a-repository`, `repository-unsafe`,
 * `git-missing` when git is too old (for this repository), and `no-temporary-folder`.
 */
export async function openShadow(
  folder: string,
  signal?: AbortSignal,
  borrowFrom: readonly string[] = [],
): Promise<Shadow> {
  await gitVersion()
  const repository = discoverRepository(folder)
  checkBorrowing(repository, borrowFrom)
  return await inOwnFolder(async (folder, place) => {
    const root = folder.path
    const config = await readConfigData(place, repository)
    writeFileSync(join(place.gitDir, 'config'), shadowConfig(config))
    const objects = join(repository.commonDir, 'objects')
    writeFileSync(join(place.gitDir, 'objects/info/alternates'), `${quotePath(objects)}\n`)
    const refs = hasReftable(repository)
      ? await readReftable(root, place, repository)
      : readFileRefs(repository)
    writeRefs(refs, place.gitDir, emptyTrees[config.objectFormat].length)
    return new Shadow(folder, place, repository, config, signal)
  })
}

/** A pack of a large tree takes git a while to index. */
const packTimeoutMs = 600_000

/**
 * A git directory that holds the objects of one pack file and nothing else: no references, no configuration and no
 * other repository. Git names every object by its content while it indexes the pack, so a forged one has another name.
 * Close it when done. Throws `git-failed` for what is no pack.
 */
export async function openPack(
  pack: string,
  objectFormat: ConfigData['objectFormat'],
  signal?: AbortSignal,
): Promise<Shadow> {
  await gitVersion()
  return await inOwnFolder(async (folder, place) => {
    const config: ConfigData = { objectFormat, coreLines: [], excludesFile: null, originUrl: null }
    writeFileSync(join(place.gitDir, 'config'), shadowConfig(config))
    writeFileSync(join(place.gitDir, 'HEAD'), 'ref: refs/heads/none\n')
    copyFileSync(pack, join(place.gitDir, 'objects/pack/pack-collected.pack'))
    await runGit(place, ['index-pack', 'objects/pack/pack-collected.pack'], {
      signal,
      timeoutMs: packTimeoutMs,
    })
    const repository = { gitDir: place.gitDir, commonDir: place.gitDir, workTree: null }
    return new Shadow(folder, place, repository, config, signal)
  })
}

async function inOwnFolder(
  fill: (folder: PrivateFolder, place: GitPlace) => Promise<Shadow>,
): Promise<Shadow> {
  const folder = await makePrivateFolder('git')
  try {
    const place = { gitDir: join(folder.path, 'git'), home: join(folder.path, 'home') }
    for (const part of ['git/objects/info', 'git/objects/pack', 'git/refs/heads', 'git/info', 'home'])
      mkdirSync(join(folder.path, part), { recursive: true })
    return await fill(folder, place)
  } catch (error) {
    await folder.remove()
    throw error
  }
}

/**
 * The whole configuration git sees. The commit graph is off because it is a cache that could lie about
 * the commits it describes; no remote is named, so nothing is ever fetched for a missing object.
 */
function shadowConfig(config: ConfigData): string {
  const sha256 = config.objectFormat === 'sha256'
  return [
    '[core]',
    `\trepositoryformatversion = ${sha256 ? 1 : 0}`,
    '\tbare = true',
    '\tfsmonitor = false',
    '\thooksPath = /dev/null',
    '\tuntrackedCache = false',
    '\tsplitIndex = false',
    '\tcommitGraph = false',
    '\tquotePath = false',
    '\tsafecrlf = false',
    // Nothing is ever checked out here, so names that trouble other file systems are only names.
    '\tprotectHFS = false',
    '\tprotectNTFS = false',
    '\tlogAllRefUpdates = false',
    '\twarnAmbiguousRefs = false',
    `\tbigFileThreshold = ${hugeFileBytes}`,
    ...config.coreLines,
    ...(sha256 ? ['[extensions]', '\tobjectFormat = sha256'] : []),
    '[gc]',
    '\tauto = 0',
    '[maintenance]',
    '\tauto = false',
    '',
  ].join('\n')
}

/** A path as `objects/info/alternates` wants it: in double quotes, odd bytes in octal (gitrepository-layout). */
export function quotePath(path: string): string {
  let quoted = ''
  for (const byte of Buffer.from(path)) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
    quoted += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
  }
  return `"${quoted}"`
}

/** Takes over the commits whose parents are not here, and returns them. Git refuses to work with a line that is none. */
function takeShallow(repository: Repository, place: GitPlace): ReadonlySet<string> {
  const text = readData(join(repository.commonDir, 'shallow'), 16 * 1024 * 1024)?.toString('latin1') ?? ''
  const commits = text.split('\n').filter((line) => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(line))
  if (commits.length > 0) writeFileSync(join(place.gitDir, 'shallow'), `${commits.join('\n')}\n`)
  return new Set(commits)
}

const opened: ReadonlySet<string> = new Set(['.gitignore', '.gitattributes', '.gitmodules'])
const mostEntries = 300_000

/**
 * Git opens every ignore and attribute file of a work tree, and a pipe keeps it waiting. The first such path that is
 * neither a file nor absent, or null. Folders are read level by level, up to a limit.
 */
function findWaitingPipe(workTree: string): string | null {
  const waiting = ['']
  let seen = 0
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift())
    for (const entry of entriesOf(join(workTree, folder))) {
      if (++seen > mostEntries) return null
      const path = join(folder, entry.name)
      if (entry.isDirectory() && entry.name !== '.git') waiting.push(path)
      if (!opened.has(entry.name) || entry.isFile()) continue
      const stat = statOrNull(join(workTree, path))
      if (stat && !stat.isFile() && !stat.isDirectory()) return path
    }
  return null
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
