/** One holder at a time, and the lock of a process that is gone does not keep others out. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../../src/base/canonical-json.ts'
import { takeLock, tryLock } from '../../src/base/file-lock.ts'
import { ownMark } from '../../src/base/process-mark.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'

const signal = new AbortController().signal

/** As a process that was killed would have left it. */
function deadMark(): string {
  const pid = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }))
  return ownMark().replace(/^\d+/, String(pid))
}

test('a lock has one holder, and waits until it is free', async () => {
  const lock = join(temporaryFolder(), 'lock')
  const free = await takeLock(lock, signal)
  expect(tryLock(lock)).toBeNull()
  const order: string[] = []
  const waiting = takeLock(lock, signal).then((next) => {
    order.push('taken')
    next()
  })
  order.push('freed')
  free()
  await waiting
  expect(order).toEqual(['freed', 'taken'])
  await expect(takeLock(lock, AbortSignal.abort(new Error('over')))).rejects.toThrow('over')
})

test('the lock of a process that is gone is taken over by one of many', async () => {
  const folder = temporaryFolder()
  const lock = join(folder, 'lock')
  writeFileSync(lock, `${deadMark()} 1\n`)
  const taken = Array.from({ length: 5 }, () => tryLock(lock)).filter((free) => free !== null)
  expect(taken).toHaveLength(1)
  expect(readFileSync(lock, 'utf8')).toContain(ownMark())
  taken[0]?.()
  expect(readdirSync(folder)).toEqual([])
})

test('one that died while it took over a lock keeps nobody out', async () => {
  const folder = temporaryFolder()
  const lock = join(folder, 'lock')
  const mark = `${deadMark()} 1\n`
  writeFileSync(lock, mark)

  writeFileSync(`${lock}.broken-${sha256(mark).slice(0, 16)}`, `${deadMark()} 2\n`)
  const free = await takeLock(lock, signal)
  free()
  expect(readdirSync(folder)).toEqual([])
})
