/**
 * Lets the n-th call of a kind to the system fail, in one piece of work and all that it starts: opening, reading, writing,
 * syncing, renaming, starting a program, connecting … The tests beside it go on as if nothing were.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import childProcess, { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { join, resolve, sep } from 'node:path'
import { getSystemErrorMap } from 'node:util'

/** What the system may answer to each kind of call. */
const answers = {
  open: ['EMFILE', 'EACCES', 'EIO'],
  read: ['EIO', 'EMFILE'],
  list: ['EIO', 'EMFILE', 'EACCES'],
  write: ['ENOSPC', 'EIO', 'EDQUOT'],
  sync: ['EIO', 'ENOSPC'],
  close: ['EIO'],
  rename: ['EIO', 'ENOSPC', 'EACCES'],
  mkdir: ['ENOSPC', 'EACCES', 'EIO'],
  remove: ['EIO', 'EBUSY'],
  stat: ['EIO', 'EACCES'],
  mode: ['EPERM', 'EIO'],
  spawn: ['EAGAIN', 'ENOMEM', 'EMFILE'],
  // The program starts, and is killed as by a system that has no memory left.
  killed: ['SIGKILL'],
  connect: ['ECONNREFUSED', 'ETIMEDOUT', 'ENETUNREACH'],
} as const

export type Kind = keyof typeof answers
export const kinds = Object.keys(answers) as Kind[]

/** `lasts`: all later calls of the kind fail as well, as on a disk that stays full. */
export type Fault = { kind: Kind; at: number; code: string; lasts: boolean }

export function codesOf(kind: Kind): readonly string[] {
  return answers[kind]
}

export type Counts = Partial<Record<Kind, number>>

/** `isPaused`: what starts a program here is of the tests. */
type Context = { fault: Fault | null; counts: Counts; failed: string[]; isPaused: boolean }

const contexts = new AsyncLocalStorage<Context>()

/** Also says how many calls of each kind there were, and what those that failed were about. */
export async function withFault<Result>(
  fault: Fault | null,
  work: () => Promise<Result>,
): Promise<{ result: Result; counts: Counts; failed: readonly string[] }> {
  patch()
  const context: Context = { fault, counts: {}, failed: [], isPaused: false }
  return { ...context, result: await contexts.run(context, work) }
}

const names: Readonly<Record<string, Kind>> = {
  ...{ open: 'open', read: 'read', readFile: 'read', readdir: 'list', opendir: 'list' },
  ...{ write: 'write', writev: 'write', writeFile: 'write', appendFile: 'write', ftruncate: 'write' },
  ...{ copyFile: 'write', symlink: 'write', fsync: 'sync', fdatasync: 'sync', close: 'close' },
  ...{ rename: 'rename', link: 'rename', mkdir: 'mkdir', mkdtemp: 'mkdir' },
  ...{ unlink: 'remove', rm: 'remove', rmdir: 'remove' },
  ...{ stat: 'stat', lstat: 'stat', fstat: 'stat', exists: 'stat', access: 'stat', realpath: 'stat' },
  ...{ readlink: 'stat', statfs: 'stat', chmod: 'mode', fchmod: 'mode', utimes: 'mode' },
}

/** What the installation itself reads of its own files is not counted; nor are files that it opened. */
const installation = resolve(import.meta.dirname, '../..')
const passed = new Set<unknown>()

function isOfInstallation(first: unknown): boolean {
  if (typeof first === 'number') return first <= 2 || passed.has(first)
  const path = first instanceof URL ? first.pathname : String(first)
  return path === installation || path.startsWith(join(installation, sep))
}

/** The error of this call, or null: it is done. */
function failureOf(kind: Kind, call: string, about: unknown): Error | null {
  const context = contexts.getStore()
  if (!context || context.isPaused) return null
  const { fault, counts, failed } = context
  const count = (counts[kind] ?? 0) + 1
  counts[kind] = count
  if (fault?.kind !== kind || (fault.lasts ? count < fault.at : count !== fault.at)) return null
  failed.push(`${call} ${String(about).slice(0, 200)}`)
  const [number, [, words] = ['', fault.code]] =
    [...getSystemErrorMap()].find(([, [name]]) => name === fault.code) ?? []
  const path = typeof about === 'string' ? ` '${about}'` : ''
  return Object.assign(new Error(`${fault.code}: ${words}, ${call}${path}`), {
    ...{ code: fault.code, errno: number, syscall: call },
    ...(typeof about === 'string' ? { path: about } : {}),
  })
}

type Call = (this: unknown, ...given: unknown[]) => unknown
type Calls = Record<string, Call>

let isPatched = false

function patch(): void {
  if (isPatched) return
  isPatched = true
  const files = fs as unknown as Calls
  const promises = fs.promises as unknown as Calls
  for (const [name, kind] of Object.entries(names)) {
    replace(files, `${name}Sync`, (real) => inTurn(kind, name, real))
    replace(files, name, (real) => toCallback(kind, name, real))
    replace(promises, name, (real) => inPromise(kind, name, real))
  }
  for (const name of ['spawn', 'execFile', 'fork']) replace(childProcess as unknown as Calls, name, starting)
  replace(net.Socket.prototype as unknown as Calls, 'connect', connecting)
  syncBuiltinESMExports()
}

function replace(object: Calls, name: string, by: (real: Call) => Call): void {
  const real = object[name]
  // Its own properties, such as `realpathSync.native`, go with it.
  if (real) object[name] = Object.assign(by(real), real)
}

function inTurn(kind: Kind, name: string, real: Call): Call {
  return function (first, ...rest) {
    const done = () => real.call(this, first, ...rest)
    if (isOfInstallation(first)) {
      const result = done()
      if (name === 'open') passed.add(result)
      if (name === 'close') passed.delete(first)
      return result
    }
    const failure = failureOf(kind, name, first)
    if (!failure) return done()
    if (name === 'exists') return false
    // It is closed whatever the system says of what was written before.
    if (name === 'close') done()
    throw failure
  }
}

function toCallback(kind: Kind, name: string, real: Call): Call {
  return function (first, ...rest) {
    const failure = isOfInstallation(first) ? null : failureOf(kind, name, first)
    if (!failure) return real.call(this, first, ...rest)
    const callback = rest.at(-1) as (error: Error) => void
    if (name === 'close') real.call(this, first, () => callback(failure))
    else process.nextTick(callback, failure)
    return undefined
  }
}

function inPromise(kind: Kind, name: string, real: Call): Call {
  return async function (this: unknown, first, ...rest) {
    const failure = isOfInstallation(first) ? null : failureOf(kind, name, first)
    if (failure) throw failure
    const result = await real.call(this, first, ...rest)
    if (name === 'open' && !isOfInstallation(first)) watchHandle(result as Calls)
    return result
  }
}

/** What is called on a file that is opened as an object. */
function watchHandle(handle: Calls): void {
  const called = {
    read: 'read',
    readFile: 'read',
    write: 'write',
    writeFile: 'write',
    sync: 'sync',
    stat: 'stat',
  }
  for (const [name, kind] of Object.entries(called))
    replace(handle, name, (real) => async (...given) => {
      const failure = failureOf(kind as Kind, `handle.${name}`, '')
      if (failure) throw failure
      return await real.apply(handle, given)
    })
}

/** As Node does it: with a word that is thrown, with an event, or with an event of a child that has no channels. */
function starting(real: Call): Call {
  return function (program, ...rest) {
    const failure = failureOf('spawn', 'spawn', program) as NodeJS.ErrnoException | null
    if (failure?.code === 'ENOMEM') throw failure
    if (failure?.code === 'EMFILE') {
      const none = new ChildProcess()
      process.nextTick(() => none.emit('error', failure))
      return none
    }
    const child = pausing(() => real.call(this, failure ? '/no/program' : program, ...rest)) as ChildProcess
    if (failure) {
      const emit = child.emit.bind(child)
      child.emit = (event: string, ...given: unknown[]) =>
        emit(event, ...(event === 'error' ? [failure] : given))
    } else if (failureOf('killed', 'kill', [program, rest[0]].flat().join(' '))) {
      child.kill('SIGKILL')
      // It was somebody else.
      Object.assign(child, { killed: false })
    }
    return child
  }
}

function pausing<Result>(work: () => Result): Result {
  const context = contexts.getStore()
  if (context) context.isPaused = true
  try {
    return work()
  } finally {
    if (context) context.isPaused = false
  }
}

function connecting(real: Call): Call {
  return function (this: unknown, ...given) {
    const [{ path, host, port }] = [given].flat(2) as [
      net.NetConnectOpts & net.IpcNetConnectOpts & { host: string; port: number },
    ]
    const failure = path === undefined ? failureOf('connect', 'connect', `${host}:${port}`) : null
    if (!failure) return real.apply(this, given)
    const socket = this as net.Socket
    process.nextTick(() => socket.destroy(failure))
    return socket
  }
}
