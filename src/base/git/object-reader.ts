/** Reads objects through long-lived `git cat-file` processes: one for contents, one for headers. */
import { BatchProcess, type ObjectContent, type ObjectHeader } from './batch-process.ts'
import type { GitPlace } from './run.ts'

export class ObjectReader {
  private readonly contents: BatchProcess
  private readonly headers: BatchProcess

  constructor(place: GitPlace, signal?: AbortSignal) {
    this.contents = new BatchProcess(place, 'contents', signal)
    this.headers = new BatchProcess(place, 'headers', signal)
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

  /** Those of the ids whose content is not what they say: all are unpacked. What is missing is not among them. */
  async forgedAmong(ids: Iterable<string>): Promise<ReadonlySet<string>> {
    await Promise.all([...new Set(ids)].map((id) => this.contents.ask(id, 0)))
    return this.contents.forged
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
      for (; next < ids.length && next < done + ahead; next++) {
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
