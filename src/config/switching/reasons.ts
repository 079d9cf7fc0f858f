/** What several tools' settings have in common: why they have no counterpart, or what serves their purpose. */
export const reasons = {
  whenToReview:
    'When a review runs is decided by the CI workflow, the git hook or the server, not by the configuration (docs/ci.md).',
  model:
    'Models and keys are chosen by whoever runs Sightline, not by the repository: `models` in the settings file (docs/models-and-keys.md).',
  layout: 'The layout of a review is fixed.',
  chat: 'A server answers questions and commands in comments (docs/commands.md); elsewhere `sightline ask` answers.',
  writes: 'Sightline does not write descriptions, labels, approvals, tests or code.',
  otherTools:
    'Sightline runs no other tools: run it in CI and pass its results with `--sarif FILE` (docs/linters.md).',
  learning:
    'Dismissed findings stay dismissed, and what is to be remembered is proposed as notes that people accept (docs/memory.md).',
  tools: 'MCP servers are named in the settings file of whoever runs Sightline (docs/mcp-servers.md).',
  tickets:
    'Tickets that a change mentions are read; trackers are set up in the settings file (docs/configuration.md).',
  otherRepositories: 'A review reads only the repository of the change.',
  categories: 'Every review covers all categories; `planes.disable` turns parts off (docs/configuration.md).',
  confidence:
    'Findings are shown because a check confirmed them, not by a score; `review.minSeverity` hides minor ones.',
  language: 'Reviews are in English.',
  tests: 'Nothing of the repository is built or run for a review.',
  formatVersion: 'It only marks the version of the file.',
  itself: 'It controls the tool itself.',
} as const

/** Longer texts are cut when instructions are read: docs/context.md. */
export const longInstructions =
  'Sightline uses the first 4,000 characters of a file of instructions and 8,000 of all together; put what matters most first.'
