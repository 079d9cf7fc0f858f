/** How an agent names a change, and the request for it. */
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import type { ChangeSelector } from '../hosts/contract.ts'

const ref = z.string().min(1).max(300)

export const changeArguments = {
  staged: z.boolean().optional().describe('Only what is staged.'),
  base: ref.optional().describe('A branch or commit: the change since the current branch left it.'),
  range: ref.optional().describe('Two commits, such as main..feature.'),
  commit: ref.optional().describe('One commit.'),
  paths: z.array(z.string().min(1).max(1000)).max(100).optional().describe('Only these files and folders.'),
}

type ChangeArguments = z.infer<z.ZodObject<typeof changeArguments>>

/** Nothing named: uncommitted work, else the current branch, else the last commit. Throws `usage` for two changes. */
export function selectorFrom(
  { staged, base, range, commit, paths = [] }: ChangeArguments,
  folder: string,
): ChangeSelector {
  const limited = paths.length > 0 ? { paths, pathsFrom: folder } : {}
  const named: ChangeSelector[] = [
    ...(staged ? [{ kind: 'staged' } as const] : []),
    ...(base === undefined ? [] : [{ kind: 'base', base } as const]),
    ...(range === undefined ? [] : [{ kind: 'range', range } as const]),
    ...(commit === undefined ? [] : [{ kind: 'commit', commit } as const]),
  ]
  if (named.length > 1)
    throw new UserError('usage', 'staged, base, range and commit each select a change; pass one of them.')
  return { ...(named[0] ?? { kind: 'auto' }), ...limited }
}
