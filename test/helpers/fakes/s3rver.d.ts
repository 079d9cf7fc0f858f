/** The part of s3rver, which has no types, that tests use. */
declare module '@20minutes/s3rver' {
  type Context = {
    method: string
    path: string
    headers: Record<string, string | undefined>
    req: { resume(): void }
    status: number
    type: string
    body: string
  }

  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      allowMismatchedSignatures: boolean
      directory: string
      configureBuckets: readonly { name: string }[]
    })
    readonly middleware: ((context: Context, next: () => Promise<void>) => Promise<unknown>)[]
    readonly store: {
      getObject(bucket: string, key: string): Promise<{ content: AsyncIterable<Uint8Array> } | null>
    }
    readonly httpServer: import('node:http').Server
    run(): Promise<{ address: string; port: number }>
    close(): Promise<void>
  }
}
