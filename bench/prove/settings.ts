/** The operator's settings for one run of the bench: which model answers, that tests may run, and folders of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeApiKey } from '../../test/helpers/fakes/provider.ts'
import { plainFinding } from '../../test/helpers/reviewer-answer.ts'

const kept = mkdtempSync(join(tmpdir(), 'sightline-prove-state-'))
let written = 0

/** An `openai-compatible` address is a reader, who takes time; everything else is a script. */
export function environmentFor(
  baseUrl: string,
  kind: 'anthropic' | 'openai-compatible',
  more: { inReviews?: boolean } = {},
): Record<string, string> {
  const path = join(kept, `settings-${++written}.yaml`)
  const isScript = kind === 'anthropic'
  const model = isScript ? 'claude-sonnet-5-5' : 'reader'
  const key = isScript ? { keyFrom: 'FAKE_KEY' } : {}
  const settings = {
    models: {
      enabled: true,
      providers: { one: { kind, baseUrl, firstWordSeconds: 3600, ...key } },
      roles: { reviewer: `one/${model}`, scout: `one/${model}`, judge: `one/${model}` },
      contextWindows: { [`one/${model}`]: 200_000 },
    },
    sandbox: { prove: { allow: true, seconds: 240, ...more }, memoryMb: 2048 },
  }
  writeFileSync(path, JSON.stringify(settings))
  return {
    SIGHTLINE_SETTINGS: path,
    FAKE_KEY: fakeApiKey,
    XDG_STATE_HOME: join(kept, 'state'),
    XDG_CACHE_HOME: join(kept, 'cache'),
  }
}

export function removeKept(): void {
  rmSync(kept, { recursive: true, force: true })
}

/** A finding as a reviewing model reports it, about this line. */
export function foundAt(file: string, line: string, title: string, explanation: string, category: string) {
  return {
    ...plainFinding,
    file,
    tags: [{ $tagAt: line }],
    evidence: [{ id: { $tagAt: line }, quote: line }],
    ...{ title, explanation, category },
    severity: 'high',
    confidence: 'likely',
    claims: [],
    remedy: null,
  }
}
