/** A sandbox by a container engine, for machines on which bubblewrap may not work. */
import { randomUUID } from 'node:crypto'
import type { Sandbox, SandboxedRun } from './contract.ts'
import { runBoxed } from './run-boxed.ts'

const engines = ['docker', 'podman'] as const

export function containerArguments(
  engine: (typeof engines)[number],
  image: string,
  name: string,
  { command, folder, readOnlyPaths, memoryMb }: SandboxedRun,
): string[] {
  return [
    engine,
    'run',
    '--rm',
    '--name',
    name,
    // What is not here must not be fetched for the sake of a review.
    '--pull=never',
    '--network=none',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    '--pids-limit=256',
    `--memory=${memoryMb}m`,
    '--cpus=2',
    '--read-only',
    '--tmpfs=/tmp',
    '--user=65534:65534',
    '--env=CI=true',
    '--env=HOME=/tmp',
    ...readOnlyPaths.map((path) => `--volume=${path}:${path}:ro`),
    `--volume=${folder}:/src`,
    '--workdir=/src',
    image,
    ...command,
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
            return await runBoxed(containerArguments(engine, image, name, run), run, abort)
          } finally {
            // Killing the client does not end the container.
            const quick = { seconds: 20, outputBytes: 4096 }
            await runBoxed([engine, 'rm', '--force', name], quick, new AbortController().signal).catch(
              () => {},
            )
          }
        },
      }
    } catch {
      signal.throwIfAborted()
    }
  return null
}

function newName(): string {
  return `sightline-${randomUUID()}`
}
