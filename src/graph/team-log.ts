/** The log of a repository, kept in the cache folder, so that the next question reads only the commits that are new. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { sha256 } from '../base/canonical-json.ts'
import { makeFolder, writeWhole } from '../base/durable.ts'
import { TeamCommit, type TeamHistory } from '../domain/team-history.ts'

/** Commits beyond these are too old to tell who knows the code now. */
export const mostCommits = 20_000

const version = 2

const KeptLog = z.object({
  version: z.literal(version),
  tip: z.string(),
  complete: z.boolean(),
  commits: z.array(TeamCommit),
})

/** Newest first. `complete` is false for a shallow clone, and for a history that is longer than is read. */
export type TeamLog = { commits: readonly TeamCommit[]; complete: boolean; isNew: number }

/** `isNew` counts the commits that were read now. Without a folder, and after a rewritten history, all are. */
export async function readTeamLog(history: TeamHistory, cacheFolder: string | null): Promise<TeamLog> {
  const file =
    cacheFolder && join(cacheFolder, 'team', `${sha256(history.repositoryLabel).slice(0, 32)}.json.gz`)
  const kept = file ? readKept(file) : null
  if (kept?.tip === history.tip) return { ...kept, isNew: 0 }
  const added = kept ? await history.log(mostCommits, kept.tip) : null
  const log =
    kept && added?.complete
      ? { commits: [...added.commits, ...kept.commits].slice(0, mostCommits), complete: kept.complete }
      : ((await history.log(mostCommits, null)) ?? { commits: [], complete: false })
  if (file) keep(file, { version, tip: history.tip, ...log })
  return { ...log, isNew: kept && added?.complete ? added.commits.length : log.commits.length }
}

/** Null when nothing is kept, or it cannot be read: then it is read from git again. */
function readKept(file: string): z.infer<typeof KeptLog> | null {
  try {
    const parsed = KeptLog.safeParse(JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** A cache that cannot be written costs time and no answer. */
function keep(file: string, log: z.infer<typeof KeptLog>): void {
  try {
    makeFolder(join(file, '..'))
    writeWhole(file, gzipSync(JSON.stringify(log), { level: 1 }), { replace: true })
  } catch {
    // The next question reads the log again.
  }
}
