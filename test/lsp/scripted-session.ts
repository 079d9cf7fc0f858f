/** A true editor that a script drives, without a window: each step it logs is a line of JSON with what was to come of it and what came. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { Traffic, typeFaults } from '../helpers/editor-traffic.ts'
import { type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { isWhole } from '../helpers/matrix.ts'
import { entry, environment, root } from '../helpers/sightline.ts'

type Step = { step: string; wanted: unknown; found: unknown }

/**
 * Every step came out as wanted, the server ended well, it reached for no network, and the types of the protocol accept what it
 * sent. The script gets its places as `SESSION_…`, and its last step is "the server ends".
 */
export async function playSession(program: string, args: readonly string[], repo: TestRepo): Promise<Step[]> {
  const [home, folder] = [temporaryFolder(), temporaryFolder()]
  const env = environment({
    ...{ HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home },
    ...{ SESSION_NODE: process.execPath, SESSION_ENTRY: entry, SESSION_LOG: join(folder, 'session.log') },
    ...{ SESSION_FOLDER: folder, SESSION_RECORDER: join(root, 'test/lsp/record-traffic.ts') },
    ...{ NODE_OPTIONS: `--import=${join(root, 'test/helpers/guard-network.mjs')}`, GUARD_PORT: '' },
    GUARD_LOG: join(folder, 'connections'),
    ...(isWhole ? { SESSION_WHOLE: '1' } : {}),
    ...{ GIT_AUTHOR_NAME: 'ada', GIT_AUTHOR_EMAIL: 'ada@example.org' },
    ...{ GIT_COMMITTER_NAME: 'ada', GIT_COMMITTER_EMAIL: 'ada@example.org' },
  })
  const said = await promisify(execFile)(program, args, { cwd: repo.path, env })
  const read = (name: string) => readFileSync(join(folder, name))
  const lines = read('session.log').toString('utf8').trim().split('\n')
  const steps = lines.map((line): Step => JSON.parse(line))
  const told = (which: 'wanted' | 'found') => steps.map((one) => [one.step, one[which]])
  expect(told('found'), said.stderr).toEqual(told('wanted'))
  expect(steps.at(-1)).toMatchObject({ step: 'the server ends' })
  expect(JSON.parse(read('end.json').toString('utf8'))).toEqual({ code: 0, signal: null })
  expect(existsSync(join(folder, 'connections'))).toBe(false)
  const traffic = new Traffic()
  traffic.ofEditor(read('editor.bytes'))
  traffic.ofServer(read('server.bytes'))
  expect(await typeFaults([traffic])).toBe('')
  return steps
}
