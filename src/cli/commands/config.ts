/** `sightline config`: the effective values and where each comes from; `--check` and `--schema` beside it. */
import { constants, existsSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { exitCodes, UserError } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { LoadedConfig } from '../../config/load.ts'
import { defineCommand } from '../command.ts'
import { repositoryOption } from '../input/common-options.ts'
import { flag } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { wrapped } from '../output/wrapped.ts'
import { pathIn } from '../shell.ts'

export const config = defineCommand({
  name: 'config',
  summary: 'Print the configuration and where each value comes from, or check it.',
  operand: null,
  options: {
    check: flag('Check the file in the work tree and list every problem.'),
    schema: flag('Print the JSON schema of the configuration file.'),
    json: flag('Print JSON.'),
    repo: repositoryOption,
  },
  examples: [
    'sightline config  # every key with its value and where it was set',
    'sightline config --check  # before you commit the file',
  ],
  async run({ values, terminal, shell }) {
    const chosen = (['check', 'schema', 'json'] as const).filter((name) => values[name])
    if (values.schema && chosen.length > 1)
      throw new UserError('usage', `--${chosen.join(' and --')} cannot be used together.`)
    if (values.schema) {
      const { configJsonSchema } = await import('../../config/keys.ts')
      await terminal.result(`${asciiJson(configJsonSchema(), 2)}\n`)
      return exitCodes.clean
    }
    const loaded = await loadFromWorkTree(repositoryRoot(pathIn(shell, values.repo ?? '')))
    if (values.check) await terminal.result(checked(loaded))
    else if (values.json) await terminal.result(`${asciiJson(loaded.config, 2)}\n`)
    else await terminal.result(await listing(loaded, terminal.room))
    return exitCodes.clean
  },
})

async function loadFromWorkTree(root: string): Promise<LoadedConfig> {
  const { loadConfig, refusedLink } = await import('../../config/load.ts')
  return await loadConfig(async (path) => {
    let file: FileHandle | null = null
    try {
      // A repository may have come from a stranger: no link is followed, and no pipe is waited for.
      file = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
      if (!(await file.stat()).isFile()) throw new Error(`${path} is not a regular file`)
      return { text: await file.readFile('utf8') }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return null
      if (code === 'ELOOP') throw refusedLink(path)
      throw new UserError('config-invalid', message, { cause: error })
    } finally {
      await file?.close()
    }
  })
}

function checked({ path }: LoadedConfig): string {
  return path === null ? 'No .sightline.yaml found; all values are defaults.\n' : `${path} is valid.\n`
}

async function listing({ config: values, path, lines }: LoadedConfig, room: number): Promise<string> {
  const { configKeys } = await import('../../config/keys.ts')
  const rows = configKeys().map(({ key, path: steps }) => {
    const line = lines.get(key)
    const value = steps.reduce<unknown>((inner, step) => Reflect.get(inner as object, step), values)
    return [key, JSON.stringify(value), line === undefined ? 'default' : `${path}:${line}`] as const
  })
  const keyWidth = Math.max(...rows.map(([key]) => key.length))
  const valueWidth = Math.min(40, Math.max(...rows.map(([, value]) => value.length)))
  const table = rows.map(
    ([key, value, origin]) => `${key.padEnd(keyWidth)}  ${visibleLine(value).padEnd(valueWidth)}  ${origin}`,
  )
  const note = 'A review reads this file from the commit that the change is based on, not from the work tree.'
  return `${[...table, '', ...wrapped(note, room)].join('\n')}\n`
}

/** The root of the work tree around a folder, found without git. Throws `UserError('not-a-repository')`. */
export function repositoryRoot(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) throw new UserError('not-a-repository', resolve(folder))
  }
}
