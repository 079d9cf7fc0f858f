/** What a reviewing model answers that has nothing to say, and the fields of a finding that are mostly empty. */

export const emptyAnswer = {
  walkthrough: [],
  findings: [],
  verdicts: [],
  insufficient_context: [],
  context_requests: [],
  author_questions: [],
  contests: [],
}

export const plainFinding = { also_at: [], documented: null, wrong_if: null, enriches: '', edits: [] }
