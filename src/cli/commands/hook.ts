/**
 * `sightline hook install`: a review before every commit. Other hooks stay: ours is a few marked lines in the same script,
 * and `sightline hook remove` takes exactly these out again. Where a tool manages the hooks, its file is for people to edit.
 */
import { dirname, join, relative, sep } from 'node:path'
import { removeBelow, writeBelow } from '../../base/below.ts'
import { exitCodes, UserError } from '../../base/errors.ts'
import { readHooksPath } from '../../base/git/config-data.ts'
import { discoverRepository, type Repository } from '../../base/git/discover.ts'
import { linkStatOrNull, readData } from '../../base/git/read-data.ts'
import { isInside } from '../../base/places.ts'
import { usePrivateFolder } from '../../base/private-folders.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { defineCommand } from '../command.ts'
import { repositoryOption } from '../input/common-options.ts'
import { pathIn } from '../shell.ts'

export const hook = defineCommand({
  name: 'hook',
  summary: 'Review before every commit: add a git hook, or remove it.',
  operand: 'install|remove',
  options: {
    repo: repositoryOption,
  },
  examples: [
    'sightline hook install  # keeps the hooks that you have',
    'sightline hook remove',
    'git commit --no-verify  # one commit without any hook',
  ],
  async run({ values, operands: [task], terminal, shell }) {
    if (task !== 'install' && task !== 'remove')
      throw new UserError('usage', 'say `sightline hook install` or `sightline hook remove`.')
    const repository = discoverRepository(pathIn(shell, values.repo ?? ''))
    const script = await findScript(repository, task)
    const there = readScript(script)
    const next = task === 'install' ? withBlock(there, script) : withoutBlock(there)
    if (next === there) {
      const state = task === 'install' ? 'already has the hook' : 'has no hook of Sightline'
      await terminal.result(`${visibleLine(script)} ${state}.\n`)
      return exitCodes.clean
    }
    write(script, next, repository)
    await terminal.result(
      task === 'install'
        ? `Added to ${visibleLine(script)}: every commit is reviewed first, by the \`sightline\` on your PATH. \`git commit --no-verify\` skips it once.\n`
        : `Removed from ${visibleLine(script)}.\n`,
    )
    return exitCodes.clean
  },
})

const begin = '# sightline: begin'
const end = '# sightline: end'

/** Findings and mistakes of usage stop the commit, outages do not: see docs/exit-codes.md. */
const block = `${begin} (\`sightline hook remove\` removes these lines)
if command -v sightline >/dev/null 2>&1; then
  sightline review --staged --quiet || { sightline_code=$?; case "$sightline_code" in 1|2) exit "$sightline_code" ;; esac; }
else
  echo 'sightline is not on the PATH; the commit was not reviewed.' >&2
fi
${end}
`

/** Managers that write the scripts themselves, and what to put into their file. */
const managers: readonly { files: readonly string[]; name: string; lines: string }[] = [
  {
    name: 'lefthook',
    files: [
      'lefthook.yml',
      'lefthook.yaml',
      '.lefthook.yml',
      '.lefthook.yaml',
      'lefthook.toml',
      'lefthook.json',
    ],
    lines: 'pre-commit:\n  jobs:\n    - name: sightline\n      run: sightline review --staged --quiet',
  },
  {
    name: 'pre-commit',
    files: ['.pre-commit-config.yaml', '.pre-commit-config.yml'],
    lines:
      'repos:\n  - repo: local\n    hooks:\n      - id: sightline\n        name: sightline\n        language: system\n' +
      '        entry: sightline review --staged --quiet\n        pass_filenames: false\n        always_run: true',
  },
]

/** Throws `usage` where the scripts belong to a tool, or to all repositories of the user. */
async function findScript(repository: Repository, task: 'install' | 'remove'): Promise<string> {
  const { workTree, commonDir } = repository
  const named = await usePrivateFolder('hook', (home) => readHooksPath({ gitDir: home, home }, repository))
  const isOutside =
    named !== null && ![workTree, commonDir].some((folder) => folder !== null && isInside(named, folder))
  if (isOutside)
    throw new UserError(
      'usage',
      `core.hooksPath is ${named}, outside this repository, so its hooks run for other repositories too; add \`sightline review --staged --quiet\` to ${join(named, 'pre-commit')} yourself.`,
    )
  const manager = managers.find(({ files }) =>
    files.some((file) => workTree !== null && linkStatOrNull(join(workTree, file)) !== null),
  )
  if (manager && task === 'install')
    throw new UserError(
      'usage',
      `${manager.name} manages the hooks of this repository; add this to its file instead:\n\n${manager.lines}\n`,
    )
  // husky has git run scripts of its own in `.husky/_`, which run those beside it.
  const isHusky =
    named !== null && workTree !== null && relative(workTree, named).split(sep).join('/') === '.husky/_'
  if (isHusky) return join(dirname(named), 'pre-commit')
  return join(named ?? join(commonDir, 'hooks'), 'pre-commit')
}

/** Null when there is none. Throws `usage` for what lines of shell cannot be added to. */
function readScript(path: string): string | null {
  const stat = linkStatOrNull(path)
  if (stat === null) return null
  if (!stat.isFile())
    throw new UserError('usage', `${path} is not a regular file, and links are not followed.`)
  const script = readData(path, 1024 * 1024)?.toString('utf8')
  if (script === undefined) throw new UserError('usage', `${path} cannot be read.`)
  const [first = ''] = script.split('\n')
  if (first.startsWith('#!') && !/\b(?:ba|da|z|k)?sh\b/.test(first))
    throw new UserError(
      'usage',
      `${path} is not a shell script (${visibleLine(first)}); run \`sightline review --staged --quiet\` from it yourself.`,
    )
  return script
}

/** Ours comes first: many scripts end with `exit` or `exec`. */
function withBlock(script: string | null, path: string): string {
  if (script?.includes(begin)) return script
  // husky's scripts need no first line.
  if (script === null) return path.includes(`${sep}.husky${sep}`) ? block : `#!/bin/sh\n${block}`
  const cut = script.startsWith('#!') ? script.indexOf('\n') + 1 || script.length : 0
  const head = script.slice(0, cut)
  return `${head}${head === '' || head.endsWith('\n') ? '' : '\n'}${block}${script.slice(cut)}`
}

/** Null where nothing but ours was in it. */
function withoutBlock(script: string | null): string | null {
  const from = script?.indexOf(begin) ?? -1
  const to = script?.indexOf(`${end}\n`, from) ?? -1
  if (script === null || from === -1 || to === -1) return script
  const rest = script.slice(0, from) + script.slice(to + end.length + 1)
  const [first = '', ...more] = rest.split('\n')
  const isEmpty = more.join('').trim() === '' && (first.startsWith('#!') || first.trim() === '')
  return isEmpty ? null : rest
}

/** Nothing is written through a link: whoever may write to the repository could point it anywhere. */
function write(script: string, text: string | null, { workTree, commonDir }: Repository): void {
  const root = workTree !== null && isInside(script, workTree) ? workTree : commonDir
  const path = relative(root, script).split(sep).join('/')
  try {
    if (text === null) removeBelow(root, path)
    else writeBelow(root, path, text, { replace: true, mode: 0o755 })
  } catch (error) {
    throw new UserError('usage', `${script} cannot be written: ${(error as Error).message}`, { cause: error })
  }
}
