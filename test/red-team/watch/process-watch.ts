/**
 * Sees what the whole process does while models play: children that start, sockets that open, files that are touched.
 * It listens to Node itself (diagnostics channels, the functions of `fs`), below everything that the product could do.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createRequire, syncBuiltinESMExports } from 'node:module'

export type Sightings = { children: string[]; sockets: string[]; writes: string[]; reads: string[] }

export type ProcessWatch = {
  /** Whole once it has stopped. */
  readonly seen: Sightings
  stop(): void
}

const load = createRequire(import.meta.url)

const writing = [
  'writeFile',
  'appendFile',
  'mkdir',
  'rm',
  'rename',
  'unlink',
  'symlink',
  'link',
  'copyFile',
  'chmod',
]
const reading = ['readFile', 'open', 'readdir', 'createReadStream', 'readlink', 'opendir']

export function watchProcess(): ProcessWatch {
  const seen: Sightings = { children: [], sockets: [], writes: [], reads: [] }
  const children: { spawnargs?: string[] }[] = []
  // Told of when it is made; what it was started with is known a moment later.
  const onChild = (message: unknown) =>
    void children.push((message as { process: { spawnargs?: string[] } }).process)
  const onSocket = () => void seen.sockets.push('a socket was opened')
  const channels: [string, (message: unknown) => void][] = [
    ['child_process', onChild],
    ['net.client.socket', onSocket],
    ['net.server.socket', onSocket],
    ['undici:request:create', onSocket],
    ['http.client.request.start', onSocket],
    ['udp.socket', onSocket],
  ]
  for (const [name, listener] of channels) subscribe(name, listener)
  const restore = [wrap(load('node:fs'), 'Sync', seen), wrap(load('node:fs/promises'), '', seen)]
  syncBuiltinESMExports()
  return {
    seen,
    stop() {
      seen.children.push(...children.map(({ spawnargs = [] }) => spawnargs.join(' ')))
      for (const [name, listener] of channels) unsubscribe(name, listener)
      for (const undo of restore) undo()
      syncBuiltinESMExports()
    },
  }
}

type Functions = Record<string, unknown>

function wrap(module: Functions, ending: string, seen: Sightings): () => void {
  const kept: [string, unknown][] = []
  const watch = (name: string, list: string[]): void => {
    const real = module[name]
    if (typeof real !== 'function') return
    kept.push([name, real])
    module[name] = function watched(this: unknown, ...given: unknown[]): unknown {
      list.push(`${name} ${String(given[0])}`)
      return Reflect.apply(real, this, given)
    }
  }
  for (const name of writing) for (const form of new Set([name, name + ending])) watch(form, seen.writes)
  for (const name of reading) for (const form of new Set([name, name + ending])) watch(form, seen.reads)
  return () => {
    for (const [name, real] of kept) module[name] = real
  }
}
