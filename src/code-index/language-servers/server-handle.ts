/** The place of one server in one review: laid out and started at the first question, ended when nobody asks. */
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

export type Desk = {
  session: Session
  workspace: Workspace
  open: Set<string>
  /** How often the text of an open document was changed; none until the first time. */
  versions: Map<string, number>
}

export class Seat {
  readonly server: LanguageServer
  private readonly program: Program
  private readonly snapshot: RepoSnapshot
  private readonly around: Surroundings
  private readonly limits: Limits
  private readonly sandbox: Sandbox | null
  private workspace: Promise<Workspace | string> | null = null
  private desk: Promise<Desk> | null = null
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
  ask<Answer>(question: (desk: Desk) => Promise<Answer>): Promise<Answer> {
    const turn = this.last.then(async () => {
      if (this.idle) clearTimeout(this.idle)
      try {
        const desk = await this.sit()
        return await question(desk)
      } catch (error) {
        if (error instanceof ServerFailure && error.kind === 'ended') this.failure ??= error
        throw error
      } finally {
        this.idle = setTimeout(() => void this.rise(), this.limits.idleMs)
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
    await this.rise()
    const workspace = await this.workspace?.catch(() => null)
    if (workspace && typeof workspace !== 'string') await workspace.remove()
  }

  private async sit(): Promise<Desk> {
    if (this.failure) throw this.failure
    this.desk ??= this.start()
    const desk = await this.desk
    if (desk.session.endedWhy !== null) throw new ServerFailure('ended', desk.session.endedWhy)
    return desk
  }

  private async start(): Promise<Desk> {
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
    const desk: Desk = { session, workspace, open: new Set(), versions: new Map() }
    for (const path of workspace.openFirst) await openDocument(desk, server, this.snapshot, path)
    return desk
  }

  /** The text of the snapshot. */
  async textOf(path: string): Promise<string | null> {
    return (await this.snapshot.read(path))?.text ?? null
  }

  /** Opens a document unless it is open. False when it is not laid out. */
  async open(desk: Desk, path: string): Promise<boolean> {
    return await openDocument(desk, this.server, this.snapshot, path)
  }

  private async rise(): Promise<void> {
    const desk = await this.desk?.catch(() => null)
    this.desk = null
    await desk?.session.close()
  }
}

async function openDocument(
  { session, workspace, open, versions }: Desk,
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
