/** `sightline init`: writes a small commented configuration; every line of it is still the default. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodes, UserError } from '../../base/errors.ts'
import { linkStatOrNull } from '../../base/git/read-data.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { configFileNames } from '../../config/file-names.ts'
import { defineCommand } from '../command.ts'
import { flag, text } from '../input/options.ts'
import { repositoryRoot } from './config.ts'

export const init = defineCommand({
  name: 'init',
  summary: 'Write a small commented .sightline.yaml.',
  operand: null,
  options: {
    force: flag('Overwrite the one that is there.'),
    repo: text('PATH', 'The repository; the one around the current folder when not given.'),
  },
  examples: [],
  async run({ values, terminal }) {
    const root = repositoryRoot(values.repo ?? process.cwd())
    const present = configFileNames.find((name) => linkStatOrNull(join(root, name)) !== null)
    if (present !== undefined && !values.force)
      throw new UserError('usage', `${join(root, present)} is there already; --force overwrites it.`)
    const path = join(root, present ?? configFileNames[0])
    // A link is replaced, not written through: it may point out of the repository.
    await rm(path, { force: true })
    await writeFile(path, starterConfig, { flag: 'wx' })
    await terminal.result(
      `Wrote ${visibleLine(path)}. Commit it: a review reads it from the commit a change is based on.\n`,
    )
    return exitCodes.clean
  },
})

export const starterConfig = `# Sightline reads this file from the commit a change is based on, never from the change itself.
# Every value below is the default. All keys: \`sightline config\`; check this file: \`sightline config --check\`.

review:
  # Exit with code 1 when a finding of this severity or worse stands: critical, high, medium, low or never.
  failOn: high
  # Findings milder than this are not shown.
  minSeverity: low

paths:
  # Globs of files that are never reviewed, such as "third_party/**".
  exclude: []

rules:
  # Folders with ast-grep rules of your own.
  paths: [.sightline/rules]
  # Rules to switch off, by id; \`sightline rules\` lists them.
  disable: []
`
