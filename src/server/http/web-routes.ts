/**
 * Every route of the web role that knows anything, in one list, with who may call them: what the listener serves, and
 * what the tests try with wrong credentials.
 */
import { type HostedParts, openHosted, type Site } from '../api/hosted.ts'
import { type HealthParts, healthRoutes } from './health-routes.ts'
import { type SetupParts, setupRoutes } from './setup-routes.ts'
import { type WebhookParts, webhookRoutes } from './webhook-routes.ts'

/** `now` counts for everything; `writer` stores what webhooks bring. */
export type WebParts = Omit<SetupParts, 'now'> & HealthParts & HostedParts & Pick<WebhookParts, 'writer'>

export function openWeb(parts: WebParts): Site {
  const { settings, now } = parts
  const hosted = openHosted(parts)
  return {
    ...hosted,
    routes: [
      ...healthRoutes(parts),
      ...webhookRoutes({ ...parts, limits: settings.intake }),
      ...setupRoutes({ ...parts, now: () => now().getTime() }),
      ...hosted.routes,
    ],
  }
}
