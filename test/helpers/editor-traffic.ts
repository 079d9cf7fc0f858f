/** What an editor and our server said to each other, and whether the types of the official protocol accept all that we sent. */
import { execFile } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as protocol from 'vscode-languageserver-protocol/node'
import { temporaryFolder } from './git-repo.ts'
import { root } from './sightline.ts'

type Message = {
  id?: number | string | null
  method?: string
  params?: unknown
  result?: unknown
  error?: unknown
}

/** Messages as they are on the wire, in the order of their arrival. Bytes may be cut anywhere. */
export class Traffic {
  readonly sent: Message[] = []
  /** Of requests of the editor, by id. */
  private readonly asked = new Map<string, string>()
  private readonly pending = { editor: Buffer.alloc(0), server: Buffer.alloc(0) }

  ofEditor(bytes: Buffer): void {
    for (const { id, method } of this.messagesOf('editor', bytes))
      if (id !== undefined && method !== undefined) this.asked.set(JSON.stringify(id), method)
  }

  ofServer(bytes: Buffer): void {
    this.sent.push(...this.messagesOf('server', bytes))
  }

  /** The method that a message has or answers. Throws for an answer to nothing. */
  methodOf({ id, method }: Message): string {
    const found = method ?? this.asked.get(JSON.stringify(id))
    if (found === undefined) throw new Error(`Nothing was asked with the id ${id}.`)
    return found
  }

  private messagesOf(side: 'editor' | 'server', bytes: Buffer): Message[] {
    let rest = Buffer.concat([this.pending[side], bytes])
    const found: Message[] = []
    for (;;) {
      const head = rest.indexOf('\r\n\r\n')
      const length = Number(/^Content-Length: (\d+)$/m.exec(rest.subarray(0, head).toString('latin1'))?.[1])
      const end = head + 4 + length
      if (head < 0 || rest.length < end) break
      found.push(JSON.parse(rest.subarray(head + 4, end).toString('utf8')))
      rest = rest.subarray(end)
    }
    this.pending[side] = rest
    return found
  }
}

/**
 * What the compiler says of a program that holds each message as a value of its type; empty where it accepts all. To the types a
 * number is a number; that a place is counted in `uinteger` is checked beside it.
 */
export async function typeFaults(all: readonly Traffic[]): Promise<string> {
  const sent = JSON.stringify(all.map((traffic) => traffic.sent))
  const places = [...sent.matchAll(/"(?:line|character)":([^,}]*)/g)]
  const odd = places.filter(([, number]) => !protocol.uinteger.is(Number(number)))
  if (odd.length > 0) return odd.map(([words]) => `${words} is no place`).join('\n')
  const values = all.flatMap((traffic) => traffic.sent.map((message) => typedValue(message, traffic)))
  const lines = [...new Set(values)].map((value, at) => `export const m${at}: ${value}`)
  if (lines.length === 0) throw new Error('Nothing was sent.')
  const folder = temporaryFolder()
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'messages.ts'), `${types}\n${lines.join('\n')}\n`)
  const options = { strict: true, noEmit: true, module: 'nodenext', skipLibCheck: true, types: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
  const tsc = join(root, 'node_modules/.bin/tsc')
  return await promisify(execFile)(process.execPath, [tsc, '-p', folder]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
}

const types = `import type * as p from 'vscode-languageserver-protocol/node'
type Params<T> =
  T extends p.ProtocolRequestType<infer P, infer _R, infer _PR, infer _E, infer _O> ? P
  : T extends p.ProtocolNotificationType<infer P, infer _O> ? P
  : T extends p.ProtocolRequestType0<infer _R, infer _PR, infer _E, infer _O> ? undefined
  : never
// What has no value is null in JSON.
type Value<R> = R | (void extends R ? null : never)
type Result<T> =
  T extends p.ProtocolRequestType<infer _P, infer R, infer _PR, infer _E, infer _O> ? Value<R>
  : T extends p.ProtocolRequestType0<infer R, infer _PR, infer _E, infer _O> ? Value<R>
  : never
type Progress = p.WorkDoneProgressBegin | p.WorkDoneProgressReport | p.WorkDoneProgressEnd
type Error = { code: p.integer; message: string; data?: p.LSPAny }`

/** `TYPE = VALUE`: the types complain of keys that they do not know only in a value that is written out. */
function typedValue(message: Message, traffic: Traffic): string {
  const { params, result, error } = message
  if (error !== undefined) return `Error = ${JSON.stringify(error)}`
  const method = traffic.methodOf(message)
  if (method === '$/progress') {
    const { value } = params as { value: unknown }
    return `Progress = ${JSON.stringify(value)}`
  }
  const kind = message.method === undefined ? 'Result' : 'Params'
  const value = kind === 'Result' ? result : params
  return `${kind}<typeof p.${nameOf(method)}.type> = ${JSON.stringify(value)}`
}

/** Of the export of the protocol that has the method. Throws for a method that the protocol does not have. */
function nameOf(method: string): string {
  const found = Object.entries(protocol).find(
    ([, one]) => (one as { type?: { method?: unknown } }).type?.method === method,
  )
  if (!found) throw new Error(`${method} is not a method of the protocol.`)
  return found[0]
}
