/** The GitHub Action as its runner starts it: each step of the command is a process of its own. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { runAction } from './run.ts'

const command = join(import.meta.dirname, commandFrom(import.meta.filename))

/** From the sources, and from the bundle (`dist/action/main.js`). */
function commandFrom(file: string): string {
  return file.endsWith('.ts') ? '../bin/sightline.js' : '../../bin/sightline.js'
}

process.exitCode = await runAction({
  environment: process.env,
  folder: process.cwd(),
  run: (argv, environment) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [command, ...argv], { env: environment, stdio: ['ignore', 2, 2] })
      child.once('error', reject)
      child.once('close', (code) => resolve(code ?? 3))
    }),
  log: (line) => process.stdout.write(`${line}\n`),
})
