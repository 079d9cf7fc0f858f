/**
 * Loaded into a process under test: it may open connections to one port of this machine and no others. Each attempt to
 * go elsewhere is refused and written to a file. Variables: `GUARD_PORT` (empty allows none), `GUARD_LOG`.
 */
import { appendFileSync } from 'node:fs'
import net from 'node:net'

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args
  const {
    port,
    host = 'localhost',
    path,
  } = typeof first === 'object' ? first : { port: first, host: args[1] }
  const isAllowed =
    path !== undefined ||
    (['127.0.0.1', 'localhost', '::1'].includes(host) && String(port) === process.env.GUARD_PORT)
  if (isAllowed) return connect.apply(this, args)
  appendFileSync(process.env.GUARD_LOG, `${host}:${port}\n`)
  this.destroy(new Error(`the test allows no connection to ${host}:${port}`))
  return this
}
