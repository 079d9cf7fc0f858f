/** `sightline workspace`: the repositories that belong together, and how current the index of them is. */
import { count } from '../../base/count.ts'
import { exitCodes } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { MemberStatus } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { flag } from '../input/options.ts'
import { asciiJson } from '../output/safe-text.ts'
import { lines } from '../questions/describe.ts'
import { servicesIn } from '../shell.ts'

export const workspace = defineCommand({
  name: 'workspace',
  summary: 'List the repositories that reviews look into for uses of what a change breaks.',
  operand: null,
  options: {
    update: flag('Read what is new in all of them, so that reviews need not.'),
    json: flag('Print JSON.'),
  },
  examples: ['sightline workspace --update  # after adding a repository to the settings'],
  async run({ values, terminal, shell, signal }) {
    const { openServices, updateWorkspace, workspaceStatus } = await import('../../index.ts')
    const services = await openServices({ ...servicesIn(shell), signal })
    try {
      const found = values.update
        ? await updateWorkspace(services, ({ name }) => terminal.note(`read ${visibleLine(name)}\n`))
        : await workspaceStatus(services)
      await terminal.result(values.json ? `${asciiJson(found, 2)}\n` : describe(found))
      return exitCodes.clean
    } finally {
      await services.close()
    }
  },
})

const none =
  'No workspace. List repositories that belong together in your settings: `workspace: { repositories: [~/code/api, ~/code/web] }`.'

function describe(found: readonly MemberStatus[]): string {
  if (found.length === 0) return lines([none])
  const width = Math.max(...found.map(({ name }) => visibleLine(name).length))
  return lines([
    count(found.length, 'repository', 'repositories'),
    ...found.map(({ name, commit, committedAt, trouble }) => {
      const at =
        commit === null ? 'not read' : `read at ${commit.slice(0, 7)} of ${committedAt?.slice(0, 10)}`
      return `  ${visibleLine(name).padEnd(width)}  ${at}${trouble === null ? '' : `: ${visibleLine(trouble)}`}`
    }),
  ])
}
