/** What the operator's trackers say of a change: in the bundle, for people, and for the tools of a scout. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textOf } from '../../src/agent/answer.ts'
import { type FreezeOptions, freezeChange } from '../../src/assembly/show-context.ts'
import { describeContext } from '../../src/pipeline/publish/context-text.ts'
import type { ToolScope } from '../../src/tools/contract.ts'
import { toolsFor } from '../../src/tools/registry.ts'
import { createToolbox } from '../../src/tools/toolbox.ts'
import { createRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { sharedFacts } from '../helpers/shared-facts.ts'
import { linearKey, startLinear } from '../helpers/trackers/linear.ts'
import { sentryToken, startSentry } from '../helpers/trackers/sentry.ts'
import { noTalk } from '../tools/open-toolbox.ts'

const before =
  'class Tokens:\n    def decode(self, raw):\n        return parse(raw)\n\n\ndef other():\n    return 1\n'

test('an issue of Linear and the errors that ran through a changed function are part of the bundle', async () => {
  const linear = await startLinear([
    {
      identifier: 'ENG-42',
      title: 'Refuse bad tokens',
      description: '- [ ] A bad token is refused with 401',
    },
  ])
  const sentry = await startSentry([
    {
      id: '1',
      shortId: 'API-1',
      title: 'DecodeError: bad padding ghp_x7Kq2mVbT9wLr4ZnPc8sHd3JfYg6Qa1EuXio',
      project: 'api',
      events: 42,
      frames: [
        { filename: 'app/tokens.py', function: 'other', lineNo: 7 },
        { filename: 'app/tokens.py', function: 'Tokens.decode', lineNo: 3 },
      ],
    },
    {
      id: '2',
      shortId: 'API-2',
      title: 'Elsewhere in the file',
      project: 'api',
      events: 5,
      frames: [{ filename: 'app/tokens.py', function: 'other', lineNo: 7 }],
    },
  ])
  const repo = createRepo()
  repo.commit({ 'app/tokens.py': before }, 'Add tokens')
  repo.commit(
    { 'app/tokens.py': before.replace('parse(raw)', 'parse(raw.strip())') },
    'ENG-42 and OPS-7: refuse bad tokens',
  )
  const settings = join(temporaryFolder(), 'settings.yaml')
  const trackers = {
    linear: { url: linear.url, teams: ['ENG'], token: 'LINEAR' },
    sentry: { url: sentry.url, organization: 'acme', projects: ['api'], token: 'SENTRY' },
  }
  const freeze = async (given: object) => {
    writeFileSync(settings, JSON.stringify(given))
    const options: FreezeOptions = {
      folder: repo.path,
      selector: { kind: 'commit', commit: 'HEAD' },
      cacheFolder: null,
      facts: sharedFacts(),
      environment: { SIGHTLINE_SETTINGS: settings, LINEAR: linearKey, SENTRY: sentryToken },
    }
    return (await freezeChange(options)).context
  }
  const context = await freeze({ trackers })
  const { request, evidence, around } = context
  expect(request.tickets?.map(({ id, criteria }) => [id, criteria.length])).toEqual([['linear:ENG-42', 1]])
  expect(request.limits).toContain(
    'the ticket OPS-7 (OPS-7 in the title) was not fetched: no tracker in your settings has its project',
  )
  const [found, ...others] = evidence.filter(({ source }) => source === 'tool')
  expect(others).toEqual([])
  expect(found).toMatchObject({
    trust: 'foreign',
    title: 'error in production that ran through Tokens.decode',
  })
  expect(found?.text).toMatch(
    /^sentry:API-1 \(error; events: 42, users: 0, last on 2026-11-20\): DecodeError: bad padding \S*\n {2}at app\/tokens.py:3 in Tokens.decode\n {2}at app\/tokens.py:7 in other$/,
  )
  expect(found?.text).not.toContain('ghp_x7Kq2mVbT9')
  expect(around?.sections.at(-1)).toMatchObject({ name: 'errors', items: 1, trimmed: 0 })
  expect(describeContext(context)).toContain(
    `${found?.id} error in production that ran through Tokens.decode`,
  )

  const scope = { ...noTalk, ...request, errors: request.errors ?? null } as unknown as ToolScope
  const toolbox = createToolbox({ ...toolsFor(scope), scope })
  const ask = async (tool: string, args: Record<string, string>) => {
    const checked = toolbox.check({ tool, args })
    if (!checked.ok) throw new Error(checked.detail)
    return textOf(await toolbox.run(checked.call, new AbortController().signal))
  }
  expect(await ask('get_linked_issues', {})).toContain('linear:ENG-42 (open): Refuse bad tokens')
  expect(await ask('get_related_errors', { path: 'app/tokens.py' })).toContain('sentry:API-2')
  expect(await ask('get_related_errors', { path: 'app/none.py' })).toBe('(no open error runs through it)')

  const without = await freeze({})
  expect([without.request.tickets, without.request.errors]).toEqual([undefined, undefined])
  expect(toolsFor({ ...scope, errors: null }).missing.map(({ name }) => name)).not.toContain(
    'get_related_errors',
  )
  linear.next.push({ status: 401 }, { status: 401 })
  sentry.next.push({ status: 429, headers: { 'retry-after': '60' } })
  const refused = await freeze({ trackers })
  expect(refused.request.errors).toBeUndefined()
  expect(refused.request.limits).toEqual([
    'errors of Sentry could not be fetched: Sentry (/api/0/organizations/acme/issues/) asks to wait for 60 seconds (status 429)',
    'some tickets of Linear could not be fetched: Linear does not accept the token in LINEAR',
    'the list of open tickets of Linear could not be fetched: Linear does not accept the token in LINEAR',
    'the ticket OPS-7 (OPS-7 in the title) was not fetched: no tracker in your settings has its project',
  ])
})
