/** A pull request that edits what reviewers read: every kind of instructions and the configuration come from the base. */
import { expect, onTestFinished, test } from 'vitest'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { startGitHub } from '../helpers/hosts/github/server.ts'
import { ownFolders, sightline } from '../helpers/sightline.ts'
import { emptyAnswer, fakeEnvironment } from './quick-world.ts'

const kinds = [
  '.cursor/BUGBOT.md',
  '.cursor/rules/all.mdc',
  '.cursorrules',
  '.github/copilot-instructions.md',
  '.github/instructions/ts.instructions.md',
  '.sightline/instructions.md',
  'AGENTS.md',
  'BUGBOT.md',
  'CLAUDE.md',
  'REVIEW.md',
]
const frontMatter: Readonly<Record<string, string>> = {
  '.cursor/rules/all.mdc': '---\nalwaysApply: true\n---\n',
  '.github/instructions/ts.instructions.md': '---\napplyTo: "**/*.ts"\n---\n',
}
const filesWith = (rule: string) =>
  Object.fromEntries(kinds.map((path, at) => [path, `${frontMatter[path] ?? ''}${rule} ${at}.\n`]))

test('the instructions that models got are listed, and edited keys are shown with both values', async () => {
  const github = await startGitHub()
  onTestFinished(() => github.close())
  const project = github.world.createProject('acme/shop', {
    files: {
      'src/a.ts': 'export const one = 1\n',
      '.sightline.yaml': 'review:\n  maxInline: 3\n',
      ...filesWith('Rule of the base'),
    },
  })
  const change = project.open({
    branch: 'topic',
    files: {
      'src/a.ts': 'export const one = 2\n',
      '.sightline.yaml': 'review:\n  maxInline: 0\n  minSeverity: critical\n',
      'src/AGENTS.md': 'A new file of the change.\n',
      ...filesWith('Rule of the head'),
    },
  })
  const fake = await startFakeProvider('anthropic', {
    steps: [
      { answer: 'good', value: { reasoning: 'enough', tools: [], done: true } },
      { answer: 'good', value: { ...emptyAnswer, findings: [] }, times: 'always' },
    ],
  })
  onTestFinished(() => fake.close())
  const token = github.state.addReviewerToken([project])
  const hosts = `hosts:\n  "${new URL(github.url).host}": { kind: github, url: '${github.url}', token: SHOP_TOKEN }`
  const env = {
    ...fakeEnvironment(fake, { settings: hosts }),
    ...{ SHOP_TOKEN: token, ...ownFolders() },
  }
  const url = `${github.url}/acme/shop/pull/${change.number}`
  const command = ['review', url, '--post', '--depth', 'standard', '--json', '--quiet', '--fail-on', 'never']
  const { stdout, stderr } = await sightline(command, { cwd: temporaryFolder(), env })
  const { instructions, coverage } = JSON.parse(stdout)
  expect(stderr).toBe('')
  expect([...instructions].sort()).toEqual(kinds)
  const prompts = fake.calls.map(({ call }) => call.prompt)
  for (const at of kinds.keys())
    expect(
      prompts.some((prompt) => prompt.includes(`Rule of the base ${at}.`)),
      kinds[at],
    ).toBe(true)
  const edited = 'review.maxInline from 3 to 0; review.minSeverity from "low" to "critical"'
  expect(coverage.limits.join('\n')).toContain(`takes effect when it is merged: ${edited}`)
  const [check] = github.state.checks
  for (const path of kinds) expect(check?.summary).toContain(path)
  expect(check?.summary).toContain('review.maxInline from 3 to 0')
})
