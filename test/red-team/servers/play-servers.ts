/** Asks a real language server everything about code that attacks it, and looks for the canary in all that it says. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Sandbox } from '../../../src/base/sandbox/contract.ts'
import { openLanguageServers } from '../../../src/code-index/language-servers/open-language-servers.ts'
import { defaultConfig } from '../../../src/config/schema.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import { canary, type ServerAttack, tenantFiles, traces } from './attacks.ts'

export type Played = {
  /** Why it could not be tried here; null when it was. */
  absent: string | null
  /** It stood in an answer, or something was run. */
  gotThrough: string[]
}

/** From the root of a laid-out tree (`TMP/sightline-…/tree-…/root`) to the system's temporary folder. */
const climb = '....'
const server = { environment: process.env, foreignFolders: [] }

/** `sandbox` null: as an operator may allow it. */
export async function playServers(attack: ServerAttack, sandbox: Sandbox | null): Promise<Played> {
  const tenant = realpathSync(mkdtempSync(join(tmpdir(), 'tenant_')))
  const repository = mkdtempSync(join(tmpdir(), 'attacked-'))
  try {
    write(tenant, tenantFiles)
    write(repository, attack.files(tenant, climb))
    commitAll(repository)
    const { absent, said } = await askAll(attack, repository, sandbox)
    const executed = traces.filter((name) => existsSync(join(tenant, name)))
    return { absent, gotThrough: [...(said.includes(canary) ? ['the canary was told'] : []), ...executed] }
  } finally {
    for (const folder of [tenant, repository]) rmSync(folder, { recursive: true, force: true })
  }
}

async function askAll(
  { path, server: name }: ServerAttack,
  folder: string,
  sandbox: Sandbox | null,
): Promise<{ absent: string | null; said: string }> {
  const selector = { kind: 'commit', commit: 'HEAD' } as const
  const change = await collectLocal({ folder, selector, limits: defaultConfig.limits })
  const confinement = { findSandbox: async () => sandbox, isOptional: true }
  const servers = openLanguageServers({ ...server, snapshot: change.head, settings: {}, confinement })
  try {
    const text = (await change.head.read(path))?.text ?? ''
    const symbols = await servers.symbols(path)
    if (symbols.source === null) return { absent: symbols.why ?? `no ${name}`, said: '' }
    const answers: unknown[] = [
      symbols,
      await servers.diagnostics(path),
      await servers.diagnostics(path, `${text}\n`),
    ]
    for (const [at, line] of text.split('\n').entries())
      for (const { index } of line.matchAll(/leaked|LEAKED|Leaked/g)) {
        const place = { path, line: at + 1, column: index }
        answers.push(
          await servers.type(place),
          await servers.definition(place),
          await servers.references(place),
        )
      }
    return { absent: null, said: JSON.stringify(answers) }
  } finally {
    await servers.close()
    await change.close()
  }
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

function commitAll(folder: string): void {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words], {
      cwd: folder,
      stdio: 'ignore',
    })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all', '--force')
  git('commit', '--quiet', '--no-gpg-sign', '-m', 'attack')
}
