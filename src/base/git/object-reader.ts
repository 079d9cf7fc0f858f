/** Reads objects through long-lived `git cat-file` processes: one for contents, one for headers. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { createHash, type Hash } from 'node:crypto'
import { UserError } from '../errors.ts'
import { type GitPlace, maxMemoryBytes, startFailure, startGit, watchMemory } from './run.ts'

export class ObjectReader {
  private readonly contents: BatchProcess
  private readonly headers: BatchProcess

  /** `restMs`: how long its processes stay without a question; each holds the parts of the packs that it read. */
  constructor(place: GitPlace, signal?: AbortSignal, restMs = 60_000) {
    this.contents = new BatchProcess(place, { mode: 'contents', signal, restMs })
    this.headers = new BatchProcess(place, { mode: 'headers', signal, restMs })
  }

  /** Of the processes that run. */
  get pids(): number[] {
    return [this.contents, this.headers].flatMap(({ pid }) => pid ?? [])
  }

  /** Id, type and size of what `name` means (`HEAD^{commit}`, an id …); null when missing, unknown or ambiguous. */
  async info(name: string): Promise<ObjectHeader | null> {
    // A line feed would be a second request; git itself allows none in a name.
    if (name === '' || /[\n\0]/.test(name)) return null
    return this.headers.ask(name, 0)
  }

  /**
   * The object, or null when it is missing (partial clone), damaged, or not what its id says. One that is larger than
   * `maxBytes` comes without its bytes: it is not unpacked, since a few kilobytes may unpack to gigabytes.
   */
  async read(id: string, maxBytes: number): Promise<ObjectContent | null> {
    const header = await this.headers.ask(id, 0)
    return header && header.size > maxBytes ? header : header && this.contents.ask(id, maxBytes)
  }

  /** Unpacks all of the ids: whose content is not what they say, and what git takes for binary. Missing ones are neither. */
  async checkContents(
    ids: Iterable<string>,
  ): Promise<{ forged: ReadonlySet<string>; binary: ReadonlySet<string> }> {
    await Promise.all([...new Set(ids)].map((id) => this.contents.ask(id, 0)))
    return this.contents
  }

  /** Reads many, a few at a time so that memory stays small; `visit` is called in the order of `ids`. */
  async readEach(
    ids: readonly string[],
    maxBytes: number,
    visit: (content: ObjectContent | null, index: number) => void,
  ): Promise<void> {
    const ahead = 64
    const waiting: Promise<ObjectContent | null>[] = []
    for (let next = 0, done = 0; done < ids.length; done++) {
      // Half of them at once, so that they are asked for in one write.
      const mostAsked = waiting.length <= ahead / 2 ? done + ahead : next
      for (; next < ids.length && next < mostAsked; next++) {
        const reading = this.read(ids[next] ?? '', maxBytes)
        // When one fails, those behind it are never awaited; their failure is the same.
        reading.catch(() => {})
        waiting.push(reading)
      }
      visit((await waiting.shift()) ?? null, done)
    }
  }

  /** Headers of many; missing ones are left out. */
  async infoMany(ids: Iterable<string>): Promise<Map<string, ObjectHeader>> {
    const found = new Map<string, ObjectHeader>()
    const all = await Promise.all([...new Set(ids)].map(async (id) => ({ id, header: await this.info(id) })))
    for (const { id, header } of all) if (header) found.set(id, header)
    return found
  }

  async close(): Promise<void> {
    await Promise.all([this.contents.close(), this.headers.close()])
  }
}

export type ObjectHeader = { id: string; type: string; size: number }

/** `bytes` is null when the object is larger than the caller wanted. */
export type ObjectContent = ObjectHeader & { bytes: Buffer | null }

type Request = {
  name: string
  maxBytes: number
  resolve: (content: ObjectContent | null) => void
  reject: (reason: unknown) => void
}

type BatchOptions = { mode: 'contents' | 'headers'; signal: AbortSignal | undefined; restMs: number }

/** Git looks for a zero byte among the first 8000 (`buffer_is_binary` in xdiff-interface.c). */
const probeBytes = 8000
/** Requests written ahead of their answers. */
const window = 512
/** Fewer free places than this wait for more, since a write for each answer costs more than the answer. */
const writtenTogether = window / 2
/** Git is killed when it is silent for this long with requests open; the object it hangs on counts as missing. */
const silenceMs = 20_000
/** A repository that kills git more often than this is not worth going on with. */
const maxDeaths = 50

/**
 * One `git cat-file --batch` or `--batch-check` that answers requests in order, and is started again when a
 * damaged object makes it die. Format: https://git-scm.com/docs/git-cat-file#_batch_output
 */
class BatchProcess {
  private readonly place: GitPlace
  private readonly mode: BatchOptions['mode']
  private readonly signal: AbortSignal | undefined
  private readonly restMs: number
  private child: ChildProcessWithoutNullStreams | null = null
  private readonly asked: Request[] = []
  private readonly queued: Request[] = []
  private timer: NodeJS.Timeout | undefined
  private deaths = 0
  private isSending = false
  private ended: unknown = null
  /** The header line so far, then the body so far. */
  private line: Buffer[] = []
  private body: { header: ObjectContent; hash: Hash; left: number; at: number } | null = null
  /** Ids of objects whose content is another one's. */
  readonly forged = new Set<string>()
  /** Ids of objects that git takes for binary. */
  readonly binary = new Set<string>()

  constructor(place: GitPlace, { mode, signal, restMs }: BatchOptions) {
    this.place = place
    this.mode = mode
    this.signal = signal
    this.restMs = restMs
    signal?.addEventListener('abort', this.abort, { once: true })
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  /** `name` must hold no line feed. Null when git does not have it, or not with the content of that name; rejects after `close` or an abort. */
  ask(name: string, maxBytes: number): Promise<ObjectContent | null> {
    return new Promise((resolve, reject) => {
      if (this.signal?.aborted) this.ended ??= this.signal.reason
      if (this.ended) return reject(this.ended)
      this.queued.push({ name, maxBytes, resolve, reject })
      this.sendSoon()
    })
  }

  async close(): Promise<void> {
    this.signal?.removeEventListener('abort', this.abort)
    await this.end(new Error('The object reader is closed'))
  }

  private readonly abort = () => void this.end(this.signal?.reason)

  private async end(reason: unknown): Promise<void> {
    this.ended ??= reason
    clearTimeout(this.timer)
    for (const request of [...this.asked.splice(0), ...this.queued.splice(0)]) request.reject(this.ended)
    const { child } = this
    this.child = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    await new Promise<void>((resolve) => {
      child.on('close', () => resolve())
      child.on('error', () => resolve())
      child.kill('SIGKILL')
    })
  }

  /** Requests of one turn go in one write: each write is a system call that wakes git. */
  private sendSoon(): void {
    if (this.isSending) return
    this.isSending = true
    queueMicrotask(() => {
      this.isSending = false
      if (!this.ended) this.send()
    })
  }

  private send(): void {
    if (this.queued.length === 0 || this.asked.length > window - writtenTogether) return
    try {
      this.child ??= this.start()
    } catch (error) {
      return void this.end(error)
    }
    const more = this.queued.splice(0, window - this.asked.length)
    this.asked.push(...more)
    this.child.stdin.write(more.map(({ name }) => `${name}\n`).join(''))
    this.watch()
  }

  private start(): ChildProcessWithoutNullStreams {
    const flag = this.mode === 'contents' ? '--batch' : '--batch-check'
    const child = startGit(this.place, ['cat-file', flag])
    child.stdin.on('error', () => {})
    child.stderr.resume()
    child.stdout.on('data', (chunk: Buffer) => {
      if (child === this.child) this.take(chunk)
    })
    child.on('error', (error) => void this.end(startFailure(error)))
    const guard = watchMemory(child.pid, maxMemoryBytes, () => child.kill('SIGKILL'))
    child.on('close', (_, signal) => {
      clearInterval(guard)
      // Who else ends it, such as a system without memory, says nothing of what was asked.
      if (child === this.child) this.restart(signal === null || child.killed)
    })
    return child
  }

  /** Git died, `ofRequest` on the first open one: then that one is missing. The others are asked again. */
  private restart(ofRequest: boolean): void {
    this.child = null
    this.line = []
    this.body = null
    clearTimeout(this.timer)
    if (++this.deaths > maxDeaths)
      return void this.end(new UserError('git-failed', `git cat-file ended ${maxDeaths} times`))
    if (ofRequest) this.asked.shift()?.resolve(null)
    this.queued.unshift(...this.asked.splice(0))
    this.send()
  }

  private watch(): void {
    clearTimeout(this.timer)
    if (this.asked.length > 0) this.timer = setTimeout(() => this.child?.kill('SIGKILL'), silenceMs)
    else if (this.child) this.timer = setTimeout(() => this.rest(), this.restMs).unref()
  }

  /** The next question starts another. */
  private rest(): void {
    const { child } = this
    this.child = null
    child?.kill('SIGKILL')
  }

  private take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) at = this.body ? this.takeBody(chunk, at) : this.takeLine(chunk, at)
    this.watch()
    this.send()
  }

  private takeLine(chunk: Buffer, at: number): number {
    const feed = chunk.indexOf(0x0a, at)
    this.line.push(chunk.subarray(at, feed < 0 ? chunk.length : feed))
    if (feed < 0) return chunk.length
    const match = /^([0-9a-f]{40,64}) ([a-z]+) (\d+)$/.exec(Buffer.concat(this.line).toString('latin1'))
    this.line = []
    const header = match && { id: match[1] ?? '', type: match[2] ?? '', size: Number(match[3]), bytes: null }
    if (!header || this.mode === 'headers') this.answer(header)
    else {
      const wanted = header.size <= (this.asked[0]?.maxBytes ?? 0)
      const bytes = wanted ? Buffer.allocUnsafeSlow(header.size) : null
      const hash = createHash(header.id.length === 40 ? 'sha1' : 'sha256')
      hash.update(`${header.type} ${header.size}\0`)
      this.body = { header: { ...header, bytes }, hash, left: header.size + 1, at: 0 }
    }
    return feed + 1
  }

  /** Takes part of the body; the line feed behind it belongs to the protocol. */
  private takeBody(chunk: Buffer, at: number): number {
    const { body } = this
    if (!body) return at
    const end = Math.min(chunk.length, at + body.left)
    // Writing the closing line feed past the end of the buffer is cut off by `copy` itself.
    const probe = Math.max(0, probeBytes - body.at)
    if (chunk.subarray(at, Math.min(end, at + probe)).includes(0)) this.binary.add(body.header.id)
    body.hash.update(chunk.subarray(at, Math.min(end, at + body.left - 1)))
    if (body.header.bytes) chunk.copy(body.header.bytes, body.at, at, end)
    body.at += end - at
    body.left -= end - at
    if (body.left === 0) {
      this.body = null
      // Git takes the name of a loose object, and an index of packs, at its word.
      const isGenuine = body.hash.digest('hex') === body.header.id
      if (!isGenuine) this.forged.add(body.header.id)
      this.answer(isGenuine ? body.header : null)
    }
    return end
  }

  private answer(content: ObjectContent | null): void {
    this.asked.shift()?.resolve(content)
  }
}
