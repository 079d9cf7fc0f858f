#!/usr/bin/env node
// The installed command. Plain JavaScript, so that a Node that is too old can still be told so.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `sightline: Node ${process.versions.node} is too old; 22.18 or newer is needed. ` +
      'In a checkout, ./sightline brings its own.\n',
  )
  process.exit(2)
}
module.enableCompileCache?.()

// A checkout runs its sources; an installed package has only what was built from them.
const source = new URL('../src/cli/main.ts', import.meta.url)
const built = new URL('../dist/cli/main.js', import.meta.url)
const { main } = await import((existsSync(fileURLToPath(source)) ? source : built).href)
process.exitCode = await main(process.argv.slice(2))
