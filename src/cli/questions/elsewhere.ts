/** The option `--workspace`: what other repositories add to an answer about one definition. */
import { count } from '../../base/count.ts'
import { UserError } from '../../base/errors.ts'
import type { CodeTree, ElsewhereAnswer, siteOf as siteOfTarget, UsesElsewhere } from '../../index.ts'
import { flag } from '../input/options.ts'
import { lines } from './describe.ts'

export const workspaceOption = {
  workspace: flag('Also list uses in the other repositories of the workspace.'),
}

type Target = Parameters<typeof siteOfTarget>[0]

/** Uses in other repositories; an answer counts what means something else as `elsewhere`. */
type InOthers = { inOthers?: ElsewhereAnswer }

/** Asks, and adds the uses of other repositories where they are wanted. Throws `usage` where there is no workspace. */
export function withElsewhere<Answer extends object>(
  isWanted: boolean,
  ask: (tree: CodeTree, target: Target) => Promise<Answer>,
): (
  tree: CodeTree,
  target: Target,
  openServers: unknown,
  elsewhere: UsesElsewhere | null,
) => Promise<Answer & InOthers> {
  return async (tree, target, _, elsewhere) => {
    const answer = await ask(tree, target)
    if (!isWanted) return answer
    if (!elsewhere)
      throw new UserError('usage', '--workspace needs `workspace.repositories` in your settings.')
    const { siteOf } = await import('../../index.ts')
    const { path, startLine: line, endLine } = siteOf(target)
    return { ...answer, inOthers: await elsewhere({ path, line, endLine }) }
  }
}

/** Nothing where it was not asked for. */
export function describeElsewhere({ inOthers }: InOthers): string {
  if (!inOthers) return ''
  const { repositories, uses, more } = inOthers
  return lines([
    uses.length + more === 0
      ? 'No use in another repository is known.'
      : `${count(uses.length + more, 'use')} in other repositories:`,
    ...uses.map(
      ({ repository, path, line, commit, of, how, confidence }) =>
        `  ${repository} ${path}:${line} (${commit.slice(0, 7)})  ${of}  [${how}, ${confidence}]`,
    ),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...repositories.flatMap(({ name, trouble }) =>
      trouble === null ? [] : [`Not read: ${name}: ${trouble}`],
    ),
  ])
}
