/**
 * As much of VS Code as the extension and its client of the protocol ask for when they start: what the extension does is kept in
 * `made`, one document is open, and everything else answers with something that can be called, listened to and disposed of.
 */
const made = {
  commands: new Map(),
  diagnostics: new Map(),
  executed: [],
  errors: [],
  opened: [],
  tasks: [],
  trees: new Map(),
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character })
  }
  compareTo(other) {
    return this.line - other.line || this.character - other.character
  }
}
class Range {
  constructor(...given) {
    const [a, b, c, d] = given
    const [start, end] = given.length === 4 ? [new Position(a, b), new Position(c, d)] : given
    Object.assign(this, { start, end })
  }
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity })
  }
}
class EventEmitter {
  listeners = new Set()
  event = (listener) => {
    this.listeners.add(listener)
    return { dispose: () => this.listeners.delete(listener) }
  }
  fire(value) {
    for (const listener of this.listeners) listener(value)
  }
  dispose() {}
}
class CancellationTokenSource {
  cancelled = new EventEmitter()
  token = { isCancellationRequested: false, onCancellationRequested: this.cancelled.event }
  cancel() {
    this.token.isCancellationRequested = true
    this.cancelled.fire()
  }
  dispose() {}
}
class Uri {
  constructor(path) {
    Object.assign(this, { scheme: 'file', authority: '', path, fsPath: path, query: '', fragment: '' })
  }
  static file(path) {
    return new Uri(path)
  }
  static joinPath(uri, path) {
    return new Uri(`${uri.path}/${path}`)
  }
  static parse(text) {
    return new Uri(decodeURIComponent(new URL(text).pathname))
  }
  toString() {
    return `file://${this.path}`
  }
}
class Location {
  constructor(uri, range) {
    Object.assign(this, { uri, range })
  }
}
class TabInputText {
  constructor(uri) {
    this.uri = uri
  }
}
class TreeItem {
  constructor(label, collapsibleState) {
    Object.assign(this, { label, collapsibleState })
  }
}
class ProcessExecution {
  constructor(process, args, options) {
    Object.assign(this, { process, args, options })
  }
}
class Task {
  constructor(definition, scope, name, source, execution) {
    Object.assign(this, { definition, scope, name, source, execution })
  }
}

const none = ['then', Symbol.toPrimitive, Symbol.iterator]
const anything = () =>
  new Proxy(class {}, {
    get: (own, name) => (name === 'prototype' ? own.prototype : none.includes(name) ? undefined : anything()),
    apply: () => anything(),
    construct: (own, _, derived) => Reflect.construct(own, [], derived),
  })
const orAnything = (known) => new Proxy(known, { get: (own, name) => (name in own ? own[name] : anything()) })
const disposable = { dispose() {} }
const listen = () => disposable
const log = () => ({
  ...{ dispose() {}, show() {}, append() {}, appendLine() {}, info() {}, warn() {}, debug() {}, trace() {} },
  ...{ logLevel: 3, onDidChangeLogLevel: listen },
  error: (words) => made.errors.push(words),
})
const diagnosticsChanged = new EventEmitter()
const options = {
  path: 'sightline',
  folder: '',
  file: '',
  text: '',
  isTrusted: true,
  picks: [],
  inputs: [],
  server: '',
}

const document = () => ({
  uri: Uri.file(options.file),
  fileName: options.file,
  languageId: 'typescript',
  version: 1,
  isClosed: false,
  getText: () => options.text,
  lineCount: options.text.split('\n').length,
})
const section = {
  server: () => options.server,
  path: () => options.path,
  enabled: () => true,
  minSeverity: () => null,
}

module.exports = orAnything({
  ...{ TabInputText, TabInputTextDiff: class {}, TabInputCustom: class {}, TabInputNotebook: class {} },
  ...{ CancellationTokenSource, CancellationError: class extends Error {} },
  ...{ Position, Range, Diagnostic, EventEmitter, Location, Uri, TreeItem, ProcessExecution, Task },
  version: '1.91.0',
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  ProgressLocation: { Notification: 15 },
  TaskScope: { Global: 1, Workspace: 2 },
  ThemeIcon: class ThemeIcon {},
  CodeActionKind: { Empty: { value: '' }, QuickFix: { value: 'quickfix' } },
  env: orAnything({
    ...{ appName: 'Stub', language: 'en' },
    openExternal: async (uri) => void made.opened.push(String(uri)),
  }),
  extensions: orAnything({ getExtension: () => undefined }),
  window: orAnything({
    createOutputChannel: log,
    registerTreeDataProvider: (id, tree) => {
      made.trees.set(id, tree)
      return disposable
    },
    showErrorMessage: async (words) => void made.errors.push(words),
    showInputBox: async () => options.inputs.shift(),
    withProgress: async (_, work) => await work({ report() {} }, new CancellationTokenSource().token),
    showQuickPick: async (items) => items.find(({ label }) => label === options.picks.shift()),
    onDidChangeVisibleTextEditors: listen,
    onDidChangeActiveTextEditor: listen,
    visibleTextEditors: [],
    get activeTextEditor() {
      return { document: document() }
    },
    tabGroups: {
      get all() {
        return [{ tabs: [{ input: new TabInputText(Uri.file(options.file)) }] }]
      },
      onDidChangeTabs: listen,
    },
  }),
  commands: orAnything({
    registerCommand: (name, run) => {
      made.commands.set(name, run)
      return disposable
    },
    executeCommand: async (...words) => void made.executed.push(words),
  }),
  tasks: orAnything({ executeTask: async (task) => void made.tasks.push(task) }),
  languages: orAnything({
    onDidChangeDiagnostics: diagnosticsChanged.event,
    getDiagnostics: () => [...made.diagnostics.values()],
    createDiagnosticCollection: () => ({
      ...disposable,
      set(uri, diagnostics) {
        made.diagnostics.set(String(uri), [uri, diagnostics ?? []])
        diagnosticsChanged.fire()
      },
      delete: (uri) => made.diagnostics.delete(String(uri)),
      clear: () => made.diagnostics.clear(),
      has: (uri) => made.diagnostics.has(String(uri)),
      get: (uri) => made.diagnostics.get(String(uri))?.[1],
      forEach() {},
    }),
    match: () => 10,
    registerCodeActionsProvider: listen,
  }),
  workspace: orAnything({
    get isTrusted() {
      return options.isTrusted
    },
    get workspaceFolders() {
      return [{ uri: Uri.file(options.folder), name: 'here', index: 0 }]
    },
    getWorkspaceFolder: () => ({ uri: Uri.file(options.folder), name: 'here', index: 0 }),
    getConfiguration: () => ({
      get: (name, otherwise) => section[name]?.() ?? otherwise,
      has: (name) => name in section,
      inspect: () => undefined,
    }),
    get textDocuments() {
      return [document()]
    },
    notebookDocuments: [],
    onDidOpenTextDocument: listen,
    onDidCloseTextDocument: listen,
    onDidChangeTextDocument: listen,
    onDidSaveTextDocument: listen,
    onWillSaveTextDocument: listen,
    onDidChangeConfiguration: listen,
    onDidChangeWorkspaceFolders: listen,
    onDidGrantWorkspaceTrust: listen,
    createFileSystemWatcher: () => ({
      ...disposable,
      onDidCreate: listen,
      onDidChange: listen,
      onDidDelete: listen,
    }),
  }),
  stub: {
    ...{ made, options },
    context: () => {
      const [secrets, state] = [new Map(), new Map()]
      return {
        subscriptions: [],
        secrets: {
          get: async (key) => secrets.get(key),
          store: async (key, value) => void secrets.set(key, value),
          delete: async (key) => void secrets.delete(key),
        },
        workspaceState: {
          get: (key) => state.get(key),
          update: async (key, value) => void state.set(key, value),
        },
      }
    },
  },
})
