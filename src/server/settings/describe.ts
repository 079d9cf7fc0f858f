/** What a server with these settings would do, for people who check them. No secret is part of it. */
import { addressesOf } from '../connections/host-addresses.ts'
import type { LoadedServerSettings } from './load.ts'

export function describeServer({ settings, secrets, dataFolder, path }: LoadedServerSettings): string {
  const { role, listen, url, connections, signIn } = settings
  const root = url?.replace(/\/$/, '') ?? `http://${listen.host}:${listen.port}`
  const lines = [
    `Settings: ${path ?? 'defaults and environment'}`,
    `Role: ${role}`,
    `Listens on: ${listen.host}:${listen.port}`,
    `Data folder: ${dataFolder}`,
    `Database: ${secrets.databaseUrl === null ? 'embedded' : 'PostgreSQL'}`,
    ...Object.entries(connections).flatMap(([name, connection]) => {
      const own = secrets.connections[name]
      const access = connection.appId
        ? `App ${connection.appId}`
        : own?.token
          ? 'token'
          : `App made at ${root}/setup`
      return [
        `Connection ${name}: ${connection.kind} at ${addressesOf(connection).webUrl}, ${access}`,
        `  webhooks to ${root}/webhooks/${name}`,
      ]
    }),
    ...Object.entries(signIn.providers).flatMap(([name, { kind }]) => [
      `Sign-in with ${name}: ${kind}`,
      `  redirect address ${root}/auth/${name}/callback`,
    ]),
  ]
  return `${lines.join('\n')}\nThe settings are valid, and the data folder can be written.\n`
}
