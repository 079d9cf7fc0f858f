/** `sightline demo`: makes a small repository with seeded problems, and reviews it for everybody to see. */
import { mkdir, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { exitCodes, UserError } from '../../base/errors.ts'
import { makePrivateFolder, type PrivateFolder } from '../../base/private-folders.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { defineCommand } from '../command.ts'
import { flag, text } from '../input/options.ts'
import { runReview } from '../run-review.ts'

export const demo = defineCommand({
  name: 'demo',
  summary: 'Make a small repository with seeded problems and review it.',
  operand: null,
  options: {
    into: text('DIR', 'Make it in this empty or new folder, and leave it there.'),
    keep: flag('Leave it where it was made, to look around in.'),
    json: flag('Write the review as JSON.'),
    explain: flag('Also show what was dropped, and why.'),
    quiet: flag('Print nothing but the result.', '-q'),
    'no-color': flag('No colors, whatever the terminal supports.'),
  },
  examples: [
    'sightline demo  # a full report within a minute',
    'sightline demo --into /tmp/demo  # and keep it',
  ],
  async run({ values, terminal, signal }) {
    const kept = values.keep || values.into !== undefined
    const { path: folder, remove } = kept ? await keptFolder(values.into) : await makePrivateFolder('demo')
    try {
      const { buildDemo } = await import('../demo/build.ts')
      const { repository, seeded } = await buildDemo(folder)
      await runReview({
        folder: repository,
        selector: { kind: 'range', range: 'main..feature' },
        flags: { ...reviewFlags, ...values },
        terminal,
        signal,
      })
      if (!values.quiet) terminal.note(closing(repository, seeded.length, kept))
      return exitCodes.clean
    } finally {
      await remove()
    }
  },
})

/** What `review` would have without any option. */
const reviewFlags = {
  format: undefined,
  output: undefined,
  progress: false,
  verbose: false,
  'max-inline': 100,
  link: undefined,
  'fail-on': 'never',
  'min-severity': undefined,
  'require-complete': false,
  'allow-incomplete': false,
  planes: [],
  only: [],
  skip: [],
  // The demo shows what anybody gets, and spends nobody's money.
  depth: 'offline',
  model: [],
  'no-agent': false,
  fresh: false,
  'no-record': true,
  ticket: undefined,
  budget: undefined,
  estimate: false,
  'no-cache': true,
} as const

async function keptFolder(into: string | undefined): Promise<PrivateFolder> {
  const path = into === undefined ? await mkdtemp(join(tmpdir(), 'sightline-demo-')) : await emptyFolder(into)
  return { path, remove: async () => {} }
}

async function emptyFolder(into: string): Promise<string> {
  const folder = resolve(into)
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
    ? `The repository lies in ${place}; look at the change with \`git -C ${place} log -p\`.`
    : 'The repository is gone again; `sightline demo --into DIR` keeps it.'
  return `\n${seeded} problems were seeded. ${next}\nNow \`sightline review\` in a repository of your own.\n`
}
