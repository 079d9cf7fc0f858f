/**
 * A child that has been taken over: tries to reach what it must not, and says what came of it. It imports nothing of
 * ours, since it can read no code but that of its own top folder.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'

export type Reach = { file: string; folder: string; port: number }
export type Reached = Record<'read' | 'write' | 'spawn' | 'thread' | 'connect' | 'environment', string>

process.on('message', async ({ file, folder, port }: Reach) => {
  process.send?.({ type: 'ready' })
  const reached: Reached = {
    read: attempt(() => readFileSync(file, 'utf8')),
    write: attempt(() => writeFileSync(`${folder}/written`, 'x')),
    spawn: attempt(() => {
      const { error, stdout } = spawnSync('/bin/cat', [file])
      if (error) throw error
      return String(stdout)
    }),
    thread: attempt(() => new Worker('0', { eval: true })),
    connect: await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve('reached'))
      socket.on('error', (error) => resolve(`refused: ${error.message}`))
    }),
    environment: JSON.stringify(process.env),
  }
  process.send?.({ type: 'answer', index: 0, reached })
  process.send?.({ type: 'done' })
})

function attempt(work: () => unknown): string {
  try {
    return `reached ${String(work())}`
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : error}`
  }
}
