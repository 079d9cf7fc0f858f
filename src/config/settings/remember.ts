/** Writes one decision of the operator into the settings; all else in the file stays as it is, comments too. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseDocument } from 'yaml'
import { settingsPath } from './load.ts'

/** Whether models may be asked from now on. Returns the path of the file. Rejects when it cannot be written. */
export async function rememberModelsEnabled(
  enabled: boolean,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const path = settingsPath(environment)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const document = parseDocument(text)
  document.setIn(['models', 'enabled'], enabled)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // In place, since the file may be a link into somebody's collection of settings.
  await writeFile(path, document.toString(), { mode: 0o600 })
  return path
}
