/**
 * The package for VS Code. The manifest is always checked; with its packages (`npm run test:vscode`) the extension is built, packed, and
 * run with the true client of the protocol and the true server. VS Code itself is a stub: its test host has to be downloaded.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bundleExtension } from '../../scripts/vscode-package.ts'
import { Severity } from '../../src/domain/severity.ts'
import { EditorSettings } from '../../src/lsp/contract.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
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
  const used = [...menus['view/title'].map(({ command }: { command: string }) => command)]
  used.push(...[...JSON.stringify(viewsWelcome).matchAll(/\(command:([\w.]+)\)/g)].map(([, name]) => name))
  expect(offered).toEqual(expect.arrayContaining(used))
  expect(views.explorer.map(({ id }: { id: string }) => id)).toEqual(['sightline.findings'])
})

test('its settings are those of the server, and a workspace can neither name a program nor make itself trusted', () => {
  const keys = Object.keys(configuration.properties).map((key) => key.replace('sightline.', ''))
  const ofServer = Object.keys(EditorSettings.shape).filter((key) => key !== 'trusted')
  expect(keys.sort()).toEqual([...ofServer, 'path'].sort())
  expect(configuration.properties['sightline.path'].scope).toBe('machine')
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

    const installed = join(root, 'installed')
    mkdirSync(join(installed, 'node_modules/vscode'), { recursive: true })
    copyFileSync(await bundleExtension(), join(installed, 'extension.cjs'))
    copyFileSync(
      join(import.meta.dirname, 'vscode-stub.cjs'),
      join(installed, 'node_modules/vscode/index.js'),
    )
    const require = createRequire(join(installed, 'extension.cjs'))
    const { made, options } = require('vscode').stub
    Object.assign(options, { path: binary, folder: repository, file: join(repository, 'run.ts'), text })
    const extension = require('./extension.cjs')
    const subscriptions: { dispose(): void }[] = []
    await extension.activate({ subscriptions })
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
