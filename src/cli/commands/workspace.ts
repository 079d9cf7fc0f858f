/** `sightline workspace`: the repositories that belong together, and how current the index of them is. */
import { count } from '../../base/count.ts'
import { exitCodes } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { MemberStatus, WorkspaceGraph } from '../../index.ts'
import { defineCommand } from '../command.ts'
import { flag } from '../input/options.ts'
import { lines } from '../questions/describe.ts'
import { withServices } from '../shell.ts'
import { printAnswer } from '../terminal.ts'

export const workspace = defineCommand({
  name: 'workspace',
  summary: 'List the repositories that reviews look into for uses of what a change breaks.',
  operand: null,
  options: {
    update: flag('Read what is new in all of them, so that reviews need not.'),
    graph: flag('Show who provides what to whom; with --update, work it out again for all.'),
    json: flag('Print JSON.'),
  },
  examples: [
    'sightline workspace --update  # after adding a repository to the settings',
    'sightline workspace --graph  # what each repository provides, and who uses it',
  ],
  async run({ values, terminal, shell, signal }) {
    const { readWorkspaceGraph, updateWorkspace, workspaceStatus } = await import('../../index.ts')
    await withServices({ shell, signal }, async (services) => {
      const onRead = ({ name }: MemberStatus) => terminal.note(`read ${visibleLine(name)}\n`)
      const updated = values.update
        ? await updateWorkspace(services, onRead, { isWhole: values.graph })
        : null
      if (values.graph)
        await printAnswer(terminal, values.json, await readWorkspaceGraph(services), describeGraph)
      else await printAnswer(terminal, values.json, updated ?? (await workspaceStatus(services)), describe)
    })
    return exitCodes.clean
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

/** Names of contracts in one line; --json has all. */
const mostNamed = 3

function describeGraph({ repositories, contracts }: WorkspaceGraph): string {
  if (repositories.length === 0) return lines([none])
  return lines(
    repositories.flatMap(({ name }) => {
      const own = contracts.filter(({ provider }) => provider === name)
      const used = own.filter(({ users }) => users.length > 0)
      const byUser = Map.groupBy(
        used.flatMap(({ kind, name: what, users }) =>
          users.map(({ repository }) => ({ repository, kind, what })),
        ),
        ({ repository }) => repository,
      )
      return [
        `${name} provides ${count(own.length, 'contract')}, ${own.length - used.length} without a user here`,
        ...[...byUser].map(([repository, all]) => {
          const named = all.slice(0, mostNamed).map(({ kind, what }) => `${what} (${kind})`)
          const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : ''
          return `  to ${repository}: ${named.join(', ')}${more}`
        }),
      ]
    }),
  )
}
