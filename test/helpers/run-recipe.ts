/** Scripts of the recipes for CI systems, as a runner plays them: in bash, with the command where it would be installed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { parseAllDocuments } from 'yaml'
import { temporaryFolder } from './git-repo.ts'
import { root, sightline } from './sightline.ts'

type Run = {
  /** Home of the runner. */
  folder: string
  /** Where the script begins; the home when not given. */
  checkout?: string
  env: Record<string, string>
  /** Without it, `npx` and `npm` are those of the machine. */
  stubs?: boolean
}

/**
 * Has this process do it, with its arguments, environment and folder, and ends with its exit code. Answers are files, which
 * nobody waits for in vain if the script has been ended meanwhile.
 */
const commandIn = (calls: string) => `call='${calls}/'$$
env -0 >"$call.environment"
printf '%s\\0' "$@" >"$call.arguments"
pwd >"$call.folder"
echo $$ >&3
until [ -e "$call.answer" ]; do sleep 0.02; done
read -r code <"$call.answer"
exit "$code"
`

export async function runScript(script: string, { folder, checkout = folder, env, stubs = true }: Run) {
  const calls = temporaryFolder()
  const bin = join(calls, 'bin')
  mkdirSync(bin)
  for (const [name, before] of [
    ['sightline', ''],
    // Called as `npx --yes sightline@VERSION …`.
    ['npx', 'shift 2\n'],
  ]) {
    writeFileSync(join(bin, `${name}`), `#!/bin/sh\n${before}${commandIn(calls)}`)
    chmodSync(join(bin, `${name}`), 0o755)
  }
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: checkout,
    env: {
      ...{ PATH: stubs ? `${bin}:${process.env.PATH}` : process.env.PATH, HOME: folder, CI: 'true' },
      // What a recipe puts there is removed with the folder.
      ...{ TMPDIR: calls, ...env },
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (log += chunk))
  const read = (name: string) => readFileSync(join(calls, name), 'utf8')
  const fields = (name: string) => read(name).split('\0').slice(0, -1)
  for await (const call of createInterface(child.stdio[3] as Readable)) {
    const variables = fields(`${call}.environment`).map((field) => field.split(/=(.*)/s).slice(0, 2))
    const own = Object.fromEntries(variables.filter(([name]) => name !== 'PATH' && name !== 'TMPDIR'))
    const ran = await sightline(fields(`${call}.arguments`), { cwd: read(`${call}.folder`).trim(), env: own })
    log += ran.stdout + ran.stderr
    writeFileSync(join(calls, `${call}.draft`), `${ran.code}\n`)
    renameSync(join(calls, `${call}.draft`), join(calls, `${call}.answer`))
  }
  const [code] = (await ended) as [number | null]
  return { code, log }
}

/** The script of the GitLab component, with the values of its inputs; what installs is left out. */
export function componentScript(inputs: Record<string, string> = {}): string {
  const values: Record<string, string> = {
    ...{ version: '0.1.0', stage: 'test', depth: 'offline', 'fail-on': 'never', token: 'REVIEW_TOKEN' },
    ...inputs,
  }
  const text = readFileSync(join(root, 'examples/ci/gitlab-component.yml'), 'utf8')
  const filled = text.replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => values[name] ?? '')
  const { before_script: before, script } = parseAllDocuments(filled)[1]?.toJS().sightline ?? {}
  return [...before.filter((line: string) => line.startsWith('export ')), ...script].join('\n')
}

/** Code blocks of a page under the line of text that begins with these words. */
export function blockAfter(page: string, words: string, language: string): string {
  const at = page.indexOf(words)
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page.slice(at))
  if (at < 0 || !found?.[1]) throw new Error(`docs: no ${language} block after "${words}"`)
  return found[1]
}
