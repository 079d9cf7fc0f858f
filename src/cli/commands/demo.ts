/** `sightline demo`: makes a small repository with seeded problems, and reviews it for everybody to see. */
import { mkdir, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodes, UserError } from '../../base/errors.ts'
import { makePrivateFolder, type PrivateFolder } from '../../base/private-folders.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { defineCommand, unsetValues } from '../command.ts'
import { flag, text } from '../input/options.ts'
import { reviewOptions } from '../input/review-options.ts'
import { runReview } from '../run-review.ts'
import { pathIn } from '../shell.ts'

export const demo = defineCommand({
  name: 'demo',
  summary: 'Create a small repository with known problems and review it.',
  operand: null,
  options: {
    into: text('DIR', 'Create the repository in this new or empty folder and keep it.'),
    keep: flag('Keep the temporary repository.'),
    json: flag('Write the review as JSON.'),
    explain: flag('Also show dropped findings and the reasons.'),
    quiet: flag('Print only the result.', '-q'),
    'no-color': flag('Print without colors.'),
  },
  examples: [
    'sightline demo  # see a complete report',
    'sightline demo --into /tmp/demo  # keep the repository to explore it',
  ],
  async run({ values, terminal, shell, signal }) {
    const kept = values.keep || values.into !== undefined
    const { path: folder, remove } = kept
      ? await keptFolder(values.into && pathIn(shell, values.into))
      : await makePrivateFolder('demo')
    try {
      const { buildDemo } = await import('../demo/build.ts')
      const { repository, seeded } = await buildDemo(folder)
      await runReview({
        what: { folder: repository, selector: { kind: 'range', range: 'main..feature' } },
        flags: { ...reviewFlags, ...values },
        terminal,
        shell,
        signal,
      })
      if (!values.quiet) terminal.note(closing(repository, seeded.length, kept))
      return exitCodes.clean
    } finally {
      await remove()
    }
  },
})

/** The demo shows what anybody gets, and costs nothing. */
const reviewFlags = {
  ...unsetValues(reviewOptions),
  'max-inline': 100,
  minor: true,
  'fail-on': 'never',
  depth: 'offline',
  'no-record': true,
  'no-cache': true,
} as const

async function keptFolder(into: string | undefined): Promise<PrivateFolder> {
  const path = into === undefined ? await mkdtemp(join(tmpdir(), 'sightline-demo-')) : await emptyFolder(into)
  return { path, remove: async () => {} }
}

async function emptyFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true })
    if ((await readdir(folder)).length === 0) return folder
  } catch (error) {
    throw new UserError('usage', `--into: ${(error as Error).message}`, { cause: error })
  }
  throw new UserError('usage', `--into: ${folder} is not empty; name a new folder.`)
}

function closing(repository: string, seeded: number, kept: boolean): string {
  const place = visibleLine(repository)
  const next = kept
    ? `The repository is in ${place}; to see the change, run \`git -C ${place} log -p\`.`
    : 'The repository was deleted; to keep it, run `sightline demo --into DIR`.'
  return `\n${seeded} problems were planted. ${next}\nNext, run \`sightline review\` in a repository of your own.\n`
}
