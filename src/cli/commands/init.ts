/** `sightline init`: writes a small commented configuration; every line of it is still the default. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodes, UserError } from '../../base/errors.ts'
import { linkStatOrNull } from '../../base/git/read-data.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { configFileNames } from '../../config/file-names.ts'
import { defineCommand } from '../command.ts'
import { flag, text } from '../input/options.ts'
import { pathIn } from '../shell.ts'
import { repositoryRoot } from './config.ts'

export const init = defineCommand({
  name: 'init',
  summary: 'Write a starter .sightline.yaml with comments.',
  operand: null,
  options: {
    force: flag('Overwrite an existing file.'),
    repo: text('PATH', 'Repository. Default: the one that contains the current folder.'),
  },
  examples: [],
  async run({ values, terminal, shell }) {
    const root = repositoryRoot(pathIn(shell, values.repo ?? ''))
    const present = configFileNames.find((name) => linkStatOrNull(join(root, name)) !== null)
    if (present !== undefined && !values.force)
      throw new UserError('usage', `${join(root, present)} already exists; --force overwrites it.`)
    const path = join(root, present ?? configFileNames[0])
    // A link is replaced, not written through: it may point out of the repository.
    await rm(path, { force: true })
    await writeFile(path, starterConfig, { flag: 'wx' })
    await terminal.result(
      `Wrote ${visibleLine(path)}. Commit it: a review reads it from the commit that the change is based on.\n`,
    )
    return exitCodes.clean
  },
})

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
