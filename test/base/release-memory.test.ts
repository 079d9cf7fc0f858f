import { expect, test } from 'vitest'
import { releaseMemory } from '../../src/base/release-memory.ts'

test('what nothing needs is gone', async () => {
  const [needed, unneeded] = [{ bytes: new Uint8Array(10) }, new WeakRef({ bytes: new Uint8Array(10) })]
  const stays = new WeakRef(needed)
  // A reference that was just made counts until the turn ends.
  await new Promise((resolve) => setImmediate(resolve))
  releaseMemory()
  expect([stays.deref() === needed, unneeded.deref()]).toEqual([true, undefined])
})
