/**
 * A language server over stdio that behaves well or badly, by its first argument. It finds references by the letters of
 * the word, reads files from the folder it is given, and notes what it saw in the file that `NOTES` names.
 * Usage: node server.ts MODE.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const mode = process.argv[2] ?? 'good'
let root = ''
let asked = 0
let isReading = false
/** What is answered once our own question is. */
const waiting: (() => void)[] = []
let buffered = Buffer.alloc(0)

process.stdin.on('data', (chunk: Buffer) => {
  buffered = Buffer.concat([buffered, chunk])
  for (;;) {
    const end = buffered.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/Content-Length: (\d+)/i.exec(buffered.toString('latin1', 0, end))?.[1])
    if (buffered.length < end + 4 + length) return
    const text = buffered.toString('utf8', end + 4, end + 4 + length)
    buffered = buffered.subarray(end + 4 + length)
    hear(JSON.parse(text))
  }
})
process.stdin.on('end', () => process.exit(0))

type Message = { id?: number | string; method?: string; params?: { [key: string]: never } }

function hear({ id, method, params }: Message): void {
  switch (method) {
    case 'initialize':
      initialize(id, params)
      break
    case 'initialized':
      initialized()
      break
    case 'textDocument/didOpen':
      if (mode === 'publishes') publishTwice(params)
      break
    case 'textDocument/references':
      references(id, params)
      break
    case 'textDocument/definition':
      reply(id, { uri: pathToFileURL('/etc/passwd').href, range: range(0, 0) })
      break
    case 'textDocument/documentSymbol':
      reply(id, [{ name: 7 }])
      break
    default:
      if (id === 'q' && method === undefined) {
        isReading = false
        for (const answer of waiting.splice(0)) answer()
      }
      if (id !== undefined && method !== undefined) fail(id, -32601, `no ${method}`)
  }
}

function initialize(id: Message['id'], params: Message['params']): void {
  root = fileURLToPath((params as unknown as { rootUri: string }).rootUri)
  note(`environment ${Object.keys(process.env).sort().join(' ')}`)
  note(`files ${readdirSync(root, { recursive: true }).map(String).sort().join(' ')}`)
  const serverInfo = { name: 'fake', version: 'fake \u001b[31m1.2.3-beta; rm -rf' }
  switch (mode) {
    case 'hangs at initialize':
      break
    case 'crashes at initialize':
      process.stderr.write('cannot find my own feet\n')
      process.exit(3)
      break
    case 'refuses initialize':
      fail(id, -32603, 'not today')
      break
    case 'garbage':
      process.stdout.write('hello, I am a server\r\n\r\n')
      break
    case 'huge':
      process.stdout.write('Content-Length: 999999999999\r\n\r\n')
      break
    default:
      if (mode === 'children') note(`child ${spawn('sleep', ['600'], { stdio: 'ignore' }).pid}`)
      reply(id, { capabilities: {}, serverInfo })
  }
}

function initialized(): void {
  isReading = mode === 'progress' || mode === 'asks first'
  if (mode === 'asks first')
    send({ id: 'q', method: 'workspace/configuration', params: { items: [{ section: 'x' }] } })
  if (mode !== 'progress') return
  send({ method: '$/progress', params: { token: 1, value: { kind: 'begin', title: 'reading' } } })
  setTimeout(() => {
    isReading = false
    send({ method: '$/progress', params: { token: 1, value: { kind: 'end' } } })
  }, 300)
}

/** What it sees at first glance, and the rest a moment later. */
function publishTwice(params: Message['params']): void {
  const { uri } = (params as unknown as { textDocument: { uri: string } }).textDocument
  const publish = (...messages: string[]) => {
    const diagnostics = messages.map((message, line) => ({ range: range(line, 0), severity: 1, message }))
    send({ method: 'textDocument/publishDiagnostics', params: { uri, diagnostics } })
  }
  publish('first')
  setTimeout(() => publish('first', 'second'), 100)
}

function references(id: Message['id'], params: Message['params']): void {
  // A busy machine may ask before it has answered.
  if (mode === 'asks first' && isReading) {
    waiting.push(() => references(id, params))
    return
  }
  asked++
  const all = usesAt(params as unknown as Parameters<typeof usesAt>[0])
  switch (mode) {
    case 'hangs':
      break
    case 'crashes':
      process.kill(process.pid, 'SIGSEGV')
      break
    case 'floods':
      flood()
      break
    case 'grows':
      grow()
      break
    case 'nonsense':
      reply(id, { uri: 12, range: 'here' })
      break
    case 'refuses':
      fail(id, -32000, 'no identifier found')
      break
    case 'incomplete first':
      reply(id, all.slice(0, asked - 1))
      break
    case 'never agrees':
      reply(id, all.slice(0, asked % 2))
      break
    case 'outside':
      reply(id, [{ uri: pathToFileURL('/etc/passwd').href, range: range(0, 0) }, ...all, ...all])
      break
    default:
      reply(id, isReading ? [] : all)
  }
}

/** Every place with the word at the position, but for the first. */
function usesAt(at: {
  textDocument: { uri: string }
  position: { line: number; character: number }
}): object[] {
  const line = readFileSync(fileURLToPath(at.textDocument.uri), 'utf8').split('\n')[at.position.line] ?? ''
  const word = /^\w+/.exec(line.slice(at.position.character))?.[0] ?? '?'
  const uses = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((text, number) =>
          [...text.matchAll(new RegExp(`\\b${word}\\b`, 'g'))].map(({ index }) => ({
            uri: pathToFileURL(path).href,
            range: range(number, index, word.length),
          })),
        ),
    )
  return uses.slice(1).reverse()
}

function flood(): void {
  const text = 'x'.repeat(1_000_000)
  const more = () => {
    while (send({ method: 'window/logMessage', params: { type: 4, message: text } }));
    process.stdout.once('drain', more)
  }
  more()
}

function grow(): void {
  const held: Buffer[] = []
  setInterval(() => held.push(Buffer.alloc(20_000_000, 1)), 20)
}

function range(line: number, character: number, length = 1): object {
  return { start: { line, character }, end: { line, character: character + length } }
}

function reply(id: Message['id'], result: unknown): void {
  send({ id, result })
}

function fail(id: Message['id'], code: number, message: string): void {
  send({ id, error: { code, message } })
}

function send(message: object): boolean {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message })
  return process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

function note(line: string): void {
  if (process.env.NOTES) appendFileSync(process.env.NOTES, `${line}\n`)
}
