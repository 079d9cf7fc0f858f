/**
 * Environment variables between a program and what deploys it. Both sides provide: a program that reads a variable under another
 * name breaks whoever sets it, and a deployment that no longer sets one breaks the program that reads it.
 */
import type { Break, Provided, Use } from '../../contract.ts'

/** `required`: the program does not go on without it. `maybe`: nothing says. `default`: it has another value then. */
export type Need = 'required' | 'maybe' | 'default'

export type Read = { name: string; need: Need; line: number }

export type SettingShape =
  | { side: 'read'; name: string; need: Need }
  /** `block`: the container or file that it is set for. */
  | { side: 'set'; name: string; block: string }

export type ProvidedSetting = Provided<SettingShape>

export type SettingUse = Use<
  | { side: 'read'; name: string; need: Need }
  | { side: 'set'; name: string; names: readonly string[]; isOpen: boolean }
>

export type BrokenSetting = Break<{
  /** Of the uses that may be broken. */
  side: 'read' | 'set'
  of: 'renamed' | 'required' | 'unset'
  name: string
  renamedTo: string | null
  /** What else the program reads: by this its deployment is known. */
  others: readonly string[]
}>

export function keyOf(name: string): string {
  return `setting:${name}`
}

/** So many programs have it that the name alone says nothing. */
export function isCommonName(name: string): boolean {
  return /^(?:PORT|HOST|HOSTNAME|ADDRESS|NODE_ENV|ENV|ENVIRONMENT|APP_ENV|RAILS_ENV|DEBUG|VERBOSE|LOG_?LEVEL|LOG_FORMAT|PATH|HOME|USER|SHELL|TZ|LANG|LC_ALL|PWD|TMPDIR|CI|VERSION|DATABASE_URL|DB_\w+|POSTGRES_\w+|MYSQL_\w+|PG\w+|REDIS_\w+|API_(?:KEY|URL|TOKEN)|BASE_URL|SECRET(?:_KEY)?|JWT_SECRET|SENTRY_DSN|(?:AWS|GITHUB|GITLAB|GOOGLE|AZURE|KUBERNETES|OTEL|NPM|PIP|PYTHON|JAVA|NODE|GO|CARGO|RUST|HTTPS?|NO)_\w+|PYTHON\w+)$/.test(
    name,
  )
}
