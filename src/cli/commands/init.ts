/** `sightline init`: writes a small commented configuration of defaults, or what another tool's configuration says. */
import { join } from 'node:path'
import { prepareBelow, writeBelow } from '../../base/below.ts'
import { exitCodes, UserError } from '../../base/errors.ts'
import { linkStatOrNull } from '../../base/git/read-data.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { configFileNames } from '../../config/file-names.ts'
import { defineCommand } from '../command.ts'
import { repositoryOption } from '../input/common-options.ts'
import { flag, text } from '../input/options.ts'
import { pathIn } from '../shell.ts'
import { repositoryRoot } from './config.ts'

export const init = defineCommand({
  name: 'init',
  summary: 'Write a starter .sightline.yaml with comments.',
  operand: null,
  options: {
    from: text('FILE', 'Carry over the configuration of another review tool, such as .coderabbit.yaml.'),
    force: flag('Overwrite existing files.'),
    repo: repositoryOption,
  },
  examples: [
    'sightline init --from .coderabbit.yaml  # says what became of every setting',
    'sightline init --from .github/copilot-instructions.md',
  ],
  async run({ values, terminal, shell }) {
    const root = repositoryRoot(pathIn(shell, values.repo ?? ''))
    if (values.from !== undefined) {
      const { planSwitch } = await import('../switching.ts')
      const { files, report } = planSwitch(root, pathIn(shell, values.from))
      await writeFiles(root, files, values.force)
      await terminal.result(report)
      return exitCodes.clean
    }
    const [path] = await writeFiles(root, [{ path: configFileNames[0], text: starterConfig }], values.force)
    await terminal.result(
      `Wrote ${visibleLine(path ?? '')}. Commit it: a review reads it from the commit that the change is based on.\n`,
    )
    return exitCodes.clean
  },
})

/**
 * All of them or, when one is in the way, none. Resolves to their absolute paths. The configuration keeps the name that
 * it has. Links are replaced, not written through: they may point out of the repository. Throws `usage`.
 */
export async function writeFiles(
  root: string,
  files: readonly { path: string; text: string }[],
  isForced: boolean,
): Promise<string[]> {
  const present = configFileNames.find((name) => linkStatOrNull(join(root, name)) !== null)
  const targets = files.map(({ path, text }) => {
    const name = path === configFileNames[0] ? (present ?? path) : path
    return { name, path: join(root, name), text }
  })
  const inTheWay = targets.map(({ path }) => path).filter((path) => linkStatOrNull(path) !== null)
  if (inTheWay.length > 0 && !isForced)
    throw new UserError('usage', `${inTheWay.join(', ')} already exists; --force overwrites it.`)
  try {
    for (const { name } of targets) prepareBelow(root, name)
    for (const { name, text } of targets) writeBelow(root, name, text, { replace: isForced })
  } catch (error) {
    throw new UserError('usage', `cannot write in ${root}: ${(error as Error).message}`, { cause: error })
  }
  return targets.map(({ path }) => path)
}

export const starterConfig = `# Sightline reads this file from the commit that a change is based on, never from the change itself.
# The values below are the defaults. \`sightline config\` lists all keys, \`sightline config --check\` checks this file.

review:
  # Exit with code 1 if there is a finding of this severity or higher: critical, high, medium, low or never.
  failOn: high
  # Hide findings below this severity.
  minSeverity: low

paths:
  # Files to leave out of reviews, as globs such as "third_party/**".
  exclude: []

rules:
  # Folders with your own ast-grep rules.
  paths: [.sightline/rules]
  # Ids of rules to turn off; \`sightline rules\` lists them.
  disable: []
`
