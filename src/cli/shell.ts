/** Where a command was called from: the environment, the current folder and the streams it was given. */
import { isAbsolute, join } from 'node:path'
import type { IndexStore, Services, ServicesOptions } from '../index.ts'

export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }
export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

export type Shell = {
  readonly environment: NodeJS.ProcessEnv
  /** The current folder, absolute; relative paths that a user types begin here. */
  readonly folder: string
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  /** Facts that outlive the command, so that parsers stay warm; null where a command opens a store for itself. */
  readonly facts: IndexStore | null
}

/** That of this process. Nothing is read before it is needed: the folder may be deleted, standard input be closed. */
export const processShell: Shell = {
  get environment() {
    return process.env
  },
  get folder() {
    return process.cwd()
  },
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
  facts: null,
}

/** A path as it was typed, made absolute. */
export function pathIn(shell: Pick<Shell, 'folder'>, typed: string): string {
  return isAbsolute(typed) ? typed : join(shell.folder, typed)
}

/** What every call into the library gets of a shell. */
export function servicesIn({ environment, facts }: Pick<Shell, 'environment' | 'facts'>): {
  environment: NodeJS.ProcessEnv
  facts?: IndexStore
} {
  return { environment, ...(facts ? { facts } : {}) }
}

/** Services for one piece of work, closed after it. */
export async function withServices<Result>(
  {
    shell,
    ...options
  }: { shell: Pick<Shell, 'environment' | 'facts'> } & Omit<ServicesOptions, 'environment'>,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const { openServices } = await import('../index.ts')
  const services = await openServices({ ...servicesIn(shell), ...options })
  try {
    return await work(services)
  } finally {
    await services.close()
  }
}
