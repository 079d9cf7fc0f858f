/** The scenes of all ten kinds of contracts. */

import { events } from './fixtures/events.ts'
import { graphql } from './fixtures/graphql.ts'
import { http } from './fixtures/http.ts'
import { images } from './fixtures/images.ts'
import { packages } from './fixtures/packages.ts'
import { protobuf } from './fixtures/protobuf.ts'
import { schemas } from './fixtures/schemas.ts'
import { settings } from './fixtures/settings.ts'
import { sql } from './fixtures/sql.ts'
import { workflows } from './fixtures/workflows.ts'
import type { Scenes } from './scene.ts'

export const allScenes: readonly Scenes[] = [
  packages,
  http,
  graphql,
  protobuf,
  schemas,
  events,
  sql,
  settings,
  images,
  workflows,
]
