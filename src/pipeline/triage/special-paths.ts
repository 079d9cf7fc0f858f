/** Files that are more than their role says: what models are steered by, and what builds and ships the code. */

const forModels =
  /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|SKILL|copilot-instructions|[^/]*\.(?:prompt|instructions))\.mdx?$|(?:^|\/)(?:prompts?|skills|\.cursor|\.claude)\//i

const workflow =
  /^\.github\/(?:workflows|actions)\/|(?:^|\/)(?:\.gitlab-ci\.yml|action\.ya?ml|azure-pipelines\.yml|Dockerfile[^/]*|docker-compose[^/]*\.ya?ml|compose\.ya?ml)$|^\.circleci\//i

export function speaksToModels(path: string): boolean {
  return forModels.test(path)
}

export function runsAsWorkflow(path: string): boolean {
  return workflow.test(path)
}
