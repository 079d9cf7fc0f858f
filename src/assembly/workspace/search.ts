/** One search over the other repositories of the workspace, each as it was read last. */
import { loadSettings } from '../../config/settings/load.ts'
import { openUsesIndex } from '../../workspace/uses-index.ts'
import { type PricedSearch, type QuestionOptions, type SearchOptions, searchCode } from '../code-questions.ts'
import { defaultCacheFolder } from '../services.ts'
import { membersOf } from './members.ts'

/** `repository`: as people call it. `commit`: at which it was searched. */
export type RepositorySearch = { repository: string; commit: string; answer: PricedSearch }

/** In the order of the settings. Repositories that were never read are left out: `sightline workspace --update` reads them. */
export async function searchWorkspace(
  options: Omit<QuestionOptions, 'folder' | 'at'>,
  query: string,
  search: SearchOptions,
): Promise<RepositorySearch[]> {
  const { environment = process.env } = options
  const { cacheFolder = defaultCacheFolder(environment) } = options
  const { settings } = await loadSettings(environment)
  const index = openUsesIndex(cacheFolder)
  const known = await index.repositories().finally(() => index.close())
  const found: RepositorySearch[] = []
  for (const { name, folder } of membersOf({ settings, environment, folders: { cache: cacheFolder } })) {
    const at = known.find((one) => one.name === name)
    if (!at) continue
    const answer = await searchCode({ ...options, folder, at: { ref: at.commit } }, query, search)
    found.push({ repository: at.label, commit: at.commit, answer })
  }
  return found
}
