/** Whose webhooks are understood. */
import { type BuiltInHostKind, type HostKind, isBuiltIn } from '../../domain/host-kind.ts'
import { packageOf } from '../../hosts/remote/packages.ts'
import { azure } from './azure.ts'
import { bitbucket } from './bitbucket.ts'
import { bitbucketDc } from './bitbucket-dc.ts'
import { MalformedWebhook, type Webhooks } from './contract.ts'
import { forgejo } from './forgejo.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'

const builtIn: Readonly<Record<BuiltInHostKind, Webhooks>> = {
  ...{ azure, bitbucket, 'bitbucket-dc': bitbucketDc, forgejo, github, gitlab },
}

const none: Omit<Webhooks, 'kind' | 'read'> = {
  refuseHead: () => 'signature-missing',
  verify: () => 'signature-missing',
  deliveryId: () => null,
  happenedAt: () => null,
}

/** Those of a package may fail in any way, and of a host that sends none, nothing is genuine. */
export function webhooksOf(kind: HostKind): Webhooks {
  if (isBuiltIn(kind)) return builtIn[kind]
  const brought = packageOf(kind).webhooks as Webhooks | undefined
  return {
    ...none,
    ...brought,
    kind,
    read(delivery, body, webUrl) {
      try {
        return brought?.read(delivery, body, webUrl) ?? { type: 'none', what: '' }
      } catch (error) {
        throw new MalformedWebhook(error instanceof Error ? error.message : 'body')
      }
    },
  }
}
