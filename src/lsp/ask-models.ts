/** Models for a command of an editor: whoever sits there is asked first, whatever the workspace or the command says. */
import { type PreparedModels, prepareModels } from '../assembly/open-models.ts'
import type { Services } from '../assembly/services.ts'
import { usdWords } from '../base/count.ts'
import { questionWords, totalUsd } from '../domain/estimate-words.ts'
import type { Depth } from '../domain/review.ts'
import { readAgreement } from '../llm/agreement.ts'
import type { EditorWindow } from './contract.ts'

/** With the estimate as the question, and before it whether code may be sent, where the settings do not say so. Throws `no-model`. */
export function modelsForReview(
  what: string,
  depth: Depth,
  services: Services,
  { agrees }: EditorWindow,
  onDeclined: () => void,
): PreparedModels {
  const answered = (agreed: boolean) => {
    if (!agreed) onDeclined()
    return agreed
  }
  return preparedFor(depth, services, {
    maySend: async ({ model, provider }) =>
      answered(
        await agrees(`Sightline: may ${what} and related code be sent to ${provider} (${model})?`, 'Send'),
      ),
    mayAsk: async (estimate) =>
      estimate.calls === 0 ||
      answered(
        await agrees(
          `Sightline: review ${what} at depth ${depth}? ${questionWords(estimate)} to ${estimate.model}: at most ${usdWords(totalUsd(estimate))}, and more where a question has a follow-up.`,
          'Review',
        ),
      ),
  })
}

/** For the test that shows a finding. Always asked, since the reviewed code runs too. Throws `no-model`. */
export function modelsForProof(
  services: Services,
  { agrees }: EditorWindow,
  onDeclined: () => void,
): PreparedModels {
  const most = usdWords(services.settings.money.perRun)
  const maySend: PreparedModels['maySend'] = async ({ model }) => {
    const question = `Sightline: ${model} would get the finding and related code to write a test, which runs with the reviewed code in a sandbox. At most ${most}.`
    const agreed = await agrees(question, 'Prove')
    if (!agreed) onDeclined()
    return agreed
  }
  const prepared = preparedFor('quick', services, { maySend })
  return { ...prepared, agreement: prepared.agreement === 'refused' ? 'refused' : 'unsaid' }
}

function preparedFor(
  depth: Depth,
  services: Services,
  asked: Pick<PreparedModels, 'mayAsk' | 'maySend'> | Pick<PreparedModels, 'maySend'>,
): PreparedModels {
  // A model that cannot be asked is refused as on the command line; the name of a depth in a command agrees to nothing here.
  const prepared = prepareModels(asked, services, depth)
  return { ...prepared, agreement: readAgreement(services.settings.models, false) }
}
