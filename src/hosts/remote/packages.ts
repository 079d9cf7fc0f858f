/**
 * Hosts that packages bring. Their code runs with all rights of the operator, so one is loaded only because the operator's
 * settings name it, and only from where it is installed beside Sightline: never from what is reviewed.
 */
import { createRequire } from 'node:module'
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import type { HostPackageName } from '../../domain/host-kind.ts'
import type { HostFacts } from './contract.ts'
import type { Host } from './host.ts'

/** What a package exports; `Kit` is what it makes its host from. */
export type PackageFor<Kit> = {
  /** The version of this contract that it was written for. */
  contract: 1
  facts: HostFacts
  /** Everything else of a host. */
  openHost(kit: Kit): Omit<Host, 'facts'>
  /** `Webhooks` in `src/server/webhooks/contract.ts`, without its kind. Without them a server asks for changes now and then. */
  webhooks?: object
}
type LoadedPackage = PackageFor<object>

const callable = z.custom<() => unknown>((value) => typeof value === 'function', 'must be a function')

/** As far as it can be seen before something is asked of it. Made only where there is a package. */
const exportedSchema = () =>
  z.looseObject({
    contract: z.literal(1),
    facts: z.looseObject({
      title: z.string(),
      ...{ changePath: z.instanceof(RegExp), serverName: z.instanceof(RegExp) },
      ...{ page: z.string(), sign: z.enum(['#', '!']), headRef: z.string().nullable().default(null) },
      tokens: z.array(z.string()),
      server: z.looseObject({ webUrl: z.string(), apiUrl: z.string() }).nullable(),
      ci: z.looseObject({ token: z.string() }).nullable(),
      abilities: z.looseObject({ bodyLength: z.number(), check: z.enum(['run', 'status']).nullable() }),
    }),
    openHost: callable,
    webhooks: z
      .looseObject({ refuseHead: callable, verify: callable, deliveryId: callable })
      .extend({ read: callable, happenedAt: callable })
      .optional(),
  })

const loaded = new Map<HostPackageName, LoadedPackage>()

/** Loaded at the first call. Throws `host-package-unusable` with what to do. */
export function packageOf(name: HostPackageName): LoadedPackage {
  return loaded.get(name) ?? loadPackage(name)
}

/** `exported`: what its module exports. Throws as `packageOf` does. */
export function addPackage(name: HostPackageName, exported: unknown): LoadedPackage {
  const { data, error } = exportedSchema().safeParse(exported)
  if (!data) throw outOfContract(name, error)
  const added = data as unknown as LoadedPackage
  loaded.set(name, added)
  return added
}

function loadPackage(name: HostPackageName): LoadedPackage {
  const require = createRequire(import.meta.url)
  try {
    require.resolve(name)
  } catch (error) {
    throw unusable(`${name} is not installed beside Sightline: npm install --global ${name}`, error)
  }
  let exported: unknown
  try {
    exported = require(name)
  } catch (error) {
    throw outOfContract(name, error)
  }
  return addPackage(name, exported)
}

function outOfContract(name: HostPackageName, error: unknown): UserError {
  return unusable(`${name} does not keep the contract for hosts, version 1: ${whyIn(error)}`, error)
}

function unusable(words: string, cause: unknown): UserError {
  return new UserError('host-package-unusable', words, { cause })
}

function whyIn(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  return error instanceof Error ? error.message : String(error)
}
