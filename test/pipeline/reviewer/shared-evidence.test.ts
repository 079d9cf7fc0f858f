/** Which evidence from the rest of the repository each question of a large change is shown. */
import { expect, test } from 'vitest'
import type { FileChange } from '../../../src/domain/change-set.ts'
import { sharedEvidence } from '../../../src/pipeline/reviewer/shared-evidence.ts'
import { sampleEvidence } from '../../helpers/sample-review.ts'
import { fileChange } from '../conclude/parts.ts'

const file = (path: string, text: string): FileChange => {
  const [hunk] = fileChange(path).hunks
  return fileChange(path, {
    hunks: hunk ? [{ ...hunk, lines: [{ kind: 'added', old: null, new: 1, text, hash: 'aaaa' }] }] : [],
  })
}
const evidence = (id: string, path: string | null, title: string) => sampleEvidence({ id, path, title })
const groups = [
  [file('src/orders.ts', 'export const total = addPrices(order.lines)')],
  [file('web/basket.vue', 'import { applyVoucher } from "./vouchers"')],
]
const all = [
  evidence('E1', 'src/prices.ts', 'used by the change: addPrices'),
  evidence('E2', 'web/vouchers.ts', 'lines 1 to 20'),
  evidence('E3', 'web/basket.vue', 'the function `setup` around a changed line'),
  evidence('E4', 'config/limits.yml', 'lines 1 to 4'),
  evidence('E5', null, 'grep::{"query":"addPrices|applyVoucher","regex":true,"path":"","side":"head"}'),
]
const shownTo = (most: number, asked = groups) => {
  const { shown, left } = sharedEvidence(asked, all, most)
  return { shown: shown.map((own) => own.map(({ id }) => id).join(' ')), left }
}

test('each question is shown what its files name, or what names them; what concerns none is shown to all', () => {
  expect(shownTo(10_000)).toEqual({ shown: ['E1 E4 E5', 'E2 E3 E4 E5'], left: 0 })
})

test('a change in one question is shown everything, as far as it fits', () => {
  expect(shownTo(10_000, [groups.flat()])).toEqual({ shown: ['E1 E2 E3 E4 E5'], left: 0 })
  expect(shownTo(80, [groups.flat()]).left).toBe(3)
})
