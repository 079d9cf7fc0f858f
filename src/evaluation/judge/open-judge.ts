/** The judge that settings and environment name, or the reviewer's model when they name none. */
import { type ModelOptions, openModelGateway } from '../../index.ts'
import type { Judge } from './contract.ts'
import { gatewayJudge } from './gateway-judge.ts'

/** Null when no model can be asked. Throws `settings-invalid`. */
export async function openJudge(models: ModelOptions): Promise<Judge | null> {
  const gateway = await openModelGateway(models)
  return gateway ? gatewayJudge(gateway) : null
}
