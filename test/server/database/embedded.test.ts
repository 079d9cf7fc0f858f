/** One data folder, several processes, one engine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { DatabaseUnavailableError } from '../../../src/server/database/contract.ts'
import { filesIn } from '../../../src/server/database/embedded/data-files.ts'
import { takeOwnerLock } from '../../../src/server/database/embedded/owner-lock.ts'
import { openDatabase } from '../../../src/server/database/open-database.ts'
import { placeEmptyDatabase } from '../../helpers/empty-database.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'

const script = `
  const { openDatabase } = await import(${JSON.stringify(new URL('../../../src/server/database/open-database.ts', import.meta.url).href)})
  const database = await openDatabase({ folder: process.argv[1] })
  for (let n = 0; ; n++) {
    await database.query("insert into tenant (tenant) values ($1)", [process.pid + '-' + n])
    console.log(process.pid + '-' + n)
    await new Promise((done) => setTimeout(done, 20))
  }`

/** A process that inserts rows and says which are committed. */
async function startWriter(folder: string) {
  const child = spawn(
    process.execPath,
    ['--liftoff-only', '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script, folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const committed: string[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => committed.push(line))
  await once(lines, 'line')
  return {
    committed,
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  }
}

test('when the owner is killed another process goes on with every committed row', async () => {
  const folder = join(temporaryFolder(), 'database')
  await placeEmptyDatabase(folder)
  const owner = await startWriter(folder)
  const other = await openDatabase({ folder })
  try {
    await expect(openDatabase({ folder, alone: true })).rejects.toMatchObject({ code: 'database-refused' })
    await expect.poll(() => owner.committed.length).toBeGreaterThan(5)
    await owner.kill()
    const names = async () => {
      for (;;)
        try {
          return (await other.query<{ tenant: string }>('select tenant from tenant')).map(
            ({ tenant }) => tenant,
          )
        } catch (error) {
          if (!(error instanceof DatabaseUnavailableError)) throw error
        }
    }
    expect(await names()).toEqual(expect.arrayContaining(owner.committed))
  } finally {
    await other.close()
  }
})

test('a folder has one owner, and is free again when that one ends', () => {
  const folder = temporaryFolder()
  const first = takeOwnerLock(folder)
  expect(first).not.toBeNull()
  expect(takeOwnerLock(folder)).toBeNull()
  first?.release()
  const second = takeOwnerLock(folder)
  expect(second).not.toBeNull()
  second?.release()
})

test('a folder whose path is too long for a socket is refused with its name', async () => {
  const folder = join(temporaryFolder(), 'x'.repeat(120))
  await expect(openDatabase({ folder })).rejects.toMatchObject({ code: 'database-refused' })
})

test('what a kill left of a new database is removed, and never opened', async () => {
  const folder = temporaryFolder()
  const killed = async (files: string) => {
    mkdirSync(files)
    throw new Error('killed')
  }
  await expect(filesIn(folder, killed)).rejects.toThrow('killed')
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^pgdata-unfinished-/)])
  await filesIn(folder, async (files) => writeFileSync(files, 'whole'))
  expect(readdirSync(folder)).toEqual(['pgdata'])
})
