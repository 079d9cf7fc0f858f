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
  grow() {
    kept.push(Buffer.alloc(8 * 2 ** 20, 1))
    setTimeout(faults.grow, 5)
  },
  heap() {
    for (;;) kept.push(Array.from({ length: 1000 }, (_, at) => ({ at })))
  },
}
/** Holds its loop and fills the memory as soon as it has said that a stage begins, or that a plane finished. */
function growAfter(kind, name) {
  const send = process.send.bind(process)
  process.send = (message, ...others) => {
    send(message, ...others)
    while (message?.[kind] === name) {
      kept.push(Buffer.alloc(16 * 2 ** 20, 1))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
    return true
  }
}

const [verb, kind, name] = how?.split(' ') ?? []
// `grow-after stage diff`; `grow-once` spares the attempt that follows.
if (isWatched && (verb === 'grow-after' || (verb === 'grow-once' && attempt === 'null')))
  growAfter(kind, name)
else if (isWatched && how && faults[how]) setTimeout(faults[how], 500)
