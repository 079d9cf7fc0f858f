/** Writes objects into a git directory of our own, as git itself does, without starting one: the format is gitformat-loose. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { constants, deflateSync } from 'node:zlib'
import type { Shadow } from './shadow.ts'

/** The id of the object. Throws what writing to a temporary folder throws. */
export function writeObject(
  { place, objectFormat }: Pick<Shadow, 'place' | 'objectFormat'>,
  type: 'blob' | 'tree',
  content: Buffer,
): string {
  const object = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  const id = createHash(objectFormat).update(object).digest('hex')
  const file = join(place.gitDir, 'objects', id.slice(0, 2), id.slice(2))
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(file, deflateSync(object, { level: constants.Z_BEST_SPEED }), { flag: 'wx', mode: 0o444 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return id
}
