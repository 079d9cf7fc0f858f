/** Foreign text goes into prompts as it is, without delimiters. */
import type { Fence, Untrusted } from '../../../../src/base/untrusted/untrusted.ts'

export * from '../../../../src/base/untrusted/untrusted.ts'

import { createFence as realFence } from '../../../../src/base/untrusted/untrusted.ts'

export function createFence(token: string): Fence {
  const real = realFence(token)
  return {
    rule: real.rule,
    render: (value: Untrusted) => real.render(value).split('\n').slice(1, -1).join('\n'),
  }
}
