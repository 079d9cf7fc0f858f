/** What was dismissed, in whatever way, and then goes: the check and the page of the change count it alike. */
import { expect, onTestFinished, test } from 'vitest'
import { hostKinds } from '../../../src/domain/host-kind.ts'
import { ChangeDetail } from '../../../src/server/api/contract/changes.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { drawn } from '../../helpers/matrix.ts'
import { openApi } from '../../helpers/served/api.ts'
import { connectHost } from '../../helpers/served/hosts.ts'
import { endOfCheck, startServed } from '../../helpers/served/server.ts'

const evaluated = (name: string) => `export function ${name}(text: string) {\n  return eval(text)\n}\n`
const rule = 'js/dynamic-code'
const files = {
  'open.ts': evaluated('open'),
  'told.ts': evaluated('told'),
  'beside.ts': evaluated('beside').replace(
    '  return',
    `  // sightline-ignore ${rule}: the input is ours\n  return`,
  ),
  'team.ts': evaluated('team'),
}
const team = `dismissed:\n  - rule: ${rule}\n    paths: [team.ts]\n    because: the input is ours\n`
const isWaiting = { timeout: 240_000, interval: 200 }

test.each(drawn(hostKinds, 4))(
  '%s: dismissed in words, beside the code and by the team, then fixed',
  async (kind) => {
    const host = await connectHost(kind, { base: { '.sightline/dismissed.yaml': team }, files })
    const settings = { policy: { depth: 'offline', gate: { failOn: 'low', paths: ['told.ts'] } } }
    const server = await startServed({ host, folder: temporaryFolder(), settings })
    onTestFinished(async () => {
      await server.stop()
      await host.close()
    })
    const { change, project } = host
    const repository = `${new URL(host.url).host}/${project.fullName}`
    const page = `change?repository=${encodeURIComponent(repository)}&change=${change.number}`
    const agree = async (title: RegExp, counts: ChangeDetail['counts']) => {
      const check = await endOfCheck(host, server, change.head, (one) => title.test(one.title))
      await expect.poll(async () => (await api(page, ChangeDetail)).counts, isWaiting).toEqual(counts)
      return check
    }
    await host.announce(server.url, 'opened')
    await endOfCheck(host, server)
    const api = await openApi(server)
    const first = await agree(/^2 findings, 2 dismissed/, { open: 2, fixed: 0, dismissed: 2 })
    expect(first.isPassed).toBe(false)
    const notes = change.threads.flatMap((one) => (one.path === 'told.ts' ? one.notes : []))
    const [, id] = /Finding `([0-9a-f]{8})`/.exec(notes[0]?.body ?? '') ?? []
    await host.say(server.url, change.comment('ada', `@sightline ignore ${id} because the input is ours`))
    // Without a push, and with it goes what blocked.
    const second = await agree(/^1 finding, 3 dismissed/, { open: 1, fixed: 0, dismissed: 3 })
    expect(second.isPassed).toBe(true)
    const fixed = Object.entries(files).map(([path, text]) => [path, text.replace('eval', 'JSON.parse')])
    change.push(Object.fromEntries(fixed))
    await host.announce(server.url)
    // Of what nobody was ever shown, nobody hears that it is fixed.
    await agree(/^No findings, 2 fixed/, { open: 0, fixed: 2, dismissed: 0 })
    // Back again, it is still dismissed, and said nowhere.
    const said = change.threads.length
    change.push({ 'told.ts': files['told.ts'] })
    await host.announce(server.url)
    await agree(/^No findings, 1 fixed, 1 dismissed/, { open: 0, fixed: 1, dismissed: 1 })
    expect(change.threads).toHaveLength(said)
    expect(host.violations).toEqual([])
  },
)
