/** All kinds of shared contracts. */
import type { ContractKind } from './contract.ts'
import { eventContracts } from './kinds/event/kind.ts'
import { graphqlContracts } from './kinds/graphql/kind.ts'
import { httpContracts } from './kinds/http/kind.ts'
import { images } from './kinds/image/kind.ts'
import { packages } from './kinds/package/kind.ts'
import { protobufContracts } from './kinds/protobuf/kind.ts'
import { schemaContracts } from './kinds/schema/kind.ts'
import { settings } from './kinds/setting/kind.ts'
import { sqlContracts } from './kinds/sql/kind.ts'
import { workflows } from './kinds/workflow/kind.ts'

export const contractKinds: readonly ContractKind[] = [
  eventContracts,
  graphqlContracts,
  httpContracts,
  images,
  packages,
  protobufContracts,
  schemaContracts,
  settings,
  sqlContracts,
  workflows,
]
