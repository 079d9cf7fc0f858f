/** Reviews as anybody would, with readers at the answer desk in place of the models that the command names no other for. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadSettings } from '../../src/index.ts'
import { type Reviewer, type ReviewerOptions, sightlineReviewer } from '../run/reviewer.ts'
import type { AnswerDesk } from './answer-desk.ts'
import { deskNameOf } from './arms.ts'

const windows = ['desk/reader', 'other/reader', 'check/reader', 'second/reader']

/**
 * Questions of a case lie under the first 12 digits of its head. `folder` takes one settings file a case. Providers of the
 * operator's own settings stay, so that a role may be given to one of their models.
 */
export function deskReviewer(
  desk: AnswerDesk,
  folder: string,
  options: Omit<ReviewerOptions, 'environment'>,
): Reviewer {
  return async (assignment) => {
    const name = deskNameOf(assignment.head)
    const provider = (baseUrl: string) => ({ kind: 'openai-compatible', baseUrl, firstWordSeconds: 3600 })
    const { settings: own } = await loadSettings()
    const settings = {
      models: {
        enabled: true,
        providers: {
          ...own.models.providers,
          desk: provider(desk.addressOf(name, 'reader')),
          other: provider(desk.addressOf(name, 'other')),
          check: provider(desk.addressOf(name, 'refuter')),
          second: provider(desk.addressOf(name, 'second')),
        },
        roles: {
          reviewer: ['desk/reader', 'other/reader'],
          scout: 'desk/reader',
          judge: ['check/reader', 'second/reader'],
        },
        contextWindows: Object.fromEntries(windows.map((model) => [model, 200_000])),
      },
    }
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `${name}.yaml`)
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(settings, null, 2))
    const environment = { ...process.env, SIGHTLINE_SETTINGS: file }
    return await sightlineReviewer({ ...options, unhurried: true, environment })(assignment)
  }
}
