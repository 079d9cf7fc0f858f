/** Reads scenario files; those of the project lie in test/fixtures/scenarios. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { ScenarioFile } from './schema.ts'

export const scenarioFolder = resolve(import.meta.dirname, '../../../fixtures/scenarios')

/** By name (`good`) from the project's folder, or by path. Throws with every problem of the file. */
export function loadScenario(nameOrPath: string): ScenarioFile {
  const isPath = /[/\\]|\.(ya?ml|json)$/.test(nameOrPath)
  const path = isPath ? nameOrPath : join(scenarioFolder, `${nameOrPath}.yaml`)
  return parseScenario(readFileSync(path, 'utf8'), path)
}

/** YAML or JSON. `path` is only for messages. */
export function parseScenario(text: string, path: string): ScenarioFile {
  const checked = ScenarioFile.safeParse(parse(text))
  if (!checked.success) throw new Error(`${path} is no scenario:\n${z.prettifyError(checked.error)}`)
  return checked.data
}

export function listScenarios(): string[] {
  return readdirSync(scenarioFolder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
    .sort()
}
