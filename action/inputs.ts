/** What the Action can be given and what it gives: action.yml and the table in docs/ci.md derive from it. */

export type Input = { readonly name: string; readonly description: string; readonly default: string }

export const inputs = [
  {
    name: 'step',
    description:
      '`all`, or one of three steps for jobs with different permissions: `collect`, `analyze`, `publish`.',
    default: 'all',
  },
  {
    name: 'change',
    description:
      'Address of the pull request. Default: that of the event that started the workflow (`pull_request`, `pull_request_target` or `workflow_run`).',
    default: '',
  },
  {
    name: 'folder',
    description: 'Folder that one step writes and the next one reads.',
    default: 'sightline-change',
  },
  {
    name: 'token',
    description: 'Token for the host. Only `collect` and `publish` get it.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow
    default: '${{ github.token }}',
  },
  {
    name: 'depth',
    description:
      '`offline`, `quick`, `standard` or `deep`. Above `offline` the change is sent to the models of your settings. Default: `offline` unless your settings agree to models.',
    default: '',
  },
  {
    name: 'budget',
    description: 'Spending limit in US dollars, such as `0.50`.',
    default: '',
  },
  {
    name: 'settings',
    description: 'Path of your settings file (models, limits, hosts). Never a file of the pull request.',
    default: '',
  },
  {
    name: 'fail-on',
    description:
      '`critical`, `high`, `medium`, `low` or `never`: fail the step and the check if there is such a finding.',
    default: 'never',
  },
  {
    name: 'post',
    description: 'Post the review to the pull request. `false`: only the job summary and the outputs.',
    default: 'true',
  },
  {
    name: 'sarif',
    description: 'Also write the findings as SARIF to this file.',
    default: '',
  },
] as const satisfies readonly Input[]

export type InputName = (typeof inputs)[number]['name']

export const outputs = [
  { name: 'conclusion', description: 'Conclusion of the review, such as `APPROVE` or `REQUEST_CHANGES`.' },
  { name: 'findings', description: 'Number of findings.' },
  { name: 'review', description: 'Path of the review as JSON.' },
] as const

/** Reads the inputs as GitHub hands them over: `INPUT_FAIL-ON`, trimmed; the default where one is empty. */
export function readInputs(environment: NodeJS.ProcessEnv): Record<InputName, string> {
  const read = inputs.map((input) => {
    const given = environment[`INPUT_${input.name.toUpperCase()}`]?.trim() ?? ''
    // The runner fills in expressions; outside of one there is no token.
    const usual = input.name === 'token' ? '' : input.default
    return [input.name, given === '' ? usual : given]
  })
  return Object.fromEntries(read) as Record<InputName, string>
}
