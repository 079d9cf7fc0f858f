/** A sandbox by a container engine, for machines on which bubblewrap may not work. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type Launch, type LongRun, type Sandbox, type SandboxedRun, writableMounts } from './contract.ts'
import { writeQuota } from './quota.ts'
import { runBoxed } from './run-boxed.ts'

const engines = ['docker', 'podman'] as const
/** Where they are looked for when the program inside gets a PATH of its own. */
const places = ['/usr/bin', '/usr/local/bin', '/bin']

export function containerArguments(
  engine: (typeof engines)[number],
  image: string,
  name: string,
  { command, folder, isReadOnly = false, readOnlyPaths, mounts = [], memoryMb }: SandboxedRun,
): string[] {
  return [
    engine,
    'run',
    ...isolation(name),
    `--memory=${memoryMb}m`,
    '--cpus=2',
    `--ulimit=fsize=${writeQuota.bytes}`,
    '--user=65534:65534',
    '--env=CI=true',
    '--env=HOME=/tmp',
    ...readOnlyPaths.map((path) => `--volume=${path}:${path}:ro`),
    `--volume=${folder}:/src${isReadOnly ? ':ro' : ''}`,
    ...mounts.map(({ from, to, isWritable }) => `--volume=${from}:${to}${isWritable ? '' : ':ro'}`),
    '--workdir=/src',
    image,
    ...command,
  ]
}

/**
 * For a program that lives longer than one question. It is the host's program in the image's system, with the user's own
 * number, so that it may write to the folders that are handed to it.
 */
export function launchArguments(
  image: string,
  name: string,
  { command, cwd, readOnlyPaths, writablePaths, environment }: LongRun,
): string[] {
  return [
    'run',
    '--interactive',
    ...isolation(name),
    `--user=${process.getuid?.() ?? 65534}:${process.getgid?.() ?? 65534}`,
    // Names only: the values come from the environment of the client, where no list of processes shows them.
    ...Object.keys(environment).map((variable) => `--env=${variable}`),
    ...readOnlyPaths.map((path) => `--volume=${path}:${path}:ro`),
    ...writablePaths.map((path) => `--volume=${path}:${path}`),
    `--workdir=${cwd}`,
    image,
    ...command,
  ]
}

/** What every container gets, whatever runs in it. */
function isolation(name: string): string[] {
  return [
    '--rm',
    '--name',
    name,
    // What is not here must not be fetched for the sake of a review.
    '--pull=never',
    '--network=none',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    '--pids-limit=256',
    '--read-only',
    '--tmpfs=/tmp:size=256m',
  ]
}

/** Null without an image, an engine, or a daemon that starts the image. */
export async function probeContainer(
  image: string | undefined,
  folder: string,
  signal: AbortSignal,
): Promise<Sandbox | null> {
  if (image === undefined) return null
  const trial = {
    command: ['true'],
    folder,
    readOnlyPaths: [],
    seconds: 20,
    memoryMb: 256,
    outputBytes: 4096,
  }
  for (const engine of engines)
    try {
      const works = await runBoxed(containerArguments(engine, image, newName(), trial), trial, signal)
      if (works.exitCode !== 0) continue
      return {
        name: `${engine} with ${image}`,
        async run(run, abort) {
          const name = newName()
          try {
            return await runBoxed(
              containerArguments(engine, image, name, run),
              { ...run, writable: [...(run.isReadOnly ? [] : [run.folder]), ...writableMounts(run)] },
              abort,
            )
          } finally {
            await removeContainer(engine, name)
          }
        },
        launch: (run) => launchByContainer(engine, image, run),
      }
    } catch {
      signal.throwIfAborted()
    }
  return null
}

function launchByContainer(engine: (typeof engines)[number], image: string, run: LongRun): Launch {
  const name = newName()
  return {
    command: places.map((folder) => `${folder}/${engine}`).find(existsSync) ?? engine,
    arguments: launchArguments(image, name, run),
    environment: run.environment,
    afterwards: () => removeContainer(engine, name),
  }
}

/** Killing the client does not end the container. */
async function removeContainer(engine: (typeof engines)[number], name: string): Promise<void> {
  const quick = { seconds: 20, outputBytes: 4096 }
  await runBoxed([engine, 'rm', '--force', name], quick, new AbortController().signal).catch(() => {})
}

function newName(): string {
  return `sightline-${randomUUID()}`
}
