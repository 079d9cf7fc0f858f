/**
 * The few operations on a bucket that runs need, with every failure as a `UserError`: `run-store-refused` for what the
 * operator has to change (keys, name, region, rights), `run-store-unavailable` for what may pass. Retries, time limits and
 * keys are the SDK's; it is loaded only when a bucket is configured.
 */
import type { S3Client } from '@aws-sdk/client-s3'
import { UserError } from '../../../base/errors.ts'

export type BucketOptions = {
  /** `s3://bucket/prefix`. */
  url: string
  region?: string | undefined
  endpoint?: string | undefined
  pathStyle: boolean
}

export type Stored = { bytes: Buffer; etag: string; modifiedAt: number }
export type Listed = { key: string; bytes: number; modifiedAt: number }

const tries = 3
const connectMs = 5_000
const requestMs = 30_000
/** A listing with more names is no store of runs. */
const mostListed = 200_000

type Sdk = typeof import('@aws-sdk/client-s3')

export async function openBucket(options: BucketOptions): Promise<Bucket> {
  const sdk = await import('@aws-sdk/client-s3').catch((cause: unknown) => {
    throw new UserError(
      'run-store-refused',
      `runs are to be kept in ${options.url}, and the package @aws-sdk/client-s3 is not installed`,
      { cause },
    )
  })
  return new Bucket(sdk, options)
}

export class Bucket {
  /** `s3://bucket/prefix`. */
  readonly address: string
  private readonly sdk: Sdk
  private readonly client: S3Client
  private readonly name: string
  private readonly prefix: string

  constructor(sdk: Sdk, { url, region, endpoint, pathStyle }: BucketOptions) {
    const [name = '', ...path] = url.slice('s3://'.length).split('/')
    this.sdk = sdk
    this.address = url.replace(/\/$/, '')
    this.name = name
    this.prefix = path.filter((step) => step !== '').join('/')
    // Servers other than AWS rarely care for the region, and the SDK does.
    const where = region ?? (endpoint === undefined ? undefined : 'us-east-1')
    this.client = new sdk.S3Client({
      ...(where === undefined ? {} : { region: where }),
      ...(endpoint === undefined ? {} : { endpoint }),
      forcePathStyle: pathStyle,
      maxAttempts: tries,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: connectMs,
        requestTimeout: requestMs,
        throwOnRequestTimeout: true,
      },
    })
  }

  /** Null when it is not there, or larger than `largest` bytes. */
  async get(key: string, largest: number): Promise<Stored | null> {
    return await this.attempt(async () => {
      const {
        Body,
        ContentLength = 0,
        ETag = '',
        LastModified,
      } = await this.client.send(new this.sdk.GetObjectCommand(this.at(key)))
      if (!Body) return null
      if (ContentLength > largest) {
        if ('destroy' in Body) Body.destroy()
        return null
      }
      const bytes = Buffer.from(await Body.transformToByteArray())
      return { bytes, etag: ETag, modifiedAt: LastModified?.getTime() ?? 0 }
    }, ['NoSuchKey', 'NotFound'])
  }

  /** Replaces what is there. */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.attempt(() =>
      this.client.send(new this.sdk.PutObjectCommand({ ...this.at(key), Body: bytes })),
    )
  }

  /**
   * Of several writers of one new key one gets true. It gets it also when its own first try had arrived and only the answer
   * was lost: the bytes of a writer are its own.
   */
  async putNew(key: string, bytes: Uint8Array): Promise<boolean> {
    if (await this.putIf(key, bytes, { IfNoneMatch: '*' })) return true
    return (await this.get(key, bytes.length))?.bytes.equals(bytes) ?? false
  }

  /** False when another one has been quicker: what is there is no longer what has this `etag`. */
  async putOver(key: string, bytes: Uint8Array, etag: string): Promise<boolean> {
    return await this.putIf(key, bytes, { IfMatch: etag })
  }

  /** False when the condition does not hold. */
  async putIf(
    key: string,
    bytes: Uint8Array,
    condition: { IfNoneMatch: '*' } | { IfMatch: string },
  ): Promise<boolean> {
    const command = new this.sdk.PutObjectCommand({ ...this.at(key), Body: bytes, ...condition })
    const written = await this.attempt(
      () => this.client.send(command),
      ['PreconditionFailed', 'ConditionalRequestConflict', 'NoSuchKey'],
    )
    return written !== null
  }

  /** What is not there is no fault. */
  async remove(key: string): Promise<void> {
    await this.attempt(() => this.client.send(new this.sdk.DeleteObjectCommand(this.at(key))), ['NoSuchKey'])
  }

  /** In the order of the keys. With `isFlat`, what lies deeper is one entry that ends with `/` and has no time. */
  async list(prefix: string, { isFlat = false } = {}): Promise<Listed[]> {
    const found: Listed[] = []
    let next: string | undefined
    do {
      const page = await this.attempt(() =>
        this.client.send(
          new this.sdk.ListObjectsV2Command({
            Bucket: this.name,
            Prefix: this.pathOf(prefix),
            ...(isFlat ? { Delimiter: '/' } : {}),
            ...(next === undefined ? {} : { ContinuationToken: next }),
          }),
        ),
      )
      for (const { Key = '', Size = 0, LastModified } of page?.Contents ?? [])
        found.push({ key: this.keyOf(Key), bytes: Size, modifiedAt: LastModified?.getTime() ?? 0 })
      for (const { Prefix = '' } of page?.CommonPrefixes ?? [])
        found.push({ key: this.keyOf(Prefix), bytes: 0, modifiedAt: 0 })
      next = page?.IsTruncated ? page.NextContinuationToken : undefined
    } while (next !== undefined && found.length < mostListed)
    return found
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.name, Key: this.pathOf(key) }
  }

  private pathOf(key: string): string {
    return this.prefix === '' ? key : `${this.prefix}/${key}`
  }

  private keyOf(path: string): string {
    return this.prefix === '' ? path : path.slice(this.prefix.length + 1)
  }

  /** Null for the errors that are an answer. */
  private async attempt<Result>(
    work: () => Promise<Result>,
    answers: readonly string[] = [],
  ): Promise<Result | null> {
    try {
      return await work()
    } catch (error) {
      const { name, message, status, isOurs } = faultIn(error)
      if (answers.includes(name) || (status === 412 && answers.includes('PreconditionFailed'))) return null
      const code = isOurs || isRefusal(name, status) ? 'run-store-refused' : 'run-store-unavailable'
      throw new UserError(
        code,
        `${this.address}: ${[name === 'Error' ? '' : name, message].filter(Boolean).join(': ')}`,
        {
          cause: error,
        },
      )
    }
  }
}

type Fault = {
  name: string
  message: string
  status: number | null
  /** The SDK says it without having asked: the region is missing. */
  isOurs: boolean
}

function faultIn(error: unknown): Fault {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), status: null, isOurs: false }
  const metadata: unknown = Reflect.get(error, '$metadata')
  const status: unknown = metadata instanceof Object ? Reflect.get(metadata, 'httpStatusCode') : null
  // What a server says is foreign, and may be long.
  const message = error.message.replace(/\s+/g, ' ').slice(0, 200)
  const isOurs = error.name === 'Error' && metadata === undefined && !('code' in error)
  return { name: error.name, message, status: typeof status === 'number' ? status : null, isOurs }
}

/** Trying again would not help: keys, rights, region, or the bucket itself. */
function isRefusal(name: string, status: number | null): boolean {
  if (/^(?:CredentialsProviderError|TokenProviderError|InvalidBucketName|NoSuchBucket)$/.test(name))
    return true
  return status !== null && status >= 300 && status < 500 && status !== 408 && status !== 429
}
