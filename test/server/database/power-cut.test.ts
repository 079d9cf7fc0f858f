/**
 * Power cuts, simulated: what was written and not synced reaches the disk in part, page by page, as chance has it. File names
 * are taken for durable at once. SIGHTLINE_POWER_CUTS=100 makes a hundred trials.
 */
import {
  closeSync,
  cpSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { DurableFiles } from '../../../src/server/database/embedded/durable-files.ts'
import { openDurable } from '../../../src/server/database/embedded/open-durable.ts'
import { placeEmptyDatabase } from '../../helpers/empty-database.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { isWhole } from '../../helpers/matrix.ts'
import { needs } from '../../helpers/needs/needs.ts'
import { Random } from '../../helpers/random.ts'

const trials = Number(process.env.SIGHTLINE_POWER_CUTS ?? (isWhole ? 20 : 1))
const pageBytes = 4096

type Init = Parameters<DurableFiles['init']>
type Stream = { nfd: number; position: number }
type Hooks = {
  stream_ops: {
    write(stream: Stream, from: Uint8Array, at: number, length: number, position: number): number
    fsync?(stream: Stream): number
  }
}

/** Remembers of every page what it held when its file was last synced. */
class WatchedFiles extends DurableFiles {
  /** By inode, so that names do not matter: the pages written since, and the size before them. */
  readonly unsynced = new Map<number, { size: number; pages: Map<number, Buffer> }>()
  private readonly syncs_: boolean

  constructor(folder: string, { syncs }: { syncs: boolean }) {
    super(folder)
    this.syncs_ = syncs
  }

  override async init(...parameters: Init): ReturnType<DurableFiles['init']> {
    const { emscriptenOpts } = await super.init(...parameters)
    const [durable, ...others] = emscriptenOpts.preRun ?? []
    const watch: typeof durable = (module) => {
      // Without it, this is PGlite as it comes.
      if (this.syncs_) durable?.(module)
      const { stream_ops: operations } = module.NODEFS as unknown as Hooks
      const { write, fsync } = operations
      operations.write = (stream, from, at, length, position) => {
        this.remember(stream.nfd, position, length)
        return write(stream, from, at, length, position)
      }
      if (fsync)
        operations.fsync = (stream) => {
          this.unsynced.delete(fstatSync(stream.nfd).ino)
          return fsync(stream)
        }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [watch, ...others] } }
  }

  private remember(file: number, position: number, length: number): void {
    const { ino, size } = fstatSync(file)
    const entry = this.unsynced.get(ino) ?? { size, pages: new Map<number, Buffer>() }
    this.unsynced.set(ino, entry)
    // Some are open for writing only.
    const reader = openSync(`/proc/self/fd/${file}`, 'r')
    for (let page = Math.floor(position / pageBytes); page * pageBytes < position + length; page++) {
      if (entry.pages.has(page)) continue
      const before = Buffer.alloc(pageBytes)
      readSync(reader, before, 0, pageBytes, page * pageBytes)
      entry.pages.set(page, before)
    }
    closeSync(reader)
  }

  /** What the disk of `folder` holds after a power cut, in `image`. */
  cutPower(folder: string, image: string, random: Random): void {
    cpSync(folder, image, { recursive: true })
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const lost = this.unsynced.get(statSync(path).ino)
      if (!lost) continue
      const file = openSync(path.replace(folder, image), 'r+')
      for (const [page, before] of lost.pages)
        if (random.next() < 0.5) writeSync(file, before, 0, pageBytes, page * pageBytes)
      const size = random.next() < 0.5 ? lost.size : statSync(path).size
      ftruncateSync(file, size)
      closeSync(file)
    }
  }
}

/** Works until chance cuts the power, then counts the committed rows that are missing. Rejects when nothing opens. */
async function trial(
  template: string,
  seed: number,
  open: (files: WatchedFiles, folder: string) => Promise<PGlite>,
  syncs: boolean,
) {
  const random = new Random(seed)
  const [folder, image] = [join(temporaryFolder(), 'pgdata'), join(temporaryFolder(), 'pgdata')]
  cpSync(template, folder, { recursive: true })
  const files = new WatchedFiles(folder, { syncs })
  const database = await open(files, folder)
  await database.exec('create table if not exists kept (id int primary key, sum int not null, text text)')
  const committed = random.between(20, 120)
  for (let id = 1; id <= committed; id++) {
    const text = 'x'.repeat(random.between(1, 20_000))
    await database.query('insert into kept values ($1, $2, $3)', [id, text.length, text])
    if (random.next() < 0.05) await database.exec('checkpoint')
  }
  // One that was never committed must not be there.
  await database.exec(`begin; insert into kept values (${committed + 1}, 1, 'x')`)
  files.cutPower(folder, image, random)
  await database.exec('rollback')
  await database.close()
  const after = await openDurable(image)
  const { rows } = await after.query<{ count: number; wrong: number; indexed: number }>(
    `select count(*)::int as count, count(*) filter (where sum <> length(text))::int as wrong,
       (select count(*)::int from generate_series(1, ${committed}) as n join kept on kept.id = n) as indexed from kept`,
  )
  await after.close()
  return { committed, ...rows[0] }
}

async function template(): Promise<string> {
  const folder = temporaryFolder()
  await placeEmptyDatabase(folder)
  return join(folder, 'pgdata')
}

// Files that are open are read through /proc.
test(
  'no committed row is lost by a power cut, and none appears that was not committed',
  needs('Linux'),
  async () => {
    const from = await template()
    for (let seed = 1; seed <= trials; seed++) {
      const { committed, ...found } = await trial(
        from,
        seed,
        (files, folder) => openDurable(folder, files),
        true,
      )
      expect({ seed, ...found }).toEqual({ seed, count: committed, wrong: 0, indexed: committed })
    }
  },
)

// Files that are open are read through /proc.
test.runIf(isWhole)('the simulation destroys PGlite as it comes', needs('Linux'), async () => {
  const from = await template()
  const survived = await trial(from, 1, async (files) => await PGlite.create({ fs: files }), false).then(
    ({ committed, count }) => count === committed,
    () => false,
  )
  expect(survived).toBe(false)
})

test('an engine whose commits do not reach the disk is refused', async () => {
  const folder = await template()
  const files = new WatchedFiles(folder, { syncs: false })
  await expect(openDurable(folder, files)).rejects.toThrow('no fsync was seen')
})
