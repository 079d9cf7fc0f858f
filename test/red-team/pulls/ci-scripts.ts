/** The shell lines of the recipes in docs/ci.md, after what each system itself replaces in them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { blockAfter } from '../../helpers/run-recipe.ts'
import { root } from '../../helpers/sightline.ts'

const page = () => readFileSync(join(root, 'docs/ci.md'), 'utf8')

export function jenkinsScript(): string {
  const [, script = ''] = /\bsh '([^'\n]+)'/.exec(blockAfter(page(), '\n## Jenkins', 'groovy')) ?? []
  return script
}

/** `change`: the address, or of what it is made. */
export function ciScripts(
  repository: string,
  number: number,
): Record<string, [string, Record<string, string>]> {
  const address = `${repository}/pull/${number}`
  const circle = parse(blockAfter(page(), '\nCircleCI', 'yaml'))
  const azure = parse(blockAfter(page(), '\nAzure Pipelines', 'yaml'))
  const buildkite = parse(blockAfter(page(), '\nBuildkite', 'yaml'))
  const azureScript: string = azure.steps.find((step: { script?: string }) => step.script).script
  const name = repository.split('/').slice(-2).join('/')
  return {
    Jenkins: [jenkinsScript(), { CHANGE_URL: address }],
    CircleCI: [circle.jobs.review.steps[0].run, { CIRCLE_PULL_REQUEST: address }],
    'Azure Pipelines': [
      azureScript
        .replace('$(Build.Repository.Name)', name)
        .replace('$(System.PullRequest.PullRequestNumber)', String(number)),
      {},
    ],
    Buildkite: [
      buildkite.steps[0].command.replaceAll('$$', '$'),
      { BUILDKITE_REPO: `${repository}.git`, BUILDKITE_PULL_REQUEST: String(number) },
    ],
  }
}
