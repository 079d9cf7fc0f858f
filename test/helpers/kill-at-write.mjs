/**
 * Preloaded into a process: kills it (-9) at the n-th step of writing below a folder, half-way through when the step is
 * a write. `SIGHTLINE_KILL_AT=0` only counts, and says the number on standard error in the end.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const at = Number(process.env.SIGHTLINE_KILL_AT)
const folder = process.env.SIGHTLINE_KILL_BELOW ?? ''
const ours = new Set()
let steps = 0

function step(beforeKill = () => {}) {
  steps++
  if (steps !== at) return
  beforeKill()
  process.kill(process.pid, 'SIGKILL')
  // The signal is on its way; nothing more happens here.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const { openSync, writeSync, fsyncSync, closeSync, renameSync, linkSync, unlinkSync, mkdirSync } = fs

fs.openSync = (path, ...rest) => {
  if (!String(path).startsWith(folder)) return openSync(path, ...rest)
  step()
  const file = openSync(path, ...rest)
  ours.add(file)
  return file
}
fs.writeSync = (file, bytes, ...rest) => {
  if (ours.has(file)) step(() => writeSync(file, bytes, 0, Math.floor(bytes.length / 2)))
  return writeSync(file, bytes, ...rest)
}
fs.fsyncSync = (file) => {
  if (ours.has(file)) step()
  return fsyncSync(file)
}
fs.closeSync = (file) => {
  ours.delete(file)
  return closeSync(file)
}
for (const [name, real] of Object.entries({ renameSync, linkSync, unlinkSync, mkdirSync }))
  fs[name] = (path, ...rest) => {
    if (String(path).startsWith(folder)) step()
    return real(path, ...rest)
  }
syncBuiltinESMExports()

if (at === 0) process.on('exit', () => process.stderr.write(`kill-at-write: ${steps} steps\n`))
