/**
 * Starts processes for a worker that has grown: to copy the page tables of some hundred megabytes costs many times what git
 * itself does. Requests come line by line through one pipe and are answered through another, so that the worker can wait for
 * them; for each process that it talks to it opens three connections before it asks, which become that process's channels.
 */
import { spawn } from 'node:child_process'
import { openSync, writeSync } from 'node:fs'
import { createServer, Socket } from 'node:net'
import { createInterface } from 'node:readline'

const [, , socketPath, requestsPath, answersPath] = process.argv
/** Connections that no request has taken yet, in the order in which they were opened; the first tells who ended. */
const opened = []
let ends = null
let whenOpened = () => {}

createServer({ pauseOnConnect: true }, (socket) => {
  socket.on('error', () => {})
  if (ends === null) {
    ends = socket
    // The worker ended.
    socket.on('close', () => process.exit()).resume()
    return
  }
  opened.push(socket)
  whenOpened()
}).listen(socketPath, () => {
  const requests = new Socket({ fd: openSync(requestsPath, 'r'), readable: true, writable: false })
  const answers = openSync(answersPath, 'w')
  const answer = (value) => writeSync(answers, `${JSON.stringify(value)}\n`)
  createInterface({ input: requests }).on('line', async (line) => {
    const { id, file, args, options, whole } = JSON.parse(line)
    if (whole) return answer(await runToItsEnd(file, args, options))
    while (opened.length < 3) await new Promise((done) => (whenOpened = done))
    const channels = opened.splice(0, 3)
    const { stdio = 'pipe' } = options
    const isIgnored = (at) => (Array.isArray(stdio) ? stdio[at] : stdio) === 'ignore'
    const given = channels.map((channel, at) => (isIgnored(at) ? 'ignore' : channel))
    const child = spawn(file, args, { ...options, stdio: given })
    for (const channel of channels) channel.destroy()
    if (child.pid !== undefined) answer({ pid: child.pid })
    child.on('error', ({ code, message, syscall, errno }) => answer({ code, message, syscall, errno }))
    child.on('exit', (code, signal) => ends.write(`${JSON.stringify({ id, code, signal })}\n`))
  })
})

function runToItsEnd(file, args, { input, ...options }) {
  return new Promise((done) => {
    const child = spawn(file, args, options)
    child.stdin.on('error', () => {}).end(input, 'base64')
    const pieces = { stdout: [], stderr: [] }
    const texts = () => {
      const [stdout, stderr] = [pieces.stdout, pieces.stderr].map((all) =>
        Buffer.concat(all).toString('base64'),
      )
      return { stdout, stderr }
    }
    for (const name of ['stdout', 'stderr']) child[name].on('data', (piece) => pieces[name].push(piece))
    child.on('error', ({ code, message, syscall, errno }) => {
      const words = message.replace(/^spawn /, '')
      done({ ...texts(), failed: { code, message: words, syscall, errno } })
    })
    child.on('close', (code, signal) => done({ ...texts(), code, signal }))
  })
}
