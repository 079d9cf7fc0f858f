/**
 * What a language server is to us, and what it can be asked. Servers are optional everywhere: every answer says who gave
 * it and whether it can be relied on, and the index answers when a server does not.
 */

/** 1-based line, 0-based column in UTF-16 units, in a file of the snapshot. */
export type Position = { path: string; line: number; column: number }

/** A stretch of a file; its end is exclusive, as servers give it. */
export type Location = Position & { endLine: number; endColumn: number }

/** A definition as a server lists it. */
export type ServerSymbol = Position & {
  name: string
  /** Containers, outermost first, joined by a dot; empty at top level. */
  scope: string
  /** Number of the protocol's `SymbolKind`. */
  kind: number
  startLine: number
  endLine: number
}

export type ServerDiagnostic = Location & {
  severity: 'error' | 'warning' | 'information' | 'hint'
  message: string
  /** What the server calls it; null when it has no name. */
  code: string | null
  /** It says that something is missing which no server gets to see, such as an installed package. */
  isAbsence: boolean
}

/** `checksTypes`: where it says nothing and knows the types, they fit. */
export type DiagnosticsAnswer = ServerAnswer<ServerDiagnostic> & {
  checksTypes: boolean
  knowsGlobals: boolean
}

/**
 * `complete`: the server said that it had read everything, or gave the same answer twice; `incomplete`: it answered and
 * may know more later; `silent`: no answer, and `why` says what happened.
 */
export type AnswerState = 'complete' | 'incomplete' | 'silent'

export type ServerAnswer<Found> = {
  /** `typescript 7.0.2`; null when no server could be asked. */
  source: string | null
  state: AnswerState
  /** Set unless the state is `complete`. */
  why: string | null
  /** In order of path, line and column, each once; empty when silent. */
  found: readonly Found[]
  /** How many more there were in files that are not of the snapshot. */
  outside: number
}

/** The definition around some uses, or the top level of a file when `symbol` is null. */
export type ServerCaller = { path: string; symbol: ServerSymbol | null; uses: readonly Location[] }

/** Questions to the servers of one snapshot. None throws for what a server does; all end within the limits. */
export interface LanguageServers {
  /** The server that would be asked about files of this language, without starting it; null when there is none. */
  serverFor(language: string): Promise<string | null>
  /** Uses of what is at the position and imports of it, without the place itself. */
  references(at: Position): Promise<ServerAnswer<Location>>
  definition(at: Position): Promise<ServerAnswer<Location>>
  /** References, gathered by the definition around them. */
  callers(at: Position): Promise<ServerAnswer<ServerCaller>>
  /** What the file defines, locals too if the server lists them. */
  symbols(path: string): Promise<ServerAnswer<ServerSymbol>>
  /** Definitions of this very name anywhere, as far as the server of the language searches by name. */
  symbolsNamed(name: string, language: string): Promise<ServerAnswer<ServerSymbol>>
  /** What is wrong with the file, in place order; with `text`, if that stood in its place and all else were the same. */
  diagnostics(path: string, text?: string): Promise<DiagnosticsAnswer>
  /** What the server shows of the name at the position, its type for the most part: one text, or none. */
  type(at: Position): Promise<ServerAnswer<string>>
  /** Ends all processes with their children and removes what was laid out for them. May be called twice. */
  close(): Promise<void>
}

/** One kind of server: how it is found and started, and what must be known to believe its answers. */
export interface LanguageServer {
  readonly name: string
  /** Ids as in `FileFacts.language`. */
  readonly languages: readonly string[]
  /** Starts nothing but the program itself, to ask for its version. Must not throw. */
  find(surroundings: Surroundings): Promise<Program | Absent>
  /** Files beside sources of its languages that it reads as data, never to run what they say. */
  readsFile(path: string): boolean
  /** The protocol's `languageId`. */
  documentKind(path: string): string
  /** What has to lie beside or instead of the files of the tree, and what to open first. */
  arrange(tree: LaidTree): Promise<Arrangement>
  /** Variables on top of the few that every server gets. */
  environment(surroundings: Surroundings): Readonly<Record<string, string>>
  readonly initializationOptions: unknown
  /** The answer to `workspace/configuration` for a section; null when nothing is set. */
  configuration(section: string): unknown
  readonly readiness: Readiness
  /** It counts an import among the declarations of what is imported, and tells neither when asked for uses alone. */
  readonly importsAreDeclarations: boolean
  /** Whether it finds every type that does not fit in such a file, as far as it knows the types. */
  checksTypes(path: string): boolean
  /** False where global names come from packages, which are not laid out: then a name it does not know may be one. */
  readonly knowsGlobals: boolean
  /** What it complains of is not here because it was not laid out, and may well be there for the author. */
  isAbsence(complaint: Pick<ServerDiagnostic, 'code' | 'message'>): boolean
  /** Documents open at once beside those opened first; some servers keep the whole syntax tree of each. */
  readonly openAtOnce: number
  /** Megabytes it may hold with its children; null for the default. */
  readonly memoryMb: number | null
}

/** What is around the program: the operator's environment, and folders whose programs are not to be trusted. */
export type Surroundings = {
  environment: Readonly<Record<string, string | undefined>>
  /** The repository's own folders: nothing in them is ever started. */
  foreignFolders: readonly string[]
  /** Of the operator's settings, for this server. */
  command: readonly string[] | null
  /** Likewise: what it may read beside the tree. */
  readOnlyPaths: readonly string[]
  /** It will run in a sandbox, where nothing of the host can be seen but what is named. */
  isConfined: boolean
}

export type Program = {
  /** Absolute. */
  command: string
  arguments: readonly string[]
  version: string | null
  from: 'settings' | 'PATH' | 'bundled'
  /** The version of what it calls in turn (`go1.22.1`), where that matters; otherwise null. */
  runtime: string | null
  /** Absolute paths beside its own file that it cannot do without: its libraries, what it calls. */
  needs: readonly string[]
}

export type Absent = { absent: string }

/** The files a server will see, all of them text of the snapshot. */
export type LaidTree = {
  /** The absolute folder that stands for the root. */
  root: string
  program: Program
  /** The variables of `LanguageServer.environment`. */
  environment: Readonly<Record<string, string>>
  /** In path order. */
  paths: readonly string[]
  read(path: string): Promise<string | null>
}

export type Arrangement = {
  /** Further files of our own making, and texts that stand in for those of the tree, by path. */
  files: ReadonlyMap<string, string>
  /** Links inside the tree: `at` leads to the folder `to`. Both are paths in it. */
  links: readonly { at: string; to: string }[]
  /** Opened at the start, so that the projects they belong to are loaded. */
  openFirst: readonly string[]
}

/** When an answer is the whole answer. */
export type Readiness = {
  /** Wait until it has stopped reporting progress before it is asked. */
  awaitsProgress: boolean
  /** How long to wait for the first sign of progress before it is taken for ready. Milliseconds. */
  graceMs: number
  /** How many answers in a row must agree. */
  agreeing: 1 | 2
}

export type Limits = {
  initializeMs: number
  requestMs: number
  /** For waiting and asking again until answers agree, in all. */
  settleMs: number
  /** Without a question for this long, the process is ended; the next question starts it again. */
  idleMs: number
  /** The longest that a first sign of progress is waited for, whatever the readiness of a server says. */
  graceMs: number
  memoryMb: number
  /** Received since the last request of ours. */
  turnBytes: number
  /** Of the files laid out for one server. */
  files: number
  bytes: number
}

export const defaultLimits: Limits = {
  initializeMs: 20_000,
  requestMs: 10_000,
  settleMs: 40_000,
  idleMs: 60_000,
  graceMs: Number.POSITIVE_INFINITY,
  memoryMb: 2048,
  turnBytes: 128 * 2 ** 20,
  files: 30_000,
  bytes: 300 * 2 ** 20,
}

/** A server that cannot go on, or did not answer. `kind` decides whether it is worth asking again. */
export class ServerFailure extends Error {
  override readonly name = 'ServerFailure'
  readonly kind: 'ended' | 'refused' | 'late'

  /** `ended`: the process has ended; `refused`: it answered with an error; `late`: no answer in time. */
  constructor(kind: ServerFailure['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
