/** A check with many annotations: in batches of 50, most important first, and sealed only by the last. */
import { expect, onTestFinished, test } from 'vitest'
import type { PlannedCheck } from '../../../src/hosts/remote/contract.ts'
import { openTransport } from '../../../src/hosts/remote/transport.ts'
import { hostSetups } from '../../contracts/host-setups.ts'
import { type FakeGitHub, startGitHub } from '../../helpers/hosts/github/server.ts'

const signal = new AbortController().signal

async function open() {
  const setup = hostSetups.github
  const fake: FakeGitHub = await startGitHub()
  onTestFinished(() => fake.close())
  const project = fake.world.createProject('acme/shop', { files: { 'a.ts': 'one\n' } })
  const change = project.open({ branch: 'topic', files: { 'a.ts': 'two\n' } })
  const { write, tokenName } = setup.tokens(fake, project)
  const address = setup.addressOf(fake, project, change)
  const writer = setup.host.openWriter(address, { token: write, tokenName, fetch: openTransport() })
  const check: PlannedCheck = {
    head: change.head,
    key: 'abc123',
    conclusion: 'neutral',
    title: 'Many findings',
    summary: 'All of them.',
    annotations: Array.from({ length: 120 }, (_, at) => ({
      ...{ path: 'a.ts', startLine: at + 1, endLine: at + 1, level: 'warning' as const },
      ...{ title: `number ${at + 1}`, message: 'a message' },
    })),
  }
  return { fake, writer, check }
}

test('120 annotations are three requests, in their order', async () => {
  const { fake, writer, check } = await open()
  expect(await writer.putCheck(check, signal)).toEqual({ refused: null })
  expect(fake.writes()).toHaveLength(3)
  const [run, ...others] = fake.state.checks
  expect(others).toEqual([])
  expect(run?.annotations.map(({ title }) => title)).toEqual(check.annotations.map(({ title }) => title))
  expect((await writer.readState(signal)).check).toMatchObject({ key: 'abc123', isOpen: false })
  expect(fake.violations).toEqual([])
})

test('one that is interrupted between two batches is not taken for a whole one', async () => {
  const { fake, writer, check } = await open()
  fake.faults.at(2, { kind: 'drop-before' }, ({ isWrite }) => isWrite)
  await expect(writer.putCheck(check, signal)).rejects.toThrow()
  expect((await writer.readState(signal)).check).toMatchObject({ key: 'unfinished', isOpen: false })
})
