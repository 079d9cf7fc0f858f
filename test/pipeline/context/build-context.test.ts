/** The name of a bundle is the hash of all of it, however many versions of it there are. */
import { expect, test } from 'vitest'
import { canonicalJson, sha256 } from '../../../src/base/canonical-json.ts'
import type { FileChange } from '../../../src/domain/change-set.ts'
import { buildContext } from '../../../src/pipeline/context/build-context.ts'
import { sampleReview } from '../../helpers/sample-review.ts'

const { request } = sampleReview()
const rest = { request, configHash: 'c'.repeat(64), symbols: [], tests: [], evidence: [], cuts: [] }

test('it is that of the canonical JSON of the whole', () => {
  const change = { overflow: ['z'], files: [] }
  const { hash, ...content } = buildContext({ ...rest, change })
  expect(hash).toBe(sha256(canonicalJson(content)))
})

test('the change is written once for all versions of a bundle', () => {
  let reads = 0
  const change = {
    overflow: [],
    get files(): FileChange[] {
      reads++
      return []
    },
  }
  const first = buildContext({ ...rest, change })
  const readsOfFirst = reads
  const second = buildContext({ ...rest, change, cuts: ['one'] })
  expect(second.hash).not.toBe(first.hash)
  expect([readsOfFirst > 0, reads]).toEqual([true, readsOfFirst])
})
