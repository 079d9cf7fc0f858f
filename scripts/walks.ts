/**
 * The three walks that count-walks.ts counts: what a reader follows to understand how one thing comes about. A stop is
 * `file#function`; each is called by an earlier one, directly or through functions between them.
 */

export type Walk = {
  name: string
  /** The walk may open so many files. */
  most: number
  stops: readonly string[]
  /** Stops that only pass on what the walk follows; what else they call is not part of it. */
  handOvers?: readonly string[]
}

/** Of the families that these name, a reader opens one member. */
export const registries: readonly string[] = [
  'src/pipeline/planes/registry.ts#planes',
  'src/pipeline/publish/registry.ts#formats',
  'src/pipeline/validation/claims/registry.ts#checkClaim',
  'src/tools/registry.ts#codeTools',
  'src/tools/registry.ts#toolsFor',
]

export const walks: readonly Walk[] = [
  {
    name: 'sightline review --depth standard, from the command to the output',
    most: 49,
    stops: [
      'src/cli/commands/review.ts#review',
      'src/cli/run-review.ts#runReview',
      'src/sightline.ts#collect',
      'src/hosts/local/collect.ts#localSource',
      'src/sightline.ts#analyze',
      'src/assembly/conduct-review.ts#conductReview',
      'src/pipeline/review.ts#review',
      'src/pipeline/diff/read-change-set.ts#readChangeSet',
      'src/pipeline/freeze-context.ts#freezeContext',
      'src/pipeline/planes/run-planes.ts#runPlanes',
      'src/pipeline/ask-models.ts#askModels',
      'src/pipeline/explore/explore-change.ts#exploreChange',
      'src/agent/explore.ts#explore',
      'src/pipeline/reviewer/ask-reviewers.ts#askReviewers',
      'src/pipeline/validation/validate.ts#validateCandidates',
      'src/pipeline/refutation/refute-findings.ts#refuteFindings',
      'src/pipeline/synthesis/synthesise.ts#synthesise',
      'src/pipeline/conclude/conclude-review.ts#concludeReview',
      'src/sightline.ts#publish',
      'src/cli/output/format.ts#renderReview',
      'src/pipeline/publish/registry.ts#formats',
      'src/pipeline/publish/terminal/render.ts#renderTerminal',
    ],
  },
  {
    name: 'the tool find_references, from the toolbox to its answer',
    most: 19,
    stops: [
      'src/assembly/open-context-tools.ts#openContextTools',
      'src/tools/toolbox.ts#createToolbox',
      'src/tools/registry.ts#toolsFor',
      'src/tools/registry.ts#codeTools',
      'src/tools/find-references.ts#findReferences',
      'src/code-index/language-servers/served/serve.ts#serveReferences',
      'src/code-index/query/references.ts#findReferences',
      'src/code-index/query/references.ts#answer',
      'src/code-index/query/references.ts#usesIn',
      'src/code-index/resolve/resolve.ts#resolveReference',
    ],
    handOvers: ['src/assembly/open-context-tools.ts#openContextTools'],
  },
  {
    name: 'a finding, from the answer of a model through anchoring and validation to the review',
    most: 30,
    stops: [
      'src/pipeline/review.ts#review',
      'src/pipeline/reviewer/ask-reviewers.ts#askReviewers',
      'src/pipeline/reviewer/ask-questions.ts#askRound',
      'src/pipeline/reviewer/ask-reviewers.ts#draftAll',
      'src/pipeline/reviewer/answer/draft-candidate.ts#draftCandidate',
      'src/pipeline/validation/validate.ts#validateCandidates',
      'src/pipeline/validation/validate.ts#validateCandidate',
      'src/pipeline/validation/steps.ts#validationSteps',
      'src/pipeline/validation/anchor/anchor-step.ts#anchorFinding',
      'src/pipeline/validation/anchor/anchor-candidate.ts#anchorCandidate',
      'src/pipeline/validation/anchor/anchor-candidate.ts#anchorLines',
      'src/pipeline/validation/anchor/locate-tag.ts#locateTag',
      'src/pipeline/validation/check-evidence.ts#checkQuotes',
      'src/pipeline/validation/claims/check-claims.ts#claimSteps',
      'src/pipeline/validation/claims/check-claims.ts#checkSafely',
      'src/pipeline/validation/claims/caller-not-updated.ts#checkCallerNotUpdated',
      'src/pipeline/validation/checker/consult.ts#askForErrors',
      'src/pipeline/validation/suggestion/check-suggestion.ts#suggestionSteps',
      'src/pipeline/validation/suggestion/check-suggestion.ts#checkTyped',
      'src/pipeline/validation/settle.ts#settleVerdicts',
      'src/pipeline/synthesis/synthesise.ts#synthesise',
      'src/pipeline/conclude/conclude-review.ts#concludeReview',
    ],
    handOvers: [
      'src/pipeline/review.ts#review',
      'src/pipeline/reviewer/ask-reviewers.ts#askReviewers',
      'src/pipeline/conclude/conclude-review.ts#concludeReview',
    ],
  },
]
