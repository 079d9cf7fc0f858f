/**
 * No language server can be made to read what is not reviewed; and without the sandbox, it can. One attack, which a seed
 * draws; `npm run test:red-team` plays all.
 */
import { describe, expect, test } from 'vitest'
import { findSandbox } from '../../../src/base/sandbox/probe.ts'
import { drawn } from '../../helpers/matrix.ts'
import { needs } from '../../helpers/needs/needs.ts'
import { serverAttacks } from './attacks.ts'
import { playServers } from './play-servers.ts'

const { signal } = new AbortController()
const sandbox = await findSandbox(undefined, signal)

describe('the files of another tenant', needs('a sandbox (bubblewrap or a container)'), () => {
  test.each(drawn(serverAttacks))('$server: $name', async (attack) => {
    const { absent, gotThrough } = await playServers(attack, sandbox)
    if (absent !== null) return console.log(`${attack.server} is not here: ${absent}`)
    expect(gotThrough).toEqual([])
    // The attack is a real one: what keeps the file away is the sandbox, or what we leave out of the tree.
    const bare = await playServers(attack, null)
    expect(bare.gotThrough.length > 0).toBe(attack.needsSandbox)
  })
})
