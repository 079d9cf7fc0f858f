/** Models as options name them, each with its role. */
import { UserError } from '../../base/errors.ts'
import type { ModelOptions } from '../../index.ts'

type Roles = NonNullable<ModelOptions['roles']>

const roleNames = ['scout', 'reviewer', 'judge'] as const

/**
 * Reads `--model reviewer=anthropic/claude-sonnet-5-5`. The models of a role that is given more than once are tried in
 * that order. Undefined when none is given.
 */
export function readModelRoles(typed: readonly string[]): Roles | undefined {
  if (typed.length === 0) return undefined
  const roles: { -readonly [Role in keyof Roles]: string[] } = {}
  for (const one of typed) {
    const [, name, model] = /^(?:([a-z]+)=)?([a-z0-9][a-z0-9-]*\/\S+)$/.exec(one) ?? []
    const role = roleNames.find((known) => known === (name ?? 'reviewer'))
    if (!role || model === undefined)
      throw new UserError(
        'usage',
        `--model: \`${one}\` is not ROLE=PROVIDER/MODEL, such as reviewer=anthropic/claude-sonnet-5-5; roles are ${roleNames.join(', ')}.`,
      )
    roles[role] = [...(roles[role] ?? []), model]
  }
  return roles
}
