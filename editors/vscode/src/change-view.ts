/** The view of one pull request: its findings as the team's server knows them, and questions about them. Texts are foreign. */
import * as vscode from 'vscode'
import { visibleLine, visibleText } from '../../../src/base/visible-text.ts'
import type { ChangeDetail, ChangeFinding, ChangePage } from '../../../src/server/api/contract/changes.ts'
import type { Answer } from '../../../src/server/api/contract/conversation.ts'
import { ServerRefused, type TeamServer } from './team-server.ts'

type Chosen = { repository: string; change: number }

/** By the branch on which it was chosen. */
const memory = 'sightline.change'

export class ChangeView implements vscode.TreeDataProvider<ChangeFinding>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>()
  readonly onDidChangeTreeData = this.changed.event
  private readonly server: TeamServer
  private readonly state: vscode.Memento
  private shown: ChangeDetail | null = null

  constructor(server: TeamServer, state: vscode.Memento) {
    this.server = server
    this.state = state
  }

  getChildren(finding?: ChangeFinding): ChangeFinding[] {
    return finding ? [] : (this.shown?.findings ?? []).filter(({ aside }) => aside === null)
  }

  getTreeItem({ title, severity, path, line, state, moves }: ChangeFinding): vscode.TreeItem {
    const item = new vscode.TreeItem(visibleLine(title))
    item.description = `${state === 'open' ? severity : state}, ${visibleLine(path)}:${line}`
    item.tooltip = moves
      .map(({ at, what, why }) => visibleLine(`${at.slice(0, 10)} ${what}${why ? `: ${why}` : ''}`))
      .join('\n')
    item.iconPath = new vscode.ThemeIcon(icons[state] ?? 'pass')
    item.contextValue = 'finding'
    const uri = fileAt(path)
    const at = new vscode.Position(Math.max(line - 1, 0), 0)
    const selection = new vscode.Range(at, at)
    if (uri) item.command = { title: 'Show', command: 'vscode.open', arguments: [uri, { selection }] }
    return item
  }

  /** Asks for the token; it goes into the secrets of VS Code. */
  async signIn(): Promise<void> {
    const prompt = `An API token of ${this.server.url} with the scopes read and review`
    const token = await vscode.window.showInputBox({ prompt, password: true, ignoreFocusOut: true })
    if (!token) return
    await this.server.signIn(token.trim())
    await this.refresh()
  }

  async signOut(): Promise<void> {
    await this.server.signOut()
    this.show(null)
  }

  /** Among those that were reviewed last. */
  async choose(): Promise<void> {
    const { items } = await this.server.get<ChangePage>('/changes?limit=50')
    const choices = items.flatMap(({ newest: { repository, change, title } }) =>
      change === null
        ? []
        : [
            {
              label: `#${change} ${visibleLine(title)}`,
              description: visibleLine(repository),
              repository,
              change,
            },
          ],
    )
    const chosen = await vscode.window.showQuickPick(choices, { title: 'Which pull request?' })
    if (!chosen) return
    const { repository, change } = chosen
    await this.state.update(memory, {
      ...this.state.get<Record<string, Chosen>>(memory),
      [branch()]: { repository, change },
    })
    await this.refresh()
  }

  /** Shows nothing where nobody signed in, or no pull request was chosen on this branch. */
  async refresh(): Promise<void> {
    const chosen = this.state.get<Record<string, Chosen>>(memory)?.[branch()]
    if (!chosen || !(await this.server.isSignedIn())) return this.show(null)
    const { repository, change } = chosen
    const query = new URLSearchParams({ repository, change: String(change) })
    this.show(await this.server.get<ChangeDetail>(`/change?${query}`))
  }

  /** The page of the review, in the browser: the server lets no other page frame it. */
  async open(): Promise<void> {
    const { repository, change } = this.required()
    const query = new URLSearchParams({ repository, change: String(change) })
    await vscode.env.openExternal(vscode.Uri.parse(`${this.server.url}/change?${query}`))
  }

  async ask(finding: ChangeFinding): Promise<void> {
    const { runs } = this.required()
    const run = runs.find(({ kind, state }) => kind === 'review' && state === 'finished')
    if (!run) throw new ServerRefused('No review of this pull request has finished.')
    const prompt = `About “${visibleLine(finding.title)}”. The answer costs money on the server.`
    const said = await vscode.window.showInputBox({ prompt, ignoreFocusOut: true })
    if (!said) return
    const place = `${finding.path}:${finding.line}`
    const question = `About the finding "${finding.title}" at ${place}: ${said}`.slice(0, 4000)
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: 'Sightline: asking',
      cancellable: true,
    }
    const answer = await vscode.window.withProgress(options, async (_, token) => {
      const ended = new AbortController()
      token.onCancellationRequested(() => ended.abort())
      return await this.server.ask(run.run, question, ended.signal)
    })
    const document = await vscode.workspace.openTextDocument({ content: wordsOf(answer) })
    await vscode.window.showTextDocument(document)
  }

  dispose(): void {
    this.changed.dispose()
  }

  private required(): ChangeDetail {
    if (!this.shown) throw new ServerRefused('Choose a pull request first.')
    return this.shown
  }

  private show(detail: ChangeDetail | null): void {
    this.shown = detail
    this.changed.fire(undefined)
  }
}

const icons: Readonly<Record<string, string>> = {
  open: 'warning',
  reopened: 'warning',
  dismissed: 'circle-slash',
}

/** Null for what is no file of the folder. */
function fileAt(path: string): vscode.Uri | null {
  const folder = vscode.workspace.workspaceFolders?.[0]
  if (!folder || path.startsWith('/') || path.split(/[\\/]/).includes('..')) return null
  return vscode.Uri.joinPath(folder.uri, path)
}

type GitExtension = {
  getAPI(version: 1): { repositories: { state: { HEAD?: { name?: string } } }[] }
}

/** Empty where the extension of git does not know it. */
function branch(): string {
  const git = vscode.extensions.getExtension<GitExtension>('vscode.git')
  return (git?.isActive && git.exports.getAPI(1).repositories[0]?.state.HEAD?.name) || ''
}

/** Plain text: nothing in it can be clicked. */
function wordsOf({ statements, cannot, failed }: Answer): string {
  const said = statements.map(({ text, isGuess, citations }) =>
    [
      `${text}${isGuess ? ' (no quote shows this)' : ''}`,
      ...citations.flatMap(({ path, startLine }) => (path === null ? [] : [`  ${path}:${startLine}`])),
    ].join('\n'),
  )
  return visibleText([...said, ...(cannot === '' ? [] : [cannot]), ...(failed ? [failed] : [])].join('\n\n'))
}
