/** What the dashboard is shown: every answer of the API of `sightline ui` about the newest run, two compared, and calls of models. */
import { apiBase } from '../../../src/server/api/contract/common.ts'
import { serveLocal } from '../../../src/server/api/local.ts'
import { environment } from '../../helpers/sightline.ts'

/** Several answers that show the same are one output. */
const outputs: readonly (readonly [output: string, paths: readonly string[]])[] = [
  ['run', ['', '/coverage', '/cost', '/timeline', '/retrieval']],
  ['findings', ['/findings', '/candidates']],
  ['diff', ['/diff']],
  ['evidence', ['/evidence']],
]
const mostCalls = 20

/** JSON by the name of the output. Rejects when an answer is an error. */
export async function askApi(repository: string, env: Record<string, string>): Promise<Map<string, string>> {
  return await withLocalApi(repository, env, async (ask, runs) => {
    const [newest, before] = runs
    const shown = new Map<string, string>()
    for (const [output, paths] of outputs) {
      const answers: string[] = []
      for (const path of paths) answers.push(await ask(`/runs/${newest}${path}`))
      shown.set(output, answers.join('\n'))
    }
    if (before !== undefined) shown.set('compare', await ask(`/compare/${before}/${newest}`))
    for (const run of runs) {
      const { spans } = JSON.parse(await ask(`/runs/${run}/timeline`)) as { spans: { call: number | null }[] }
      const calls = [...new Set(spans.flatMap(({ call }) => call ?? []))].slice(0, mostCalls)
      const answers: string[] = []
      for (const call of calls) answers.push(await ask(`/runs/${run}/calls/${call}`))
      if (answers.length === 0) continue
      shown.set('calls', answers.join('\n'))
      break
    }
    return shown
  })
}

type Ask = (path: string) => Promise<string>

/** The API of `sightline ui` for whoever has its token, once it lists a run; `runs`, newest first. `ask` rejects on an error. */
export async function withLocalApi<Answer>(
  folder: string,
  env: Record<string, string>,
  use: (ask: Ask, runs: readonly string[]) => Promise<Answer>,
): Promise<Answer> {
  const stop = new AbortController()
  let served: Promise<void> = Promise.resolve()
  const { url, token } = await new Promise<{ url: string; token: string }>((resolve, reject) => {
    served = serveLocal({
      environment: environment(env),
      folder,
      port: 0,
      signal: stop.signal,
      writeLog: () => {},
      onReady: resolve,
    })
    served.catch(reject)
  })
  try {
    const began = await fetch(`${url}${apiBase}/session/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    const cookie = began.headers.get('set-cookie')?.split(';')[0] ?? ''
    const ask = async (path: string): Promise<string> => {
      const answer = await fetch(`${url}${apiBase}${path}`, { headers: { cookie } })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
      return text
    }
    return await use(ask, await newestRuns(ask))
  } finally {
    stop.abort()
    await served
  }
}

/** The catalog learns of runs in the background. */
async function newestRuns(ask: Ask): Promise<string[]> {
  for (let tries = 0; tries < 600; tries++) {
    const { items } = JSON.parse(await ask('/runs')) as { items: { run: string }[] }
    if (items.length > 0) return items.map(({ run }) => run)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the API lists no run')
}
