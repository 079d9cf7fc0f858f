/** What a process of a role says; that each role of a job has one, and what is in it: `test/e2e/server.test.ts`. */
import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import type { RoleOrder } from '../../../src/server/roles/contract.ts'
import { converse } from '../../../src/server/roles/run-role.ts'

test('what a process said last is heard, however late, after it has ended', async () => {
  const result = { role: 'collector', head: null, bytes: 1 }
  // The channel is handed on, so that its last message surely comes after the end.
  const later = `setTimeout(() => { process.send({ type: 'done', result: ${JSON.stringify(result)} }); process.disconnect() }, 300)`
  const child = spawn('sh', ['-c', '"$NODE" -e "$LATER" & exit 0'], {
    env: { ...process.env, NODE: process.execPath, LATER: later },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const order = { role: 'collector' } as RoleOrder
  expect(await converse(child, { order })).toEqual({ kind: 'done', result: { ...result, users: [] } })
})
