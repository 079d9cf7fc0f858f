/**
 * The world of docs/tools-by-example.md: a change request of two small Python files on a strict GitHub, an issue in Linear and an
 * error in Sentry, an older change, another open one, and a fact that the team accepted.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { digestOf, readNote, writeNote } from '../../src/memory/note-file.ts'
import { fakeApiKey } from '../helpers/fakes/provider.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { startGitHub } from '../helpers/hosts/github/server.ts'
import { sightline } from '../helpers/sightline.ts'
import { linearKey, startLinear } from '../helpers/trackers/linear.ts'
import { sentryToken, startSentry } from '../helpers/trackers/sentry.ts'

const limit = `def allow(user, now):
    if hits(user, now) >= 60:
        return False
    return True

def hits(user, now):
    return len(window(user["id"], now))
`
const view = `from app.limit import allow


def show(user, now):
    return "ok" if allow(user, now) else "429"
`
const unit = `import unittest


class Limit(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(1 + 1, 2)
`
const path = '.sightline/memory/rate-limit.md'
const fact = `---
scope: paths
paths: ["app/**"]
origin: a person
state: proposed
---
Rate limits count a sliding window of one minute.
`

export type ToolsWorld = {
  /** Of the change request. */
  url: string
  /** Runs the command in a clone that has the branch of the change checked out. */
  run: (...args: string[]) => ReturnType<typeof sightline>
}

export async function toolsWorld(model: { baseUrl: string }): Promise<ToolsWorld> {
  const [github, linear, sentry] = await Promise.all([
    startGitHub(),
    startLinear([
      {
        identifier: 'ENG-42',
        title: 'Limit each user',
        description: '- [ ] More than 60 requests in a minute are answered with 429',
      },
      { identifier: 'ENG-43', title: 'Rate limit of the search page', description: null },
    ]),
    startSentry([
      {
        ...{ id: '1', shortId: 'API-1', title: 'KeyError: id', project: 'api', events: 42 },
        frames: [{ filename: 'app/limit.py', function: 'hits', lineNo: 7 }],
      },
    ]),
  ])
  onTestFinished(() => github.close())
  const project = github.world.createProject('acme/shop', {
    // A busy machine answers late; that is not what is asked here.
    files: { '.sightline.yaml': 'explore: { seconds: 500, callsPerIteration: 20 }\n' },
  })
  const commit = (message: string, files: Record<string, string | null>, branch = 'main') =>
    project.commit(branch, files, { message, author: 'ada' })
  commit('Limit pages (#36)', { 'app/pages.py': 'most = 10\n' })
  commit('Revert "Limit pages (#36)" (#37)', { 'app/pages.py': null })
  commit('Limit requests (#38)', { 'app/limit.py': limit.replace('60', '100'), 'app/view.py': view })
  commit('fix: 60 requests in a minute (#39)\n\nReviewed-by: bob <bob@example.com>', {
    'app/limit.py': limit,
  })
  commit('Test the limit (#40)', { 'tests/test_limit.py': unit, [path]: accepted() })
  const other = project.open({
    branch: 'by-address',
    files: { 'app/limit.py': limit.replace('def hits(user, now):', 'def hits(user, address, now):') },
    title: 'Limit by address',
    author: 'eve',
  })
  const title = 'ENG-42: users without an id'
  const changed = limit
    .replace('def hits(user, now):', 'def hits(user, now=None):')
    .replace('user["id"]', 'user.get("id")')
  commit(title, { 'app/limit.py': changed }, 'no-id')
  const change = project.open({
    branch: 'no-id',
    title,
    body: 'Such users are counted together.',
    author: 'ada',
  })
  other.comment('bob', 'Later, please.')
  change.comment('bob', 'What if the user has no id?')
  const home = temporaryFolder()
  const settings = join(home, 'settings.yaml')
  writeFileSync(settings, JSON.stringify(settingsFor({ github, linear, sentry, model })))
  const clone = join(home, 'shop')
  execFileSync('git', ['clone', '--quiet', '--branch', 'no-id', project.repository.path, clone])
  const env = {
    SIGHTLINE_SETTINGS: settings,
    SHOP_TOKEN: github.state.addReviewerToken([project]),
    LINEAR: linearKey,
    SENTRY: sentryToken,
    FAKE_KEY: fakeApiKey,
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
  }
  return {
    url: `${github.url}/acme/shop/pull/${change.number}`,
    run: (...args) => sightline(args, { cwd: clone, env }),
  }
}

type Addresses = Record<'github' | 'linear' | 'sentry', { url: string }> & { model: { baseUrl: string } }

function settingsFor({ github, linear, sentry, model }: Addresses): object {
  const reviewer = 'claude-sonnet-5-5'
  return {
    hosts: { [new URL(github.url).host]: { kind: 'github', url: github.url, token: 'SHOP_TOKEN' } },
    languageServers: { pyright: { enabled: false } },
    trackers: {
      seconds: 60,
      linear: { url: linear.url, teams: ['ENG'], token: 'LINEAR' },
      sentry: { url: sentry.url, organization: 'acme', projects: ['api'], token: 'SENTRY' },
    },
    sandbox: {
      tests: {
        unit: { command: ['python3', '-m', 'unittest', 'discover', '-s', 'tests', '-v'], seconds: 60 },
      },
    },
    models: {
      providers: { fake: { kind: 'anthropic', baseUrl: model.baseUrl, keyFrom: 'FAKE_KEY' } },
      roles: { reviewer: `fake/${reviewer}` },
      prices: { [`fake/${reviewer}`]: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } },
    },
  }
}

/** As `sightline memory accept` writes it. */
function accepted(): string {
  const { note } = readNote(path, fact, '2026-01-01')
  if (!note) throw new Error('the fact is not a note')
  const none = { right: 0, wrong: 0, unimportant: 0, undecided: 0 }
  const tested = { runs: 5, on: '2026-01-01', of: digestOf(note), dismissed: none, lowered: none, added: 0 }
  return writeNote({ ...note, state: 'active', tested })
}
