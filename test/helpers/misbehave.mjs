// Preloaded into a process that is watched over: half a second later it does what no code of ours should ever do.
import { writeSync } from 'node:fs'

const { SIGHTLINE_SUPERVISED: attempt, SIGHTLINE_MISBEHAVE: how } = process.env
const isWatched = attempt !== undefined
const kept = []
const faults = {
  loop() {
    writeSync(2, `looping ${process.pid}\n`)
    for (;;);
  },
  /** Its loop is held as well, and the processor is left to others. */
  hold() {
    writeSync(2, `looping ${process.pid}\n`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  },
  grow() {
    kept.push(Buffer.alloc(8 * 2 ** 20, 1))
    setTimeout(faults.grow, 20)
  },
  heap() {
    for (;;) kept.push(Array.from({ length: 1000 }, (_, at) => ({ at })))
  },
}
/** Ends as one without memory does, as soon as it has said that a stage begins, or that a plane finished. */
function breakAfter(kind, name) {
  const send = process.send.bind(process)
  process.send = (message, ...others) => {
    send(message, ...others)
    if (message?.[kind] === name) process.kill(process.pid, 'SIGABRT')
    return true
  }
}

const [verb, kind, name] = how?.split(' ') ?? []
// `break-after stage diff`; `break-once` spares the attempt that follows.
if (isWatched && (verb === 'break-after' || (verb === 'break-once' && attempt === 'null')))
  breakAfter(kind, name)
else if (isWatched && how && faults[how]) setTimeout(faults[how], 500)
