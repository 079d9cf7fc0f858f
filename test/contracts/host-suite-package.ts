/**
 * What the npm package has as `sightline/host-suite`: the contract suite for whoever writes a host of their own, with the world
 * of repositories, changes and people that a stand-in answers from, and the server that takes requests and git for it.
 */
import { HostPackageName } from '../../src/domain/host-kind.ts'
import type { Host } from '../../src/hosts/remote/host.ts'
import { addPackage } from '../../src/hosts/remote/packages.ts'
import { hostOf } from '../../src/hosts/remote/registry.ts'

export type { Change } from '../helpers/hosts/engine/change.ts'
export type { Faults } from '../helpers/hosts/engine/faults.ts'
export {
  type ApiAnswer,
  type ApiRequest,
  type HostServer,
  type HostWire,
  type Notes,
  serveHost,
} from '../helpers/hosts/engine/server.ts'
export { type Person, type Project, World } from '../helpers/hosts/engine/world.ts'
export type { FakeHost, HostSetup } from './host-setup.ts'
export { testHost } from './host-suite.ts'

/** The host of a package that is not installed. Throws `host-package-unusable` where it does not keep the contract. */
export function openPackagedHost(name: string, exported: object): Host {
  const kind = HostPackageName.parse(name)
  addPackage(kind, exported)
  return hostOf(kind)
}
