/** Writes one run into a bucket: segments while it is on, and one object when it is over. */
import { zstdCompressSync } from 'node:zlib'
import { UserError } from '../../../base/errors.ts'
import type { RunWriter } from '../contract.ts'
import { packRun, unpackRun } from '../transfer.ts'
import type { Bucket } from './bucket.ts'
import { answerKey, openKey, removeAll, sealedKey, segmentKey } from './keys.ts'

/** Lines wait here for the next that must be kept at once; what was put before them goes with them. */
export class BucketRunWriter implements RunWriter {
  private readonly bucket: Bucket
  private readonly run: string
  /** All of the run, for the seal. */
  private readonly lines: string[] = []
  private readonly objects = new Map<string, string>()
  private waiting: { lines: string[]; objects: Map<string, string> } = { lines: [], objects: new Map() }
  private segments = 0
  private tail: Promise<void> = Promise.resolve()
  private isClosed = false

  constructor(bucket: Bucket, run: string) {
    this.bucket = bucket
    this.run = run
  }

  async put(name: string, content: string): Promise<void> {
    if (this.objects.has(name)) return
    this.objects.set(name, content)
    this.waiting.objects.set(name, content)
  }

  async putAnswer(key: string, name: string, content: string): Promise<void> {
    await Promise.all([
      this.put(name, content),
      this.bucket.put(answerKey(key), zstdCompressSync(Buffer.from(content, 'utf8'))),
    ])
  }

  async get(name: string): Promise<string | null> {
    return this.objects.get(name) ?? null
  }

  async append(line: string, { sync }: { sync: boolean }): Promise<void> {
    if (this.isClosed) return
    this.lines.push(line)
    this.waiting.lines.push(line)
    if (sync) await this.flush()
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    await this.flush()
    await this.seal()
  }

  /** One after the other; after one that failed all others do. */
  private flush(): Promise<void> {
    this.tail = this.tail.then(() => this.writeSegment())
    return this.tail
  }

  private async writeSegment(): Promise<void> {
    const { lines, objects } = this.waiting
    if (lines.length === 0) return
    this.waiting = { lines: [], objects: new Map() }
    this.segments++
    const key = segmentKey(this.run, this.segments)
    if (await this.bucket.putNew(key, packRun({ lines, objects }))) return
    throw new UserError('run-store-unavailable', `${this.bucket.address}: another process writes ${key}`)
  }

  /** A run that could not be read back as one object stays in its segments. */
  private async seal(): Promise<void> {
    const bytes = packRun({ lines: this.lines, objects: this.objects })
    try {
      unpackRun(bytes, `run ${this.run}`)
    } catch {
      return
    }
    await this.bucket.putNew(sealedKey(this.run), bytes)
    const keys = Array.from({ length: this.segments }, (_, at) => segmentKey(this.run, at + 1))
    // The next sweep removes what is not removed now.
    await removeAll(this.bucket, [...keys, openKey(this.run)]).catch(() => {})
  }
}
