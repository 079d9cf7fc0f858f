/** A real bare git repository of a fake host. Commits are made without a work tree; identity and dates are fixed. */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { link, plain, sorted, submodule, type TreeEntry, writeObject, writeTree } from '../../commit-here.ts'
import { gitIdentity } from '../../git-identity.ts'
import { runToItsEnd } from '../../starter/start.ts'
import { type FileDiff, parseDiff } from './file-diff.ts'

/** A symbolic link to a path, or a submodule at a commit. */
type OtherEntry = { readonly link: string } | { readonly submodule: string }

export type Files = Readonly<Record<string, string | Uint8Array | OtherEntry | null>>

export type CommitInfo = {
  id: string
  tree: string
  parents: string[]
  message: string
  author: string
  date: string
}

type NewCommit = {
  parents: readonly string[]
  message: string
  author?: string
  tree?: string
  files?: Files
}

/** `info`: as git shows it. */
type MadeCommit = NewCommit & { info: CommitInfo }

/** Ids of a commit and of its tree. */
type MadeObjects = { id: string; root: string }

/** Of more, git makes a pack. */
const mostFilesHere = 100

/** What two commits differ in follows from their ids, in whichever repository they are: tests begin with the same ones. */
const diffs = new Map<string, readonly FileDiff[]>()
const moves = new Map<string, readonly FileDiff[]>()

export class HostedRepository {
  readonly path: string
  private clock = 1_700_000_000
  private readonly answers = new Map<string, string | null>()
  private readonly files = new Map<string, Buffer | null>()
  private readonly ranges = new Map<string, CommitInfo[]>()
  /** Commits that were made here, so that git is started for nothing that is known; others come by clones. */
  private readonly made = new Map<string, MadeCommit>()
  /** The files of commits whose objects were written here. */
  private readonly trees = new Map<string, ReadonlyMap<string, TreeEntry>>()
  /** The same by the ids of their trees. */
  private readonly roots = new Map<string, ReadonlyMap<string, TreeEntry>>()
  private readonly merges = new Map<string, string>()

  constructor(path: string) {
    this.path = path
  }

  /** `copyOf` makes a fork, which borrows the objects. */
  static create(path: string, copyOf?: HostedRepository): HostedRepository {
    cpSync(emptyRepository(), path, { recursive: true })
    if (copyOf) borrow(copyOf.path, path)
    const created = HostedRepository.adopt(path)
    if (copyOf) created.learn(copyOf, copyOf.made.keys())
    return created
  }

  /** A bare repository that is the test's own, such as a copy of a real one. */
  static adopt(path: string): HostedRepository {
    appendFileSync(join(path, 'config'), hostSettings)
    return new HostedRepository(path)
  }

  /** Has `ref` of another repository, with all before it, as `to`. */
  fetch(from: HostedRepository, ref: string, to: string): void {
    const tip = from.resolve(ref)
    const history = tip === null ? null : from.historyOf(tip)
    if (tip !== null && history !== null && shareObjects(from.path, this.path)) this.point(to, tip)
    else this.git('fetch', '--quiet', '--force', from.path, `${ref}:${to}`)
    this.learn(from, history ?? [])
  }

  /** What commits are is the same in every repository that has them. */
  private learn({ made, trees }: HostedRepository, commits: Iterable<string>): void {
    for (const id of commits) {
      const [one, entries] = [made.get(id), trees.get(id)]
      if (one) this.made.set(id, one)
      if (one && entries) this.keepTree(one.info.id, one.info.tree, entries)
    }
  }

  private keepTree(commit: string, root: string, entries: ReadonlyMap<string, TreeEntry>): void {
    this.trees.set(commit, entries)
    this.roots.set(root, entries)
  }

  git(...args: string[]): string {
    return run(['--git-dir', this.path, ...args], this.clock).trim()
  }

  /** Null for what does not exist. */
  resolve(name: string): string | null {
    const file = join(this.path, name)
    if (isRef(name) && existsSync(file)) return readFileSync(file, 'utf8').trim()
    if (this.made.has(name)) return name
    if (isRef(name)) return this.packedRefs().get(name) ?? null
    if (/^[0-9a-f]{7,39}$/.test(name)) {
      const [found, ...others] = [...this.made.keys()].filter((id) => id.startsWith(name))
      if (found !== undefined && others.length === 0) return found
    }
    const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
    return commitId.test(name) ? this.ask(words) : this.tryGit(words)
  }

  /** Those of a fork, as it was made. */
  private packedRefs(): ReadonlyMap<string, string> {
    const file = join(this.path, 'packed-refs')
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    return new Map([...text.matchAll(/^([0-9a-f]{40}) (\S+)$/gm)].map(([, id = '', ref = '']) => [ref, id]))
  }

  isOnBranch(commit: string): boolean {
    const loose = readdirSync(join(this.path, 'refs'), { recursive: true, encoding: 'utf8' })
    const names = new Set([...loose.map((name) => `refs/${name}`), ...this.packedRefs().keys()])
    const branches = [...names].filter((name) => name.startsWith('refs/heads/') && !this.isFolder(name))
    const histories = branches.map((name) => this.historyOf(this.resolve(name) ?? ''))
    if (histories.some((history) => history?.has(commit))) return true
    if (histories.every((history) => history !== null)) return false
    return this.git('branch', '--contains', commit, '--format=%(refname)') !== ''
  }

  private isFolder(name: string): boolean {
    return statSync(join(this.path, name), { throwIfNoEntry: false })?.isDirectory() ?? false
  }

  /** The id of the tree of a commit. */
  treeOf(commit: string): string {
    return this.made.get(commit)?.info.tree ?? this.git('rev-parse', `${commit}^{tree}`)
  }

  /** As a file, like git's own: a process for each of many thousand pushes would be most of their time. */
  point(ref: string, commit: string): void {
    mkdirSync(dirname(join(this.path, ref)), { recursive: true })
    writeFileSync(join(this.path, ref), `${commit}\n`)
  }

  /** Null in `files` removes one. With `tree`, the commit has that tree, and `files` on top. Returns its id. */
  commit(commit: NewCommit): string {
    const { parents, message, author = 'Ada' } = commit
    this.clock += 60
    const who = `${author} <${author.toLowerCase()}@example.com> ${this.clock} +0000`
    const { id, root } = this.commitHere(commit, who) ?? this.commitByGit(commit, who)
    const date = `${new Date(this.clock * 1000).toISOString().slice(0, 19)}+00:00`
    const info = { id, tree: root, parents: [...parents], message: message.trim(), author, date }
    this.made.set(id, { ...commit, info })
    return id
  }

  /** As git would, without starting it; null where that is not for sure. */
  private commitHere({ parents, message, tree, files = {} }: NewCommit, who: string): MadeObjects | null {
    const [first] = parents
    const ofParent = first === undefined ? new Map<string, TreeEntry>() : this.trees.get(first)
    const before = tree === undefined ? ofParent : this.roots.get(tree)
    const paths = Object.keys(files)
    if (!before || paths.length > mostFilesHere || !paths.every(isPlainPath)) return null
    const entries = new Map(before)
    for (const [path, content] of Object.entries(files)) {
      // A folder that becomes a file, or the other way round.
      if ([...entries.keys()].some((one) => isWithin(one, path) || isWithin(path, one))) return null
      if (content === null) entries.delete(path)
      else entries.set(path, { path, ...this.writeFile(content) })
    }
    const root = writeTree(this.path, '', sorted([...entries.values()])).toString('hex')
    const lines = [`tree ${root}`, ...parents.map((parent) => `parent ${parent}`)]
    const text = `${lines.join('\n')}\nauthor ${who}\ncommitter ${who}\n\n${message}`
    const id = writeObject(this.path, 'commit', Buffer.from(text)).toString('hex')
    this.keepTree(id, root, entries)
    return { id, root }
  }

  private writeFile(content: string | Uint8Array | OtherEntry): { mode: number; id: Buffer } {
    if (isOther(content) && 'submodule' in content)
      return { mode: submodule, id: Buffer.from(content.submodule, 'hex') }
    const [mode, text] = isOther(content) ? [link, content.link] : [plain, content]
    return { mode, id: writeObject(this.path, 'blob', Buffer.from(text)) }
  }

  private commitByGit({ parents, message, tree, files = {} }: NewCommit, who: string): MadeObjects {
    const [first, ...others] = parents
    const parts: (string | Uint8Array)[] = [
      'commit refs/hidden/new\nmark :1\n',
      `author ${who}\ncommitter ${who}\ndata ${Buffer.byteLength(message)}\n${message}\n`,
      ...(first === undefined ? [] : [`from ${first}\n`]),
      ...others.map((parent) => `merge ${parent}\n`),
      ...(tree === undefined ? [] : [`M 040000 ${tree} ""\n`]),
    ]
    for (const [path, content] of Object.entries(files)) {
      if (content === null) parts.push(`D ${quote(path)}\n`)
      else if (isOther(content) && 'submodule' in content)
        parts.push(`M 160000 ${content.submodule} ${quote(path)}\n`)
      else {
        const [mode, text] = isOther(content) ? ['120000', content.link] : ['100644', content]
        const bytes = Buffer.from(text)
        parts.push(`M ${mode} inline ${quote(path)}\ndata ${bytes.length}\n`, bytes, '\n')
      }
    }
    // A commit without a parent must not continue what the last use of the name left.
    const reset = first === undefined ? 'reset refs/hidden/new\n\n' : ''
    const input = Buffer.concat(
      [reset, ...parts, '\nget-mark :1\nls :1 ""\n'].map((part) => Buffer.from(part)),
    )
    const said = run(['--git-dir', this.path, 'fast-import', '--quiet', '--force'], this.clock, input)
    const [, id = '', root = ''] = /^(\w+)\n040000 tree (\w+)/.exec(said) ?? []
    return { id, root }
  }

  mergeBase(a: string, b: string): string | null {
    if (this.historyOf(a)?.has(b)) return b
    if (this.historyOf(b)?.has(a)) return a
    const [ofA, ofB] = [this.lineOf(a), this.lineOf(b)]
    for (const one of ofA && ofB ? ofA : []) if (ofB?.has(one)) return one
    return this.ask(['merge-base', a, b])
  }

  /** A commit and all before it, newest first; null when there are merges, or commits that were not made here. */
  private lineOf(commit: string): ReadonlySet<string> | null {
    const line = new Set<string>()
    for (let id: string | undefined = commit; id !== undefined; ) {
      const one: MadeCommit | undefined = this.made.get(id)
      if (!one || one.parents.length > 1) return null
      line.add(id)
      id = one.parents[0]
    }
    return line
  }

  /** A commit and all before it; null when one of them was not made here. */
  private historyOf(commit: string): ReadonlySet<string> | null {
    const history = new Set([commit])
    for (const id of history) {
      const one = this.made.get(id)
      if (!one) return null
      for (const parent of one.parents) history.add(parent)
    }
    return history
  }

  /** A merge of both as git makes it; where it has conflicts, those files are as in `theirs`. */
  mergeTree(ours: string, theirs: string): string {
    return this.cached(
      this.merges,
      `${ours} ${theirs}`,
      () => this.mergeHere(ours, theirs) ?? this.mergeByGit(ours, theirs),
    )
  }

  /** Of which each file was changed by one side at most, and none was removed, which may be half of a move; null for others. */
  private mergeHere(ours: string, theirs: string): string | null {
    const base = this.lineOf(ours) && this.lineOf(theirs) ? this.mergeBase(ours, theirs) : null
    const [before, own, other] = [base ?? '', ours, theirs].map((id) => this.trees.get(id))
    if (!before || !own || !other) return null
    const merged = new Map(own)
    for (const path of before.keys()) if (!own.has(path) || !other.has(path)) return null
    for (const [path, entry] of other) {
      const [was, is] = [before.get(path), own.get(path)]
      if (isSame(was, entry) || isSame(is, entry)) continue
      if (!isSame(was, is)) return null
      if (was === undefined && [...own.keys()].some((one) => isWithin(one, path) || isWithin(path, one)))
        return null
      merged.set(path, entry)
    }
    const root = writeTree(this.path, '', sorted([...merged.values()])).toString('hex')
    this.roots.set(root, merged)
    return root
  }

  private mergeByGit(ours: string, theirs: string): string {
    try {
      return this.git('merge-tree', '--write-tree', ours, theirs)
    } catch (error) {
      const output = String((error as { stdout?: unknown }).stdout ?? '')
      const tree = output.split('\n')[0] ?? ''
      const conflicts = new Set(
        [...output.matchAll(/^\d{6} [0-9a-f]{40,} \d\t(.*)$/gm)].map((found) => found[1] ?? ''),
      )
      const files = [...conflicts].map((path) => [path, this.read(theirs, path)] as const)
      const commit = this.commit({ parents: [], message: 'merged', tree, files: Object.fromEntries(files) })
      return this.treeOf(commit)
    }
  }

  /** The tree that `commit`, put on `onto`, leads to. */
  pickTree(commit: string, onto: string): string {
    const parent = this.made.get(commit)?.parents[0] ?? this.git('rev-parse', `${commit}^`)
    // The same files on the commit's own parent, so that this parent is what the merge compares both sides with.
    const stand = this.commit({ parents: [parent], message: 'stand-in', tree: this.treeOf(onto) })
    return this.mergeTree(stand, commit)
  }

  read(commit: string, path: string): Buffer | null {
    for (let id: string | undefined = commit; id !== undefined; ) {
      const { files, parents, tree }: Partial<NewCommit> = this.made.get(id) ?? {}
      const content = files && Object.hasOwn(files, path) ? files[path] : undefined
      if (content !== undefined && content !== null && isOther(content))
        return 'link' in content ? Buffer.from(content.link) : null
      if (content !== undefined) return content === null ? null : Buffer.from(content)
      // A folder that became a file, or the other way round, is git's to know.
      const isFolder = Object.keys(files ?? {}).some((one) => isWithin(one, path) || isWithin(path, one))
      if (isFolder || tree !== undefined || !parents || parents.length > 1) break
      if (parents.length === 0) return null
      id = parents[0]
    }
    const read = () => {
      try {
        return execFileSync('git', ['--git-dir', this.path, 'cat-file', 'blob', `${commit}:${path}`], quiet)
      } catch {
        return null
      }
    }
    return commitId.test(commit) ? this.cached(this.files, `${commit}:${path}`, read) : read()
  }

  diff(base: string, head: string): readonly FileDiff[] {
    return this.cached(diffs, `${base} ${head}`, () =>
      parseDiff(run(['--git-dir', this.path, ...diffCommand, '-M', '-U3', base, head])),
    )
  }

  /** The whole diff as git prints it. */
  diffText(base: string, head: string): string {
    return run(['--git-dir', this.path, 'diff', '--no-color', '--no-ext-diff', '-M', base, head])
  }

  /** The line of `to` that a line of `from` has become; null when it was changed, or its file renamed or removed. */
  mapLine(from: string, to: string, path: string, line: number): number | null {
    if (from === to) return line
    const files = this.cached(moves, `${from} ${to}`, () =>
      parseDiff(run(['--git-dir', this.path, ...diffCommand, '--no-renames', '-U0', from, to])),
    )
    const file = files.find((one) => one.path === path)
    if (!file) return line
    if (file.status === 'D' || file.isBinary) return null
    let shift = 0
    for (const hunk of file.hunks) {
      // A hunk that only adds is placed behind its old line.
      const first = hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart
      if (line < first) break
      if (line < first + hunk.oldLines) return null
      shift += hunk.newLines - hunk.oldLines
    }
    return line + shift
  }

  /** Oldest first, merges among them. */
  /** With null as `base`, the one commit `head`. */
  commits(base: string | null, head: string): CommitInfo[] {
    return this.cached(this.ranges, `${base} ${head}`, () => {
      const info = base === null && this.made.get(head)?.info
      if (info) return [info]
      const [before, line] = [base === null ? null : this.lineOf(base), this.lineOf(head)]
      if (!before || !line) return this.readCommits(base, head)
      const own = [...line].filter((id) => !before.has(id)).reverse()
      return own.flatMap((id) => this.made.get(id)?.info ?? [])
    })
  }

  private readCommits(base: string | null, head: string): CommitInfo[] {
    const format = '--format=%H%x00%T%x00%P%x00%an%x00%aI%x00%B%x01'
    const range = base === null ? ['--max-count=1', head] : [`${base}..${head}`]
    const text = run(['--git-dir', this.path, 'log', '--reverse', '--topo-order', format, ...range])
    return text
      .split('\x01')
      .map((entry) => entry.trimStart())
      .filter((entry) => entry !== '')
      .map((entry) => {
        const [id = '', tree = '', parents = '', author = '', date = '', message = ''] = entry.split('\0')
        return {
          id,
          tree,
          parents: parents.split(' ').filter(Boolean),
          author,
          date,
          message: message.trim(),
        }
      })
  }

  contains(ancestor: string, commit: string): boolean {
    return this.mergeBase(ancestor, commit) === ancestor
  }

  private tryGit(words: readonly string[]): string | null {
    try {
      return this.git(...words)
    } catch {
      return null
    }
  }

  /** Of commits by their ids the answer is always the same. A commit that does not exist may come. */
  private ask(words: readonly string[]): string | null {
    const key = words.join(' ')
    const known = this.answers.get(key) ?? this.tryGit(words)
    this.answers.set(key, known)
    return known
  }

  private cached<T>(cache: Map<string, T>, key: string, make: () => T): T {
    const known = cache.get(key)
    if (known !== undefined) return known
    const made = make()
    cache.set(key, made)
    return made
  }
}

function isOther(content: string | Uint8Array | OtherEntry): content is OtherEntry {
  return typeof content !== 'string' && !(content instanceof Uint8Array)
}

/** That git takes as it is. */
function isPlainPath(path: string): boolean {
  return path.split('/').every((name) => !/^(?:\.{0,2}|\.git)$/i.test(name)) && !path.includes('\0')
}

function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one === other || (one !== undefined && one.mode === other?.mode && one.id.equals(other.id))
}

function isRef(name: string): boolean {
  return name.startsWith('refs/')
}

function isWithin(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`)
}

const commitId = /^[0-9a-f]{40}$/

const diffCommand = ['diff', '--no-color', '--no-ext-diff', '--full-index', '--raw', '-p', '-z']

/** What the real hosts allow to whoever fetches. */
const hostSettings = `
[uploadpack]
\tallowFilter = true
\tallowAnySHA1InWant = true
[transfer]
\thideRefs = refs/hidden
[http]
\treceivepack = false
[gc]
\tauto = 0
`

let empty: string | undefined

/** Made once and copied, since it costs more to start git. */
function emptyRepository(): string {
  if (empty === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'sightline-host-'))
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    empty = made
    run(['init', '--quiet', '--bare', '--initial-branch=main', '--template=', empty])
  }
  return empty
}

/** As `git clone --bare --shared` makes it: the objects stay where they are, branches and tags are those of this moment. */
function borrow(from: string, to: string): void {
  mkdirSync(join(to, 'objects/info'), { recursive: true })
  writeFileSync(join(to, alternates), `${join(from, 'objects')}\n`)
  cpSync(join(from, 'HEAD'), join(to, 'HEAD'))
  for (const kind of ['refs/heads', 'refs/tags'])
    if (existsSync(join(from, kind))) cpSync(join(from, kind), join(to, kind), { recursive: true })
  const packed = linesOf(join(from, 'packed-refs')).filter((line) => / refs\/(?:heads|tags)\//.test(line))
  if (packed.length > 0) writeFileSync(join(to, 'packed-refs'), packed.map((line) => `${line}\n`).join(''))
}

const alternates = 'objects/info/alternates'

/** Where the objects of a repository are: its own folder first, then those that it borrows from. */
function storesOf(path: string): string[] {
  const borrowed = linesOf(join(path, alternates)).filter((line) => line !== '')
  return [join(path, 'objects'), ...borrowed.flatMap((store) => storesOf(dirname(store)))]
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
}

/**
 * Gives `to` all objects that `from` has and it does not: which of them a history needs, git alone would find out. False, with
 * nothing done, where some are in packs.
 */
function shareObjects(from: string, to: string): boolean {
  const present = new Set(storesOf(to))
  const stores = storesOf(from).filter((store) => !present.has(store))
  if (stores.some((store) => readdirSync(join(store, 'pack')).length > 0)) return false
  for (const store of stores)
    for (const folder of readdirSync(store).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
      const own = join(to, 'objects', folder)
      mkdirSync(own, { recursive: true })
      for (const name of readdirSync(join(store, folder)))
        if (!existsSync(join(own, name))) linkSync(join(store, folder, name), join(own, name))
    }
  return true
}

const quiet = { maxBuffer: 1 << 30, stdio: ['pipe', 'pipe', 'pipe'] as ['pipe', 'pipe', 'pipe'] }

function run(args: string[], clock = 1_700_000_000, input?: Uint8Array): string {
  const date = `${clock} +0000`
  return runToItsEnd('git', args, {
    ...(input === undefined ? {} : { input }),
    env: {
      ...process.env,
      ...gitIdentity,
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    },
  })
}

function quote(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}
