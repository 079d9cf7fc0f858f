/** What each role does with its order, whatever process it is in. Nothing is loaded for the others. */
import type { Line, RoleBody, RoleOrder, RoleResult } from './contract.ts'

const bodies: { [Role in RoleOrder['role']]: () => Promise<RoleBody<Role>> } = {
  collector: async () => (await import('./collector.ts')).collectChangeRequest,
  analyzer: async () => (await import('./analyzer.ts')).analyzeChange,
  publisher: async () => (await import('./publisher.ts')).publishToHost,
  indexer: async () => (await import('./indexer.ts')).indexChange,
  'live-index': async () => (await import('./live-index.ts')).keepIndexes,
  workspace: async () => (await import('./workspace.ts')).updateMember,
}

export async function loadBodies(): Promise<void> {
  await Promise.all(Object.values(bodies).map((load) => load()))
}

export async function carryOut(order: RoleOrder, line: Line): Promise<RoleResult> {
  switch (order.role) {
    case 'collector':
      return await (await bodies.collector())(order, line)
    case 'analyzer':
      return await (await bodies.analyzer())(order, line)
    case 'publisher':
      return await (await bodies.publisher())(order, line)
    case 'indexer':
      return await (await bodies.indexer())(order, line)
    case 'live-index':
      return await (await bodies['live-index']())(order, line)
    case 'workspace':
      return await (await bodies.workspace())(order, line)
  }
}
