/**
 * Which commands there are, in the groups and the order in which help lists them; `help`, `completions` and `manual` come
 * on top, since they read this list. Each is loaded when it is called, so that a short answer starts fast.
 */
import type { Command } from '../command.ts'

type Loaders = Readonly<Record<string, () => Promise<Command>>>

const groups = {
  Reviews: {
    review: () => import('./review.ts').then((file) => file.review),
    demo: () => import('./demo.ts').then((file) => file.demo),
    ask: () => import('./ask.ts').then((file) => file.ask),
    prove: () => import('./prove.ts').then((file) => file.prove),
    show: () => import('./show.ts').then((file) => file.show),
    replay: () => import('./replay.ts').then((file) => file.replay),
    compare: () => import('./compare.ts').then((file) => file.compare),
    runs: () => import('./runs.ts').then((file) => file.runs),
    ui: () => import('./ui.ts').then((file) => file.ui),
  },
  Findings: {
    findings: () => import('./findings.ts').then((file) => file.findings),
    dismiss: () => import('./dismiss.ts').then((file) => file.dismiss),
    stats: () => import('./stats.ts').then((file) => file.stats),
    memory: () => import('./memory.ts').then((file) => file.memory),
  },
  Code: {
    context: () => import('./context.ts').then((file) => file.context),
    impact: () => import('./impact.ts').then((file) => file.impact),
    callers: () => import('./callers.ts').then((file) => file.callers),
    refs: () => import('./refs.ts').then((file) => file.refs),
    def: () => import('./def.ts').then((file) => file.def),
    outline: () => import('./outline.ts').then((file) => file.outline),
    search: () => import('./search.ts').then((file) => file.search),
    experts: () => import('./experts.ts').then((file) => file.experts),
    related: () => import('./related.ts').then((file) => file.related),
    index: () => import('./index.ts').then((file) => file.index),
    workspace: () => import('./workspace.ts').then((file) => file.workspace),
  },
  'Set-up': {
    init: () => import('./init.ts').then((file) => file.init),
    config: () => import('./config.ts').then((file) => file.config),
    hook: () => import('./hook.ts').then((file) => file.hook),
    rules: () => import('./rules.ts').then((file) => file.rules),
    models: () => import('./models.ts').then((file) => file.models),
    doctor: () => import('./doctor.ts').then((file) => file.doctor),
    version: () => import('./version.ts').then((file) => file.version),
  },
  Automation: {
    collect: () => import('./collect.ts').then((file) => file.collect),
    analyze: () => import('./analyze.ts').then((file) => file.analyze),
    publish: () => import('./publish.ts').then((file) => file.publish),
    mcp: () => import('./mcp.ts').then((file) => file.mcp),
    lsp: () => import('./lsp.ts').then((file) => file.lsp),
    serve: () => import('./serve.ts').then((file) => file.serve),
    admin: () => import('./admin.ts').then((file) => file.admin),
  },
} satisfies Record<string, Loaders>

type Groups = typeof groups

export type CommandName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups]

export const commandGroups = Object.entries(groups).map(([title, loaders]) => ({
  title,
  // The keys of an object are the names that its type lists.
  names: Object.keys(loaders) as readonly CommandName[],
}))

export const commandNames: readonly CommandName[] = commandGroups.flatMap(({ names }) => names)

/** Commands of an earlier version, as they are called now. Help does not list them, and the next version does not have them. */
export const earlierCalls: ReadonlyMap<string, readonly [CommandName, ...string[]]> = new Map([
  ['baseline', ['dismiss', '--all']],
  ['servers', ['doctor', '--servers']],
])

const loaders: Loaders = Object.assign({}, ...Object.values(groups))

export async function loadCommand(name: CommandName): Promise<Command> {
  const load = loaders[name]
  if (!load) throw new Error(`no command is called ${name}`)
  return await load()
}
