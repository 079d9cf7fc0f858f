/** What a start loads: help, completions and each command's options come without the library behind the commands. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../../src')

/** Prints the addresses of all that is loaded with the commands, in a process that has loaded nothing else. */
const listing = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
  const { commandNames, loadCommand } = await import(process.argv[1])
  for (const name of commandNames) await loadCommand(name)
  console.log(JSON.stringify({ commands: commandNames.length, loaded }))`

test('the commands with their options load neither the library nor a package', () => {
  const registry = pathToFileURL(join(source, 'cli/commands/registry.ts')).href
  const words = ['--input-type=module', '--eval', listing, registry]
  const { commands, loaded }: { commands: number; loaded: string[] } = JSON.parse(
    execFileSync(process.execPath, words, { encoding: 'utf8' }),
  )
  expect(commands).toBeGreaterThan(30)
  const own = loaded.filter((url) => url.startsWith(pathToFileURL(source).href))
  expect(own.length).toBeGreaterThan(commands)
  expect(own.filter((url) => /\/src\/(?:index|sightline)\.ts$/.test(url))).toEqual([])
  expect(loaded.filter((url) => url.includes('/node_modules/'))).toEqual([])
})
