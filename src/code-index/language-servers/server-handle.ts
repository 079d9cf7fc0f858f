/** One language server of one review: laid out and started at the first question, ended after a time without any. */
import type { Sandbox } from '../../base/sandbox/contract.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import {
  type LanguageServer,
  type Limits,
  type Program,
  ServerFailure,
  type Surroundings,
} from './contract.ts'
import { layOut, type Workspace } from './lay-out.ts'
import { cleanEnvironment } from './programs.ts'
import { launchServer, type ServerProcess, startProcess } from './server-process.ts'
import { Session } from './session.ts'

/** A running server, with its workspace and the documents that are open in it. */
export type OpenServer = {
  session: Session
  workspace: Workspace
  open: Set<string>
  /** How often the text of an open document was changed; none until the first time. */
  versions: Map<string, number>
}

export class ServerHandle {
  readonly server: LanguageServer
  private readonly program: Program
  private readonly snapshot: RepoSnapshot
  private readonly around: Surroundings
  private readonly limits: Limits
  private readonly sandbox: Sandbox | null
  private workspace: Promise<Workspace | string> | null = null
  private opened: Promise<OpenServer> | null = null
  private process: ServerProcess | null = null
  private failure: ServerFailure | null = null
  private idle: NodeJS.Timeout | null = null
  private version: string | null
  /** Questions go one after the other: servers answer in order, and deadlines are for one. */
  private last: Promise<unknown> = Promise.resolve()

  constructor(
    server: LanguageServer,
    program: Program,
    snapshot: RepoSnapshot,
    around: Surroundings,
    limits: Limits,
    sandbox: Sandbox | null,
  ) {
    this.server = server
    this.program = program
    this.snapshot = snapshot
    this.around = around
    this.limits = { ...limits, memoryMb: server.memoryMb ?? limits.memoryMb }
    this.version = program.version
    this.sandbox = sandbox
  }

  /** `pyright 1.1.414`. */
  get source(): string {
    return this.version === null ? this.server.name : `${this.server.name} ${this.version}`
  }

  /** Throws `ServerFailure`. A server that ended by itself is not started again. */
  ask<Answer>(question: (opened: OpenServer) => Promise<Answer>): Promise<Answer> {
    const turn = this.last.then(async () => {
      if (this.idle) clearTimeout(this.idle)
      try {
        const opened = await this.ensureOpen()
        return await question(opened)
      } catch (error) {
        if (error instanceof ServerFailure && error.kind === 'ended') this.failure ??= error
        throw error
      } finally {
        this.idle = setTimeout(() => void this.stop(), this.limits.idleMs)
        this.idle.unref()
      }
    })
    this.last = turn.catch(() => {})
    return turn
  }

  /** Ends the process and removes the files. */
  async close(): Promise<void> {
    this.failure ??= new ServerFailure('ended', 'the review is over')
    if (this.idle) clearTimeout(this.idle)
    // One that is still coming up, or never will, is not waited for.
    this.process?.kill()
    await this.stop()
    const workspace = await this.workspace?.catch(() => null)
    if (workspace && typeof workspace !== 'string') await workspace.remove()
  }

  private async ensureOpen(): Promise<OpenServer> {
    if (this.failure) throw this.failure
    this.opened ??= this.start()
    const opened = await this.opened
    if (opened.session.endedWhy !== null) throw new ServerFailure('ended', opened.session.endedWhy)
    return opened
  }

  private async start(): Promise<OpenServer> {
    const { server, program, limits } = this
    const environment = server.environment(this.around)
    this.workspace ??= layOut(this.snapshot, server, { program, environment }, limits)
    const workspace = await this.workspace.catch((error: unknown) => String(error))
    if (typeof workspace === 'string') throw new ServerFailure('ended', workspace)
    if (this.failure) throw this.failure
    const { root, home } = workspace
    const launch = launchServer(program, {
      sandbox: this.sandbox,
      cwd: home,
      readOnlyPaths: this.around.readOnlyPaths,
      writablePaths: [root, home],
      environment: { ...cleanEnvironment(home), ...environment },
    })
    this.process = startProcess(launch, { cwd: home, memoryMb: limits.memoryMb })
    const session = await Session.start(this.process, server, { root, isConfined: !!this.sandbox }, limits)
    this.version ??= readVersion(session.version)
    const opened: OpenServer = { session, workspace, open: new Set(), versions: new Map() }
    for (const path of workspace.openFirst) await openDocument(opened, server, this.snapshot, path)
    return opened
  }

  /** The text of the snapshot. */
  async textOf(path: string): Promise<string | null> {
    return (await this.snapshot.read(path))?.text ?? null
  }

  /** Opens a document unless it is open. False when it is not laid out. */
  async open(opened: OpenServer, path: string): Promise<boolean> {
    return await openDocument(opened, this.server, this.snapshot, path)
  }

  private async stop(): Promise<void> {
    const opened = await this.opened?.catch(() => null)
    this.opened = null
    await opened?.session.close()
  }
}

async function openDocument(
  { session, workspace, open, versions }: OpenServer,
  server: LanguageServer,
  snapshot: RepoSnapshot,
  path: string,
): Promise<boolean> {
  if (open.delete(path)) {
    open.add(path)
    return true
  }
  const file = workspace.paths.has(path) ? await snapshot.read(path) : null
  if (!file) return false
  const uri = workspace.uriOf(path)
  const languageId = server.documentKind(path)
  session.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text: file.text } })
  open.add(path)
  const pinned = new Set(workspace.openFirst)
  const most = server.openAtOnce + pinned.size
  for (const oldest of open) {
    if (open.size <= most) break
    if (pinned.has(oldest)) continue
    open.delete(oldest)
    versions.delete(oldest)
    session.notify('textDocument/didClose', { textDocument: { uri: workspace.uriOf(oldest) } })
  }
  return true
}

/** What a server says of itself is foreign: only what looks like a version is taken. */
function readVersion(said: string | null): string | null {
  return /\d{1,9}\.\d{1,9}[\w.+-]{0,40}/.exec(said ?? '')?.[0] ?? null
}
