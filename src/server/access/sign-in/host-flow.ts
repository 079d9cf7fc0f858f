/** What sign-in with GitHub and with GitLab have alike: what a person may do is looked up at the host each time. */
import type { ClientParts, CodeFlow } from './code-flow.ts'
import type { ProviderTokens, SignedInPerson, SignInFlow } from './contract.ts'

export type HostFlowParts = ClientParts & {
  name: string
  title: string
  /** Whose repositories they are. */
  connection: string
  /** Without a slash at the end. */
  webUrl: string
  apiUrl: string
}

/** `personOf`: asks the host who has these tokens, and what they may do there. */
export function hostFlow(
  { name, title }: Pick<HostFlowParts, 'name' | 'title'>,
  flow: CodeFlow,
  personOf: (tokens: ProviderTokens, signal: AbortSignal) => Promise<SignedInPerson>,
): SignInFlow {
  return {
    name,
    title,
    begin: (secrets) => flow.begin(secrets),
    finish: async (returned, secrets, signal) => personOf(await flow.finish(returned, secrets), signal),
    recheck: async (_, tokens, signal) => personOf(await flow.renew(tokens), signal),
  }
}
