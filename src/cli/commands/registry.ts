/**
 * Which commands there are; `help` and `completions` come on top, since they read this list. Each is loaded when it is called, so that
 * a short answer starts fast.
 */
import type { Command } from '../command.ts'

const loaders = {
  review: () => import('./review.ts').then((file) => file.review),
  collect: () => import('./collect.ts').then((file) => file.collect),
  analyze: () => import('./analyze.ts').then((file) => file.analyze),
  publish: () => import('./publish.ts').then((file) => file.publish),
  demo: () => import('./demo.ts').then((file) => file.demo),
  init: () => import('./init.ts').then((file) => file.init),
  config: () => import('./config.ts').then((file) => file.config),
  context: () => import('./context.ts').then((file) => file.context),
  runs: () => import('./runs.ts').then((file) => file.runs),
  show: () => import('./show.ts').then((file) => file.show),
  replay: () => import('./replay.ts').then((file) => file.replay),
  findings: () => import('./findings.ts').then((file) => file.findings),
  dismiss: () => import('./dismiss.ts').then((file) => file.dismiss),
  baseline: () => import('./baseline.ts').then((file) => file.baseline),
  ask: () => import('./ask.ts').then((file) => file.ask),
  stats: () => import('./stats.ts').then((file) => file.stats),
  models: () => import('./models.ts').then((file) => file.models),
  doctor: () => import('./doctor.ts').then((file) => file.doctor),
  rules: () => import('./rules.ts').then((file) => file.rules),
  index: () => import('./index.ts').then((file) => file.index),
  outline: () => import('./outline.ts').then((file) => file.outline),
  def: () => import('./def.ts').then((file) => file.def),
  refs: () => import('./refs.ts').then((file) => file.refs),
  callers: () => import('./callers.ts').then((file) => file.callers),
  impact: () => import('./impact.ts').then((file) => file.impact),
  search: () => import('./search.ts').then((file) => file.search),
  servers: () => import('./servers.ts').then((file) => file.servers),
  serve: () => import('./serve.ts').then((file) => file.serve),
  admin: () => import('./admin.ts').then((file) => file.admin),
  version: () => import('./version.ts').then((file) => file.version),
} satisfies Record<string, () => Promise<Command>>

export type CommandName = keyof typeof loaders

/** In the order help lists them. */
export const commandNames = Object.keys(loaders) as readonly CommandName[]

export function loadCommand(name: CommandName): Promise<Command> {
  return loaders[name]()
}
