/** Starts `sightline lsp`, lists what it finds, and shows pull requests of a team's server. Everything else is the language server's. */
import * as vscode from 'vscode'
import { type ExecuteCommandSignature, LanguageClient } from 'vscode-languageclient/node'
import { visibleLine } from '../../../src/base/visible-text.ts'
import { ChangeView } from './change-view.ts'
import { FindingsTree } from './findings-tree.ts'
import { TeamServer } from './team-server.ts'

const section = 'sightline'
let client: LanguageClient | null = null

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('Sightline', { log: true })
  const tree = new FindingsTree()
  const change = new ChangeView(new TeamServer(context.secrets), context.workspaceState)
  const start = () => startServer(log)
  context.subscriptions.push(
    log,
    tree,
    change,
    vscode.window.registerTreeDataProvider('sightline.change', change),
    vscode.commands.registerCommand('sightline.signIn', () => told(change.signIn())),
    vscode.commands.registerCommand('sightline.signOut', () => told(change.signOut())),
    vscode.commands.registerCommand('sightline.chooseChange', () => told(change.choose())),
    vscode.commands.registerCommand('sightline.refreshChange', () => told(change.refresh())),
    vscode.commands.registerCommand('sightline.openChange', () => told(change.open())),
    vscode.commands.registerCommand('sightline.askAboutFinding', (finding) => told(change.ask(finding))),
    vscode.window.registerTreeDataProvider('sightline.findings', tree),
    vscode.commands.registerCommand('sightline.restartServer', start),
    vscode.commands.registerCommand('sightline.showLog', () => log.show()),
    vscode.commands.registerCommand('sightline.reviewInEditor', reviewInEditor),
    vscode.commands.registerCommand('sightline.reviewInTerminal', reviewInTerminal),
    vscode.commands.registerCommand('sightline.openDashboard', () => runInTerminal(['ui'])),
    vscode.workspace.onDidGrantWorkspaceTrust(start),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const ofStart = ['path', 'navigation'].some((key) => change.affectsConfiguration(`${section}.${key}`))
      if (ofStart) void start()
    }),
  )
  await start()
  await change.refresh().catch((error: Error) => log.warn(error.message))
}

export async function deactivate(): Promise<void> {
  // One that could not be started cannot be stopped.
  if (client?.needsStop()) await client.stop()
  client = null
}

/** Instead of the one that runs. */
async function startServer(log: vscode.LogOutputChannel): Promise<void> {
  await deactivate()
  const command = pathOfCommand()
  // No setting makes a workspace trusted again.
  const args = ['lsp', ...(vscode.workspace.isTrusted ? [] : ['--untrusted'])]
  const own = new LanguageClient(
    section,
    'Sightline',
    { command, args },
    {
      documentSelector: [{ scheme: 'file' }],
      synchronize: { configurationSection: section },
      outputChannel: log,
      initializationOptions: {
        navigation: vscode.workspace.getConfiguration(section).get('navigation') ?? [],
      },
      middleware: { executeCommand },
    },
  )
  client = own
  try {
    await own.start()
  } catch (error) {
    const words = `\`${command} lsp\` could not be started: ${error instanceof Error ? error.message : error}`
    log.error(words)
    const settings = 'Open Settings'
    const chosen = await vscode.window.showErrorMessage(
      `${words}. Install the command, or set its path.`,
      settings,
    )
    if (chosen === settings)
      await vscode.commands.executeCommand('workbench.action.openSettings', `${section}.path`)
  }
}

/** What went wrong, to whoever asked. */
async function told(work: Promise<void>): Promise<void> {
  await work.catch((error: Error) =>
    vscode.window.showErrorMessage(`Sightline: ${visibleLine(error.message)}`),
  )
}

type Place = { uri: string; range: { start: vscode.Position; end: vscode.Position } }

/** The places of a code lens are listed here, where they can be stepped through; every other command is the server's. */
async function executeCommand(
  command: string,
  words: unknown[],
  next: ExecuteCommandSignature,
): Promise<unknown> {
  if (command !== `${section}.showUses`) return await next(command, words)
  const [{ uri, line, places }] = words as [{ uri: string; line: number; places: Place[] }]
  const locations = places.map((one) => {
    const { start, end } = one.range
    const range = new vscode.Range(start.line, start.character, end.line, end.character)
    return new vscode.Location(vscode.Uri.parse(one.uri), range)
  })
  const at = new vscode.Position(line, 0)
  return await vscode.commands.executeCommand(
    'editor.action.showReferences',
    vscode.Uri.parse(uri),
    at,
    locations,
  )
}

/** Of this machine's settings: a workspace cannot name a program. */
function pathOfCommand(): string {
  return vscode.workspace.getConfiguration(section).get<string>('path') || 'sightline'
}

const targets = [
  { label: 'Uncommitted work', words: ['--uncommitted'] },
  { label: 'What is uncommitted, else this branch', words: [] },
  { label: 'The last commit', words: ['--commit', 'HEAD'] },
]
const depths = [
  { label: 'offline', description: 'checks only, without a model' },
  { label: 'quick', description: 'one question to a model' },
  { label: 'standard', description: 'a model reviews the whole change' },
  { label: 'deep', description: 'several readings' },
]

const parts = [
  { label: 'This file', what: 'file' },
  { label: 'Uncommitted work', what: 'change' },
  { label: 'This branch', what: 'branch' },
]

/** The server shows what it may cost and waits for an answer; its findings are listed like all others. */
async function reviewInEditor(): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri.toString()
  if (uri === undefined) {
    await vscode.window.showErrorMessage('Open a file of the repository first.')
    return
  }
  const part = await vscode.window.showQuickPick(parts, { title: 'Review what?' })
  const ofModels = depths.filter(({ label }) => label !== 'offline')
  const depth = part && (await vscode.window.showQuickPick(ofModels, { title: 'How deep?' }))
  if (!part || !depth) return
  const asked = { uri, what: part.what, depth: depth.label }
  await vscode.commands.executeCommand(`${section}.review`, asked)
}

/** The command says itself what a model may cost, and waits for an answer. */
async function reviewInTerminal(): Promise<void> {
  const target = await vscode.window.showQuickPick(targets, { title: 'Review what?' })
  const depth = target && (await vscode.window.showQuickPick(depths, { title: 'How deep?' }))
  if (target && depth) await runInTerminal(['review', ...target.words, '--depth', depth.label])
}

/** As a process with arguments, so that no shell reads them, and as a task, so that its last words stay. */
async function runInTerminal(words: string[]): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]
  const run = new vscode.ProcessExecution(pathOfCommand(), words, folder ? { cwd: folder.uri.fsPath } : {})
  const scope = folder ?? vscode.TaskScope.Global
  await vscode.tasks.executeTask(new vscode.Task({ type: section }, scope, words.join(' '), 'Sightline', run))
}
