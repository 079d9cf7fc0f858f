/**
 * The package for VS Code. The manifest is always checked; with its packages (`npm run test:vscode`) the extension is built, packed, and
 * run with the true client of the protocol and both true servers. VS Code itself is a stub: its test host has to be downloaded.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { bundleExtension } from '../../scripts/vscode-package.ts'
import { Severity } from '../../src/domain/severity.ts'
import { EditorSettings } from '../../src/lsp/contract.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { makeToken } from '../helpers/served/api.ts'
import { connectHost } from '../helpers/served/hosts.ts'
import { endOfCheck, startServed } from '../helpers/served/server.ts'
import { root as checkout } from '../helpers/sightline.ts'

const folder = join(checkout, 'editors/vscode')
/** The command of a checkout. */
const binary = join(checkout, 'sightline')
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const { commands, configuration, views, menus, viewsWelcome } = manifest.contributes
const code = readFileSync(join(folder, 'src/extension.ts'), 'utf8')

test('what the manifest offers is there, and what is there is offered', () => {
  const offered = commands.map(({ command }: { command: string }) => command)
  const registered = [...code.matchAll(/registerCommand\('([\w.]+)'/g)].map(([, name]) => name)
  expect(registered.sort()).toEqual(offered.toSorted())
  const menu = [...menus['view/title'], ...menus['view/item/context']]
  const used = menu.map(({ command }: { command: string }) => command)
  used.push(
    ...[...JSON.stringify(viewsWelcome).matchAll(/\(command:([\w.]+)\)/g)].map(([, name = '']) => name),
  )
  expect(offered).toEqual(expect.arrayContaining(used))
  const shown = views.explorer.map(({ id }: { id: string }) => id)
  const provided = [...code.matchAll(/registerTreeDataProvider\('([\w.]+)'/g)].map(([, id = '']) => id)
  expect(shown.sort()).toEqual(provided.sort())
})

test('its settings are those of the server, and a workspace can neither name a program nor make itself trusted', () => {
  const keys = Object.keys(configuration.properties).map((key) => key.replace('sightline.', ''))
  const ofServer = Object.keys(EditorSettings.shape).filter((key) => key !== 'trusted')
  expect(keys.sort()).toEqual([...ofServer, 'path', 'server'].sort())
  for (const key of ['path', 'server'])
    expect(configuration.properties[`sightline.${key}`].scope).toBe('machine')
  expect(configuration.properties['sightline.minSeverity'].enum).toEqual(
    expect.arrayContaining([...Severity.options]),
  )
  expect(manifest.capabilities.untrustedWorkspaces.supported).toBe('limited')
  expect(code).toContain("vscode.workspace.isTrusted ? [] : ['--untrusted']")
})

test.runIf(process.env.SIGHTLINE_VSCODE === '1')(
  'built and packed, it starts the server, lists a finding, and runs reviews as tasks',
  async () => {
    const root = temporaryFolder()
    execFileSync(process.execPath, [
      join(import.meta.dirname, '../../scripts/vscode-package.ts'),
      join(root, 'a.vsix'),
    ])
    const listed = execFileSync('unzip', ['-Z1', join(root, 'a.vsix')], { encoding: 'utf8' })
    expect(
      listed
        .split('\n')
        .filter((name) => name.startsWith('extension/'))
        .sort(),
    ).toEqual([
      'extension/LICENSE.txt',
      'extension/dist/extension.cjs',
      'extension/package.json',
      'extension/readme.md',
    ])
    const repository = join(root, 'repository')
    mkdirSync(repository)
    const git = (...words: string[]) => execFileSync('git', words, { cwd: repository })
    git('init', '--quiet')
    writeFileSync(join(repository, 'run.ts'), 'export const one = 1\n')
    git('add', '.')
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'first')
    const text = 'export function run(all: string[]) {\n  return all\n  console.log(all)\n}\n'
    writeFileSync(join(repository, 'run.ts'), text)

    // What is dismissed is recorded there.
    vi.stubEnv('HOME', root)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { made, options, extension, context } = await install(root)
    Object.assign(options, { path: binary, folder: repository, file: join(repository, 'run.ts'), text })
    await extension.activate(context)
    onTestFinished(() => extension.deactivate())
    expect(made.errors).toEqual([])
    const tree = made.trees.get('sightline.findings')
    await expect.poll(() => tree.getChildren().length, { timeout: 60_000 }).toBe(1)
    const [file] = tree.getChildren()
    const [finding] = tree.getChildren(file)
    expect(tree.getTreeItem(finding)).toMatchObject({ description: 'line 3' })
    const use = {
      uri: `file://${repository}/a.ts`,
      range: { start: { line: 3, character: 0 }, end: { line: 3, character: 9 } },
    }
    await made.commands.get('sightline.showUses')({ uri: use.uri, finding: 'abcd', line: 2, places: [use] })
    const [name, , at, locations] = made.executed.at(-1)
    expect([name, at.line]).toEqual(['editor.action.showReferences', 2])
    expect(locations).toMatchObject([{ uri: { path: `${repository}/a.ts` }, range: { start: { line: 3 } } }])
    // Commands of the server, as the client of the protocol registers and sends them.
    const named = { uri: `file://${repository}/run.ts`, finding: finding.diagnostic.data.finding }
    expect(await made.commands.get('sightline.explain')(named)).toContain('console.log(all)')
    const dismissed = made.commands.get('sightline.dismiss')({ ...named, as: 'accepted', because: 'a test' })
    expect(await dismissed).toMatch(/^Dismissed: /)
    await expect.poll(() => tree.getChildren(), { timeout: 60_000 }).toEqual([])
    expect(await made.commands.get('sightline.restore')(named)).toMatch(/./)
    await expect.poll(() => tree.getChildren().length, { timeout: 60_000 }).toBe(1)
    options.picks = ['This file', 'quick']
    await made.commands.get('sightline.reviewInEditor')()
    const asked = { uri: `file://${repository}/run.ts`, what: 'file', depth: 'quick' }
    expect(made.executed.at(-1)).toEqual(['sightline.review', asked])
    options.picks = ['Uncommitted work', 'offline']
    await made.commands.get('sightline.reviewInTerminal')()
    await made.commands.get('sightline.openDashboard')()
    expect(made.tasks.map(({ execution }: { execution: object }) => execution)).toMatchObject([
      {
        process: binary,
        args: ['review', '--uncommitted', '--depth', 'offline'],
        options: { cwd: repository },
      },
      { process: binary, args: ['ui'] },
    ])
  },
  300_000,
)

test.runIf(process.env.SIGHTLINE_VSCODE === '1')(
  'signed in to the server of a team, it lists the findings of a pull request and sends no token without encryption',
  async () => {
    const root = temporaryFolder()
    const file = 'export function run(text: string) {\n  return eval(text)\n}\n'
    const host = await connectHost('forgejo', { files: { 'run.ts': file } })
    const server = await startServed({
      host,
      folder: temporaryFolder(),
      settings: { policy: { depth: 'offline' } },
    })
    onTestFinished(async () => {
      await server.stop()
      await host.close()
    })
    await host.announce(server.url, 'opened')
    await endOfCheck(host, server)
    const { made, options, extension, context } = await install(root)
    Object.assign(options, { path: binary, folder: root, file: join(root, 'a.ts'), text: '' })
    await extension.activate(context)
    onTestFinished(() => extension.deactivate())
    const run = async (name: string, ...words: unknown[]) =>
      await made.commands.get(`sightline.${name}`)(...words)
    const tree = made.trees.get('sightline.change')

    options.server = 'http://sightline.example.org'
    options.inputs = ['a token']
    await run('signIn')
    expect(made.errors.pop()).toContain('must begin with https://')
    options.server = `${server.url}/`
    options.inputs = ['no token of it']
    await run('signIn')
    expect(made.errors.pop()).toContain('does not accept your token')
    options.inputs = [await makeToken(server)]
    await run('signIn')
    const { number, title } = host.change
    const choices = { timeout: 60_000 }
    await expect
      .poll(async () => {
        options.picks = [`#${number} ${title}`]
        await run('chooseChange')
        return tree.getChildren().length
      }, choices)
      .toBe(1)
    const [finding] = tree.getChildren()
    expect(tree.getTreeItem(finding)).toMatchObject({
      description: expect.stringMatching(/^(?:low|medium|high|critical), run\.ts:2$/),
      command: {
        command: 'vscode.open',
        arguments: [{ path: join(root, 'run.ts') }, { selection: { start: { line: 1 } } }],
      },
    })
    expect(tree.getTreeItem({ ...finding, path: '../../etc/passwd' })).not.toHaveProperty('command')
    await run('openChange')
    expect(made.opened).toHaveLength(1)
    options.inputs = ['Why?']
    await run('askAboutFinding', finding)
    expect(made.errors.splice(0)).toEqual([expect.stringContaining('The server answered 403')])
    await run('signOut')
    expect(tree.getChildren()).toEqual([])
    await run('refreshChange')
    expect([tree.getChildren(), made.errors]).toEqual([[], []])
  },
  600_000,
)

/** The extension as it is built, beside the stub. */
async function install(root: string) {
  const installed = join(root, 'installed')
  const stub = join(installed, 'node_modules/vscode')
  mkdirSync(stub, { recursive: true })
  copyFileSync(await bundleExtension(), join(installed, 'extension.cjs'))
  copyFileSync(join(import.meta.dirname, 'vscode-stub.cjs'), join(stub, 'index.js'))
  const require = createRequire(join(installed, 'extension.cjs'))
  const { made, options, context } = require('vscode').stub
  return { made, options, context: context(), extension: require('./extension.cjs') }
}
