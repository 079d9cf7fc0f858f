/** The commits of the demo: twelve in which the service grew, and the one that is reviewed. */
import { errorsAndCancel, notify, orders, ordersByVolume } from './content/orders.ts'
import {
  instructionsTampered,
  project,
  readmeWithFolders,
  readmeWithVolume,
  workflowTampered,
} from './content/project.ts'
import { dailyReport, quotes, quotesByVolume } from './content/quotes.ts'
import { mostRoutes, routesAndDescription, routesByVolume } from './content/routes.ts'
import { labels, scripts, scriptsByVolume } from './content/scripts.ts'
import { retry, roles, transportByVolume } from './content/transport.ts'

/** Text by path; a commit names only what it changes. */
export type Files = Readonly<Record<string, string>>
export type DemoCommit = { message: string; files: Files }

export const history: readonly DemoCommit[] = [
  { message: 'Start the parcel desk', files: project },
  { message: 'Answer health checks', files: routesAndDescription(1) },
  { message: 'Quote prices by weight and zone', files: { ...quotes, ...routesAndDescription(2) } },
  { message: 'Book parcels', files: { ...orders, ...routesAndDescription(3) } },
  { message: 'Show an order', files: { ...retry, ...routesAndDescription(4) } },
  { message: 'Cancel an order', files: { ...errorsAndCancel, ...routesAndDescription(5) } },
  { message: 'Print labels', files: { ...labels, ...routesAndDescription(6) } },
  { message: 'Report what a day brings in', files: { ...dailyReport, ...routesAndDescription(7) } },
  { message: 'Import the rates of the carriers', files: { ...scripts, ...routesAndDescription(8) } },
  { message: 'Ask who is there', files: { ...roles, ...routesAndDescription(9) } },
  {
    message: 'Tell customers how their parcel fares',
    files: { ...notify, ...routesAndDescription(mostRoutes) },
  },
  { message: 'Explain the folders', files: { 'README.md': readmeWithFolders } },
]

export const feature: DemoCommit = {
  message: 'Quote parcels by volume\n\nBulky parcels cost us more than their weight says.',
  files: {
    ...quotesByVolume,
    ...ordersByVolume,
    ...transportByVolume,
    ...scriptsByVolume,
    ...routesByVolume(),
    'README.md': readmeWithVolume,
    'AGENTS.md': instructionsTampered,
    '.github/workflows/ci.yml': workflowTampered,
  },
}
