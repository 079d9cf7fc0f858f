/** Which hosts there are, by what their servers run. What each is and has: `src/hosts/remote/facts.ts`. */
import { z } from 'zod'

export const hostKinds = ['github', 'gitlab', 'forgejo', 'bitbucket', 'bitbucket-dc', 'azure'] as const
export type BuiltInHostKind = (typeof hostKinds)[number]

/** Any other host comes in an npm package, which is called so. */
export type HostPackageName = `sightline-host-${string}`

export const HostPackageName = z.templateLiteral([
  'sightline-host-',
  z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
])

/** What the operator names: a host of ours, or a package. */
export const HostKind = z.union([z.enum(hostKinds), HostPackageName], {
  error: `must be ${hostKinds.join(', ')}, or a package called sightline-host-NAME`,
})
export type HostKind = z.infer<typeof HostKind>

export function isBuiltIn(kind: HostKind): kind is BuiltInHostKind {
  return (hostKinds as readonly string[]).includes(kind)
}
