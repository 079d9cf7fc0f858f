/** What a machine is, what is looked at on it, and what comes out. */

export type Machine = {
  name: string
  /** For the table. */
  words: string
  /** Its own Node, which the wrapper and npm run on. */
  node: string
  /** Packages of Debian beyond git and certificates. */
  packages: readonly ('bubblewrap' | 'curl' | 'libatomic1')[]
  /** Null: root. Else a user, who cannot write to the system. */
  user: 'ada' | null
  /** False: no program can make user namespaces, and so no sandbox. */
  hasNamespaces: boolean
  home: 'writable' | 'read-only' | 'unset'
  checkout: 'writable' | 'read-only'
  /** The name of the folder that the checkout is in. */
  folder: string
  environment: Readonly<Record<string, string>>
  umask: string
  /** Tests run on its own Node; else on the pinned one, as `npm test` does. */
  testsOnOwnNode: boolean
}

export type Check = 'first review' | 'tests' | 'ui' | 'serve --check' | 'doctor'

export type Outcome = {
  seconds: number
  passed: number
  failed: number
  /** Tests that were left out, and for want of what. */
  leftOut: number
  why: string
  /** The end of what was printed, where something failed. */
  words: string
}
