/**
 * A real S3 server on loopback that keeps its objects in a temporary folder. s3rver ignores the conditions of a write
 * (`If-None-Match: *`, `If-Match`), so they are checked in front of it, one write at a time, as S3 itself does.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

export type FakeS3 = AsyncDisposable & {
  endpoint: string
  bucket: string
  /** `PUT /bucket/key` …, in order. */
  readonly requests: readonly string[]
  /** For each request: `fail` answers 503 and does nothing, `lose` does it and answers 503, null answers as S3 does. */
  intercept: ((line: string) => 'fail' | 'lose' | null) | null
  /** Environment that a client needs. */
  environment: Record<string, string>
  close(): Promise<void>
}

export type FakeS3Options = {
  /** Without them a conditional write is a plain one, as on servers that do not know them. */
  checksConditions?: boolean
}

const bucket = 'reviews'

export async function startFakeS3({ checksConditions = true }: FakeS3Options = {}): Promise<FakeS3> {
  const requests: string[] = []
  const directory = mkdtempSync(join(tmpdir(), 'sightline-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    // It canonicalizes the query of a listing in another way than the SDK.
    allowMismatchedSignatures: true,
    directory,
    configureBuckets: [{ name: bucket }],
  })
  let last: Promise<unknown> = Promise.resolve()
  const fake: Pick<FakeS3, 'intercept'> = { intercept: null }
  server.middleware.unshift(async (context, next) => {
    const line = `${context.method} ${decodeURIComponent(context.path)}`
    requests.push(line)
    const done = fake.intercept?.(line) ?? null
    if (done === 'lose') await next()
    else if (done === 'fail') context.req.resume()
    if (done !== null) {
      context.status = 503
      context.type = 'application/xml'
      context.body = '<Error><Code>ServiceUnavailable</Code><Message>down for a test</Message></Error>'
      return
    }
    if (context.method !== 'PUT' || !checksConditions) {
      await next()
      return
    }
    const turn = last.then(async () => {
      const key = decodeURIComponent(context.path).slice(`/${bucket}/`.length)
      const there = await server.store.getObject(bucket, key).catch(() => null)
      const etag = there && (await etagOf(there.content))
      const isAbsentWanted = context.headers['if-none-match'] === '*'
      const wanted = context.headers['if-match']
      if ((isAbsentWanted && there) || (wanted !== undefined && wanted !== etag)) {
        context.req.resume()
        context.status = 412
        context.type = 'application/xml'
        context.body =
          '<Error><Code>PreconditionFailed</Code><Message>a condition does not hold</Message></Error>'
        return
      }
      await next()
    })
    last = turn.catch(() => {})
    await turn
  })
  const { port } = await server.run()
  const close = async () => {
    server.httpServer.closeAllConnections()
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  }
  return Object.assign(fake, {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    requests,
    environment: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', AWS_REGION: 'eu-central-1' },
    close,
    [Symbol.asyncDispose]: close,
  })
}

async function etagOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('md5')
  for await (const part of content) hash.update(part)
  return `"${hash.digest('hex')}"`
}
