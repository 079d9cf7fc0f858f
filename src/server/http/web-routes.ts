/**
 * Every route of the web role that knows anything, in one list: what the listener serves, and what the tests try with
 * wrong credentials.
 */
import { type HostedParts, hostedRoutes } from '../api/hosted.ts'
import { type ApiParts, apiRoutes } from './api-routes.ts'
import type { Route } from './contract.ts'
import { type HealthParts, healthRoutes } from './health-routes.ts'
import { type SetupParts, setupRoutes } from './setup-routes.ts'
import { type WebhookParts, webhookRoutes } from './webhook-routes.ts'

type Shared = Omit<SetupParts, 'now'> & HealthParts & HostedParts & ApiParts

/** `now` counts for everything; `writer` stores what webhooks bring. */
export type WebParts = Shared & Pick<WebhookParts, 'writer'>

export function webRoutes(parts: WebParts): Route[] {
  const { settings, now } = parts
  return [
    ...healthRoutes(parts),
    ...webhookRoutes({ ...parts, limits: settings.intake }),
    ...apiRoutes(parts),
    ...setupRoutes({ ...parts, now: () => now().getTime() }),
    ...hostedRoutes(parts),
  ]
}
