/** Validation without the one step that the name of this world says: `step verbatim quotes`. */
import { allChecks as all } from '../../../../src/pipeline/validation/steps.ts'

export { checkNames, checksWithout } from '../../../../src/pipeline/validation/steps.ts'

const off = new URL(import.meta.url).searchParams.get('off') ?? ''

export const validationSteps = all.each.filter(({ name }) => off !== `step ${name}`)
export const allChecks = { ...all, each: validationSteps }

if (validationSteps.length === all.each.length) throw new Error(`There is no step to leave out for ${off}.`)
