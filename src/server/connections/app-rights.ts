/** The rights of a GitHub App: what each is for, what is missing without it, and which of them an installation lacks. */
import type { GitHubApp } from '../../hosts/github/app.ts'
import type { Permissions } from '../../hosts/github/client.ts'
import type { MissingRight } from '../../hosts/rights/contract.ts'

type Right = { access: 'read' | 'write'; isFor: string; without: string }

/** All that any step needs. */
const rights: Readonly<Record<string, Right>> = {
  checks: {
    access: 'write',
    isFor: 'a check with a page and annotations',
    without: 'a commit status of one line takes the place of the check',
  },
  contents: { access: 'read', isFor: 'reading the code', without: 'nothing can be reviewed' },
  issues: {
    access: 'write',
    isFor: 'linked issues, and answers to commands in the conversation',
    without: 'commands in the conversation get no answer, and linked issues are not read',
  },
  metadata: { access: 'read', isFor: 'seeing the repositories', without: 'nothing can be reviewed' },
  pull_requests: {
    access: 'write',
    isFor: 'reading changes, and comments on lines',
    without: 'nothing can be posted',
  },
  statuses: {
    access: 'write',
    isFor: 'a status where checks cannot be written',
    without: 'there is no status where the right for checks is missing too',
  },
}

export const appPermissions: Permissions = Object.fromEntries(
  Object.entries(rights).map(([name, { access }]) => [name, access]),
)

/** One line for each right, for the page on which an App is made. */
export function describeRights(): string[] {
  return Object.entries(rights).map(
    ([name, { access, isFor }]) => `${name.replaceAll('_', ' ')} (${access}): ${isFor}`,
  )
}

export function missingRights(granted: Permissions, wanted: Permissions = appPermissions): MissingRight[] {
  return Object.entries(wanted).flatMap(([name, access]) =>
    isGranted(granted, name, access)
      ? []
      : [{ right: `${name.replaceAll('_', ' ')} (${access})`, without: rights[name]?.without ?? '' }],
  )
}

/** What of it may be asked for: GitHub refuses a token as a whole for one right that is missing. */
export function grantedOf(wanted: Permissions, granted: Permissions): Permissions {
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([name, access]) => {
      if (isGranted(granted, name, access)) return [[name, access] as const]
      return isGranted(granted, name, 'read') ? [[name, 'read'] as const] : []
    }),
  )
}

function isGranted(granted: Permissions, name: string, access: 'read' | 'write'): boolean {
  return granted[name] === 'write' || granted[name] === access
}

/** Of one installation of an App, or of all, each once. */
export async function missingRightsOf(
  app: GitHubApp,
  installation: string | null,
  signal: AbortSignal,
): Promise<MissingRight[]> {
  const all = await app.listInstallations(signal)
  const meant = all.filter(({ id }) => installation === null || id === installation)
  const missing = meant.flatMap(({ permissions }) => missingRights(permissions))
  return [...new Map(missing.map((one) => [one.right, one])).values()]
}
