// Preloaded into a process that is watched over: half a second later it does what no code of ours should ever do.
import { writeSync } from 'node:fs'

const { SIGHTLINE_SUPERVISED: isWatched, SIGHTLINE_MISBEHAVE: how } = process.env
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
/** Holds its loop and fills the memory as soon as it has said that a stage begins. */
function growInStage() {
  const send = process.send.bind(process)
  process.send = (message, ...others) => {
    send(message, ...others)
    while (message?.stage === 'diff') {
      kept.push(Buffer.alloc(8 * 2 ** 20, 1))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
    return true
  }
}
if (isWatched && how === 'stage') growInStage()
else if (isWatched && how) setTimeout(faults[how], 500)
