/** What a sandbox is: a place where a program of strangers runs without network, secrets or the host's files. */

export type SandboxedRun = {
  /** Program and arguments. No shell is used. */
  command: readonly string[]
  /** Absolute; copied by the caller, writable inside unless said, and the working folder there. */
  folder: string
  isReadOnly?: boolean
  /** Absolute folders that can be read inside at the same place. */
  readOnlyPaths: readonly string[]
  /** Absolute folders of the host and where they are seen inside, such as installed packages within the copy. */
  mounts?: readonly { from: string; to: string; isWritable: boolean }[]
  seconds: number
  memoryMb: number
  /** Output beyond this is not kept, and ends the run. */
  outputBytes: number
}

/** Folders of the host that the run may write to. */
export function writableMounts({ mounts = [] }: Pick<SandboxedRun, 'mounts'>): string[] {
  return mounts.filter(({ isWritable }) => isWritable).map(({ from }) => from)
}

export type SandboxedEnd = {
  /** Null when it was killed. */
  exitCode: number | null
  /** Both channels as they came, the end of it when it was too long. */
  output: string
  ended:
    | 'by itself'
    | 'out of time'
    | 'too much output'
    | 'too much written'
    | 'over its limits'
    | 'by a signal'
}

/** A program that lives longer than one question, and is talked to over its channels. */
export type LongRun = {
  /** Program, by its absolute path, and arguments. */
  command: readonly string[]
  /** Absolute; one of the paths below, or a folder inside of one. */
  cwd: string
  /** Absolute files and folders that can be read inside at the same place. */
  readOnlyPaths: readonly string[]
  /** Absolute folders that can be written to at the same place. */
  writablePaths: readonly string[]
  /** All its variables; nothing of ours goes along. */
  environment: Readonly<Record<string, string>>
  /** It ends by itself soon, and may go on when this process has ended. */
  outlivesParent?: boolean
  /** It may reach the network, and read how names are resolved and which certificates are trusted. */
  hasNetwork?: boolean
  /** It starts sandboxes of its own inside. */
  nests?: boolean
}

/** What to start instead of the program, with pipes or other channels as the caller likes. */
export type Launch = {
  command: string
  arguments: readonly string[]
  environment: Readonly<Record<string, string>>
  /** To be called once it has ended or was killed, so that nothing of it stays. Never rejects. */
  afterwards(): Promise<void>
}

export interface Sandbox {
  /** For people: `bubblewrap 0.8.0`. */
  readonly name: string
  /** Rejects with the signal's reason after an abort, and when the sandbox itself cannot be started. */
  run(run: SandboxedRun, signal: AbortSignal): Promise<SandboxedEnd>
  /** Starts nothing. */
  launch(run: LongRun): Launch
}
