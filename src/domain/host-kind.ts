/** Which hosts there are, by what their servers run. What each is and has: `src/hosts/remote/facts.ts`. */
export const hostKinds = ['github', 'gitlab', 'forgejo', 'bitbucket'] as const
export type HostKind = (typeof hostKinds)[number]
