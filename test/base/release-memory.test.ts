import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const releasing = join(import.meta.dirname, '../../src/base/release-memory.ts')

// In a process of its own: to collect all that a worker holds takes a second.
test('what nothing needs is gone', () => {
  const script = `
    import { releaseMemory } from ${JSON.stringify(releasing)}
    const [needed, unneeded] = [{ bytes: new Uint8Array(10) }, new WeakRef({ bytes: new Uint8Array(10) })]
    const stays = new WeakRef(needed)
    // A reference that was just made counts until the turn ends.
    await new Promise((resolve) => setImmediate(resolve))
    releaseMemory()
    console.log(JSON.stringify([stays.deref() === needed, unneeded.deref() ?? 'gone']))`
  const said = execFileSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
    encoding: 'utf8',
  })
  expect(JSON.parse(said)).toEqual([true, 'gone'])
})
