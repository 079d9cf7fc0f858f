/** Started by an editor in the place of the server: starts it and keeps what both say, and how it ended. */
import { spawn } from 'node:child_process'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = '', ...command] = process.argv.slice(2)
const [program = '', ...args] = command
const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
process.stdin.pipe(createWriteStream(join(folder, 'editor.bytes')))
process.stdin.pipe(server.stdin)
server.stdout.pipe(createWriteStream(join(folder, 'server.bytes')))
server.stdout.pipe(process.stdout)
server.on('close', (code, signal) => {
  writeFileSync(join(folder, 'end.json'), JSON.stringify({ code, signal }))
  // It would wait for the end of its own input.
  process.exit()
})
