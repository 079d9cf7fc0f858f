/** A server whose operator has set no secret. */
import type { Secrets } from '../../src/server/settings/load.ts'

export const noSecrets: Secrets = {
  ...{ databaseUrl: null, secretKey: null, adminToken: null, metricsToken: null },
  ...{ connections: {}, clientSecrets: {} },
}
