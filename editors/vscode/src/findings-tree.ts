/** The view of all findings, by file: what the server has sent as diagnostics, in the order of their lines. */
import * as vscode from 'vscode'

type Found = { uri: vscode.Uri; diagnostic: vscode.Diagnostic }
type Node = { uri: vscode.Uri; found: readonly Found[] } | Found

/** As the server names itself in each diagnostic. */
const source = 'sightline'

export class FindingsTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>()
  readonly onDidChangeTreeData = this.changed.event
  private readonly listening = vscode.languages.onDidChangeDiagnostics(() => this.changed.fire(undefined))

  getChildren(node?: Node): Node[] {
    if (node) return 'found' in node ? [...node.found] : []
    return vscode.languages.getDiagnostics().flatMap(([uri, all]) => {
      const found = all
        .filter((diagnostic) => diagnostic.source === source)
        .sort((one, other) => one.range.start.compareTo(other.range.start))
        .map((diagnostic) => ({ uri, diagnostic }))
      return found.length === 0 ? [] : [{ uri, found }]
    })
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return 'found' in node ? fileItem(node.uri, node.found.length) : findingItem(node)
  }

  dispose(): void {
    this.listening.dispose()
    this.changed.dispose()
  }
}

function fileItem(uri: vscode.Uri, count: number): vscode.TreeItem {
  const item = new vscode.TreeItem(uri, vscode.TreeItemCollapsibleState.Expanded)
  item.description = String(count)
  item.iconPath = vscode.ThemeIcon.File
  return item
}

function findingItem({ uri, diagnostic: { message, severity, range } }: Found): vscode.TreeItem {
  const [title = ''] = message.split('\n')
  const item = new vscode.TreeItem(title)
  item.description = `line ${range.start.line + 1}`
  // Text of a finding may come from the reviewed code: never as Markdown.
  item.tooltip = message
  item.iconPath = new vscode.ThemeIcon(icons[severity] ?? 'info')
  item.command = { title: 'Show', command: 'vscode.open', arguments: [uri, { selection: range }] }
  return item
}

const icons: Readonly<Record<number, string>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
}
