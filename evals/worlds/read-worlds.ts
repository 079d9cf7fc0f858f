/** All worlds of the folder beside this file, in the order of their names. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseWorld, type World } from './parse-world.ts'

export function readWorlds(folder: string = import.meta.dirname): World[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.world'))
    .sort()
    .map((name) => parseWorld(name.replace('.world', ''), readFileSync(join(folder, name), 'utf8')))
}
