/** `sightline servers`: which language servers were found, and why the others were not. */
import { exitCodes } from '../../base/errors.ts'
import { defineCommand } from '../command.ts'
import { flag, text } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { lines } from '../questions/describe.ts'
import { pathIn } from '../shell.ts'

export const servers = defineCommand({
  name: 'servers',
  summary: 'List the language servers that were found and their locations.',
  operand: null,
  options: {
    json: flag('Print JSON.'),
    repo: text('PATH', 'Repository. Nothing in it is ever executed. Default: the current folder.'),
  },
  examples: ['sightline servers  # the servers that `refs --server` would use'],
  async run({ values, terminal, shell }) {
    const { listServers } = await import('../../index.ts')
    const found = await listServers(pathIn(shell, values.repo ?? ''), shell.environment)
    await terminal.result(values.json ? `${asciiJson(found, 2)}\n` : lines(found.flatMap(serverLines)))
    return exitCodes.clean
  },
})

type Found = Awaited<ReturnType<typeof import('../../index.ts').listServers>>[number]

function serverLines({ name, version, languages, from, command, absent }: Found): string[] {
  const what = `${version === null ? name : `${name} ${version}`}  (${languages.join(', ')})`
  return absent === null ? [what, `  ${from}: ${command.join(' ')}`] : [what, `  not found: ${absent}`]
}
