/**
 * What the single-file executable runs first. It carries the folder that `scripts/bundle.ts` makes, unpacks it once into
 * the user's cache folder, and starts the command there. The processes that the command starts are this file again, with a
 * script of that folder as their first word: then it is Node, and runs the script.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { getAsset, getRawAsset } from 'node:sea'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { constants, runInThisContext } from 'node:vm'
import { ownCacheFolder } from '../../bin/compile-cache.js'
import { unpackFolder } from './archive.ts'

const engineFlags = '--engine-flags='

/** The folder of the program, unpacked if it is not there yet. Null where no folder is safe to run code from. */
function programFolder(): string | null {
  const programs = ownCacheFolder('programs')
  if (programs === null) return null
  const folder = join(programs, getAsset('version', 'utf8'))
  if (existsSync(folder)) return folder
  const half = `${folder}-${process.pid}`
  unpackFolder(new Uint8Array(getRawAsset('program')), half)
  try {
    renameSync(half, folder)
  } catch {
    // Another process was faster.
    rmSync(half, { recursive: true, force: true })
  }
  return folder
}

/**
 * What is embedded cannot import from the disk; a function made of text can, as any program of Node's. Node warns that
 * this may change, which is for us to know: the Node is the one in this file.
 */
function importFile(path: string): void {
  const { emitWarning } = process
  process.emitWarning = () => {}
  const load: (url: string) => Promise<unknown> = runInThisContext('(url) => import(url)', {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  void load(pathToFileURL(path).href)
  process.emitWarning = emitWarning
}

function run(script: string, words: readonly string[]): void {
  process.argv = [process.execPath, script, ...words]
  importFile(script)
}

function start(): void {
  // The first word is the executable once more.
  const words = process.argv.slice(2)
  process.execArgv = []
  while (words[0]?.startsWith(engineFlags)) {
    const flags = words.shift()?.slice(engineFlags.length).split(' ') ?? []
    for (const flag of flags) setFlagsFromString(flag)
    process.execArgv.push(...flags)
  }
  const [script] = words
  if (script !== undefined && isAbsolute(script) && /\.[cm]?js$/.test(script)) {
    run(script, words.slice(1))
    return
  }
  const folder = programFolder()
  if (folder === null) {
    process.stderr.write(
      'sightline: the program cannot be unpacked: there is no cache folder that only you can write to. ' +
        'Set XDG_CACHE_HOME to one.\n',
    )
    process.exit(2)
  }
  run(join(folder, 'bin/sightline.js'), words)
}

start()
