/**
 * Runs in a bucket, which any number of machines share. While a run is on it is a row of numbered segments, each with lines
 * of its log and the objects that they name; when it is over it is one object, in the form of an exported run. Objects are
 * not shared between runs, so that a run is removed by its name alone.
 */
import { randomBytes } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { sha256 } from '../../../base/canonical-json.ts'
import { UserError } from '../../../base/errors.ts'
import { isOfThisMachine, ownerMayBeRunning, ownMark } from '../../../base/process-mark.ts'
import {
  type RunRecord,
  type RunStore,
  type RunWriter,
  runName,
  type Swept,
  storeFormat,
} from '../contract.ts'
import { largestPack, packRun, type RunTexts, unpackRun } from '../transfer.ts'
import { type Bucket, type BucketOptions, type Listed, openBucket } from './bucket.ts'
import {
  answerKey,
  atOnce,
  claimKey,
  nameIn,
  openKey,
  removeAll,
  sealedKey,
  segmentKey,
  segmentsKey,
} from './keys.ts'
import { BucketRunWriter } from './run-writer.ts'

const day = 24 * 60 * 60 * 1000
/** A run of another machine that wrote nothing for so long was killed. */
const leaseMs = 30 * 60 * 1000
/** A question that another machine has been asking for so long is asked again. */
const claimMs = 15 * 60 * 1000
const smallObject = 64 * 1024

export type BucketStoreOptions = BucketOptions & {
  /** One step of a path. */
  tenant: string
  keyFolder: string
}

/** Asks the bucket nothing yet. Rejects with `run-store-refused` where its client is not installed. */
export async function openBucketStore({
  tenant,
  keyFolder,
  ...options
}: BucketStoreOptions): Promise<RunStore> {
  const url = tenantUrl(options.url, tenant)
  return new BucketRunStore(await openBucket({ ...options, url }), keyFolder)
}

/** Deletes everything of a tenant, also runs that are on. Returns how many objects it was. Rejects as a `RunStore` does. */
export async function emptyBucketStore({
  tenant,
  ...options
}: Omit<BucketStoreOptions, 'keyFolder'>): Promise<number> {
  const bucket = await openBucket({ ...options, url: tenantUrl(options.url, tenant) })
  let removed = 0
  // One listing is not all of a large store, and a run that is on may write until its worker has heard.
  for (;;) {
    const listed = await bucket.list('')
    if (listed.length === 0) return removed
    const keys = listed.map(({ key }) => key)
    await removeAll(bucket, keys)
    removed += keys.length
  }
}

function tenantUrl(url: string, tenant: string): string {
  return `${url.replace(/\/$/, '')}/tenants/${tenant}`
}

class BucketRunStore implements RunStore {
  readonly address: string
  readonly keyFolder: string
  private readonly bucket: Bucket

  constructor(bucket: Bucket, keyFolder: string) {
    this.address = bucket.address
    this.keyFolder = keyFolder
    this.bucket = bucket
  }

  async format(): Promise<number | null> {
    const mark = await this.bucket.get('FORMAT', smallObject)
    return mark && Number(mark.bytes.toString('utf8'))
  }

  /** Rejects with `run-store-refused` for a server that takes a conditional write for a plain one: two writers could win. */
  async prepare(): Promise<void> {
    const mark = Buffer.from(`${storeFormat}\n`)
    if (await this.bucket.putIf('FORMAT', mark, { IfNoneMatch: '*' })) {
      if (!(await this.bucket.putIf('FORMAT', mark, { IfNoneMatch: '*' }))) return
      throw new UserError(
        'run-store-refused',
        `${this.address}: the server ignores If-None-Match, without which two runs could overwrite each other`,
      )
    }
    if ((await this.format()) !== storeFormat) await this.bucket.put('FORMAT', mark)
  }

  async names(): Promise<string[]> {
    const found = await this.bucket.list('runs/', { isFlat: true })
    return [...new Set(found.map(({ key }) => nameIn(key)))]
      .filter((name) => runName.test(name))
      .sort()
      .reverse()
  }

  async create(run: string): Promise<RunWriter | null> {
    const mark = Buffer.from(`${ownMark()} ${randomBytes(8).toString('hex')}\n`)
    if (!(await this.bucket.putNew(openKey(run), mark))) return null
    if ((await this.bucket.list(sealedKey(run))).length === 0) return new BucketRunWriter(this.bucket, run)
    await this.bucket.remove(openKey(run))
    return null
  }

  async read(run: string): Promise<RunRecord | null> {
    if (!runName.test(run)) return null
    // A run that is sealed between the two looks has lost its segments by the second.
    for (const _ of [1, 2]) {
      const sealed = await this.bucket.get(sealedKey(run), largestPack)
      if (sealed) {
        const texts = unpackRun(sealed.bytes, `run ${run}`)
        return recordOf(texts, { isOpen: false, bytes: sealed.bytes.length })
      }
      const listed = await this.bucket.list(segmentsKey(run))
      if (listed.length === 0) continue
      const texts = await this.readSegments(run, listed)
      if (texts) return recordOf(texts, { isOpen: await this.isOpen(run, listed), bytes: sizeOf(listed) })
    }
    return null
  }

  async add(run: string, lines: readonly string[], objects: ReadonlyMap<string, string>): Promise<boolean> {
    await this.prepare()
    if ((await this.bucket.list(segmentsKey(run))).length > 0) return false
    return await this.bucket.putNew(sealedKey(run), packRun({ lines, objects }))
  }

  async *answers(key: string): AsyncGenerator<string> {
    const stored = await this.bucket.get(answerKey(key), largestPack)
    const text = stored && unzipped(stored.bytes)
    if (text) yield text
  }

  async claim(key: string, run: string): Promise<boolean> {
    const mark = claimMark(run)
    try {
      if (await this.bucket.putNew(claimKey(key), mark)) return true
      const held = await this.bucket.get(claimKey(key), smallObject)
      if (!held) return await this.bucket.putNew(claimKey(key), mark)
      const isHeld = mayRun(held.bytes.toString('utf8'), held.modifiedAt, claimMs)
      return !isHeld && (await this.bucket.putOver(claimKey(key), mark, held.etag))
    } catch {
      return true
    }
  }

  async release(key: string, run: string): Promise<void> {
    try {
      const held = await this.bucket.get(claimKey(key), smallObject)
      if (held?.bytes.equals(claimMark(run))) await this.bucket.remove(claimKey(key))
    } catch {
      // It is taken over when it is old.
    }
  }

  async sweep(keepDays: number, now: Date): Promise<Swept> {
    const ageOf = ({ modifiedAt }: Listed) => now.getTime() - modifiedAt
    const gone: string[] = []
    let runs = 0
    for (const [run, listed] of Map.groupBy(await this.bucket.list('runs/'), ({ key }) => nameIn(key))) {
      const isYoung = listed.some((one) => ageOf(one) < keepDays * day)
      const isSealed = listed.some(({ key }) => key === sealedKey(run))
      if (isYoung || (!isSealed && (await this.isOpen(run, listed)))) {
        // What a writer that was killed while it sealed did not remove any more.
        if (isSealed) gone.push(...listed.flatMap(({ key }) => (key === sealedKey(run) ? [] : [key])))
        continue
      }
      runs++
      gone.push(...listed.map(({ key }) => key))
    }
    const answers = (await this.bucket.list('answers/')).filter((one) => ageOf(one) >= keepDays * day)
    const claims = (await this.bucket.list('claims/')).filter((one) => ageOf(one) >= day)
    await removeAll(this.bucket, [...gone, ...[...answers, ...claims].map(({ key }) => key)])
    return { runs, objects: gone.length, answers: answers.length }
  }

  async lastSweep(): Promise<string> {
    return (await this.bucket.get('SWEPT', smallObject))?.bytes.toString('utf8') ?? ''
  }

  async setLastSweep(mark: string): Promise<void> {
    await this.bucket.put('SWEPT', Buffer.from(mark))
  }

  async lastWritten(except: string): Promise<number | null> {
    const newest = (await this.names()).find((name) => name !== except)
    if (newest === undefined) return null
    return Math.max(...(await this.bucket.list(`runs/${newest}`)).map(({ modifiedAt }) => modifiedAt))
  }

  /** Up to the first that is missing; null when one that was listed has been removed since. */
  private async readSegments(run: string, listed: readonly Listed[]): Promise<RunTexts | null> {
    if (sizeOf(listed) > largestPack) throw new UserError('run-unreadable', `run ${run}: it is too large`)
    const there = new Set(listed.map(({ key }) => key))
    const lines: string[] = []
    const objects = new Map<string, string>()
    for (let at = 1; there.has(segmentKey(run, at)); at += atOnce) {
      const keys = Array.from({ length: atOnce }, (_, index) => segmentKey(run, at + index))
      const gap = keys.findIndex((key) => !there.has(key))
      const whole = gap < 0 ? keys : keys.slice(0, gap)
      const read = await Promise.all(whole.map((key) => this.bucket.get(key, largestPack)))
      for (const stored of read) {
        if (!stored) return null
        const part = unpackRun(stored.bytes, `run ${run}`)
        for (const line of part.lines) lines.push(line)
        for (const [name, content] of part.objects) objects.set(name, content)
      }
      if (gap >= 0) break
    }
    return { lines, objects }
  }

  private async isOpen(run: string, listed: readonly Listed[]): Promise<boolean> {
    const mark = await this.bucket.get(openKey(run), smallObject)
    const newest = Math.max(...listed.map(({ modifiedAt }) => modifiedAt))
    return mark !== null && mayRun(mark.bytes.toString('utf8'), newest, leaseMs)
  }
}

function recordOf(
  { lines, objects }: RunTexts,
  { isOpen, bytes }: { isOpen: boolean; bytes: number },
): RunRecord {
  const whole = (name: string): string | null => {
    const content = objects.get(name)
    return content !== undefined && sha256(content) === name ? content : null
  }
  return {
    lines,
    isOpen,
    object: async (name) => whole(name),
    measure: async (names) => ({ bytes, missing: [...names].filter((name) => whole(name) === null).length }),
  }
}

/** Of a process of this machine it is known; of others only how long ago they were heard of. */
function mayRun(mark: string, heardAt: number, limitMs: number): boolean {
  return isOfThisMachine(mark) ? ownerMayBeRunning(mark) : Date.now() - heardAt < limitMs
}

function unzipped(bytes: Uint8Array): string | null {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: largestPack }).toString('utf8')
  } catch {
    return null
  }
}

function sizeOf(listed: readonly Listed[]): number {
  return listed.reduce((sum, { bytes }) => sum + bytes, 0)
}

function claimMark(run: string): Buffer {
  return Buffer.from(`${ownMark()} ${run}\n`)
}
