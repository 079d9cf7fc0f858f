/** Validation without some of its checks: to see what each is worth, and never for a review that anybody acts on. */
import { UserError } from '../../base/errors.ts'
import { allChecks, type Checks } from './validate.ts'

/** Without these nothing can be published at all: what is said must be readable and stand on a line. */
const needed: ReadonlySet<string> = new Set(['schema', 'anchor'])

/** In the order in which candidates meet them. */
export const checkNames: readonly string[] = [...allChecks.each, ...allChecks.together]
  .map(({ name }) => name)
  .filter((name) => !needed.has(name))

/** Throws `usage` for a name that no check has. */
export function checksWithout(names: readonly string[]): Checks {
  const unknown = names.find((name) => !checkNames.includes(name))
  if (unknown !== undefined)
    throw new UserError(
      'usage',
      `no check can be left out that is called \`${unknown}\`; those that can are ${checkNames.join(', ')}`,
    )
  const stays = ({ name }: { name: string }) => !names.includes(name)
  return { each: allChecks.each.filter(stays), together: allChecks.together.filter(stays) }
}
