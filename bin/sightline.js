#!/usr/bin/env node
// The installed command. Plain JavaScript, so that a Node that is too old can still be told so.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { compileCacheFolder } from './compile-cache.js'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `sightline: Node ${process.versions.node} is too old; 22.18 or newer is needed. ` +
      'In a checkout, ./sightline brings its own.\n',
  )
  process.exit(2)
}
const compiled = compileCacheFolder()
if (compiled !== null) module.enableCompileCache?.(compiled)

// Until the command listens itself, there is nothing to clean up.
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
const endEarly = () => process.exit(130)
for (const name of signals) process.on(name, endEarly)

// A checkout runs its sources; an installed package has only what was built from them.
const source = new URL('../src/cli/', import.meta.url)
const built = new URL('../dist/cli/', import.meta.url)
const isCheckout = existsSync(fileURLToPath(source))
const load = (name) => import(isCheckout ? new URL(`${name}.ts`, source) : new URL(`${name}.js`, built))

const argv = process.argv.slice(2)
const { supervise } = await load('supervision/supervise')
const watched = supervise(fileURLToPath(import.meta.url), argv)
const main = watched ? null : (await load('main')).main
for (const name of signals) process.off(name, endEarly)
process.exitCode = await (watched ?? main(argv))
