/** Many files as one piece of bytes and back: what the single-file executable carries. No path in it leaves the folder. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Path with `/`, bytes, and whether it may be executed. */
type Entry = [path: string, bytes: number, executable: boolean]

/** Four bytes with the length of the list, the list as JSON, and the files one after the other; compressed as a whole. */
export function packFolder(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const contents = files.map((path) => readFileSync(path))
  const list = files.map((path, at): Entry => {
    const name = relative(folder, path).split(sep).join('/')
    return [name, contents[at]?.byteLength ?? 0, (statSync(path).mode & 0o100) !== 0]
  })
  const index = Buffer.from(JSON.stringify(list))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(index.byteLength)
  return zstdCompressSync(Buffer.concat([length, index, ...contents]))
}

/** Into a new folder. Throws when it is there, or when the bytes are no such piece. */
export function unpackFolder(packed: Uint8Array, folder: string): void {
  const bytes = zstdDecompressSync(packed)
  const length = bytes.readUInt32LE(0)
  const list: Entry[] = JSON.parse(bytes.toString('utf8', 4, 4 + length))
  mkdirSync(folder, { recursive: false, mode: 0o700 })
  let at = 4 + length
  for (const [name, size, executable] of list) {
    if (name.split('/').includes('..')) throw new Error(`${name} is not inside the folder`)
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes.subarray(at, at + size), { flag: 'wx', mode: executable ? 0o755 : 0o644 })
    at += size
  }
}
