/** Which hosts there are. */
import { remembered } from '../../base/remembered.ts'
import {
  type BuiltInHostKind,
  type HostKind,
  type HostPackageName,
  isBuiltIn,
} from '../../domain/host-kind.ts'
import { azure } from '../azure/index.ts'
import { bitbucket } from '../bitbucket/index.ts'
import { bitbucketDc } from '../bitbucket-dc/index.ts'
import { forgejo } from '../forgejo/index.ts'
import { github } from '../github/index.ts'
import { gitlab } from '../gitlab/index.ts'
import type { Host } from './host.ts'
import { hostKit } from './kit.ts'
import { packageOf } from './packages.ts'

const builtIn: Readonly<Record<BuiltInHostKind, Host>> = {
  ...{ azure, bitbucket, 'bitbucket-dc': bitbucketDc, forgejo, github, gitlab },
}
const opened = new Map<HostPackageName, Host>()

/** Throws `host-package-unusable`. */
export function hostOf(kind: HostKind): Host {
  if (isBuiltIn(kind)) return builtIn[kind]
  const { facts, openHost } = packageOf(kind)
  return remembered(opened, kind, () => ({ facts, ...openHost(hostKit) }))
}
