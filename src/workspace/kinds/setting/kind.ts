/** Environment variables: programs that read them and deployments that set them, in either direction. */
import { isTestPath, isVendoredPath } from '../../../base/file-paths.ts'
import type { Confidence } from '../../../domain/severity.ts'
import type { ContractKind, SourceFile } from '../../contract.ts'
import { settingBreaks } from './breaks.ts'
import { type BrokenSetting, isCommonName, keyOf, type ProvidedSetting, type SettingUse } from './contract.ts'
import { mayRead, readsOf } from './reads.ts'
import { blocksOf, maySet } from './sets.ts'

const isRelevant = (path: string) =>
  (mayRead(path) || maySet(path)) && !isTestPath(path) && !isVendoredPath(path)

export const settings: ContractKind = {
  kind: 'setting',
  mayProvide: isRelevant,
  mayUse: isRelevant,
  cue: /\benv|ENV|[A-Z]{2}_[A-Z]|BaseSettings/,
  provided: async (paths, tree) => (await tree.read(paths)).flatMap(providedBy),
  uses: async (file) => usesOf(file),
  breaks: (before, after) =>
    settingBreaks(before as readonly ProvidedSetting[], after as readonly ProvidedSetting[]),
  judge: (broken, use) => judge(broken as BrokenSetting, use as SettingUse),
}

function providedBy(file: SourceFile): ProvidedSetting[] {
  const { path } = file
  const reads = mayRead(path) ? readsOf(file) : []
  const blocks = maySet(path) ? blocksOf(file) : []
  return [
    ...reads.map(
      ({ name, need, line }): ProvidedSetting => ({
        ...{ path, line, endLine: line, name },
        shape: { side: 'read', name, need },
      }),
    ),
    ...blocks.flatMap((block) =>
      block.settings.map(
        ({ name, line, endLine }): ProvidedSetting => ({
          ...{ path, line, endLine: Math.max(line, endLine), name: `${name} (value)` },
          shape: { side: 'set', name, block: `${path} ${block.name}` },
        }),
      ),
    ),
  ]
}

function usesOf(file: SourceFile): SettingUse[] {
  const { path } = file
  const reads = mayRead(path) ? readsOf(file) : []
  const blocks = maySet(path) ? blocksOf(file) : []
  return [
    ...reads.map(
      ({ name, need, line }): SettingUse => ({
        ...{ path, line, endLine: line, key: keyOf(name), name, how: 'read from the environment' },
        shape: { side: 'read', name, need },
      }),
    ),
    ...blocks.flatMap(({ settings, isOpen }) =>
      settings.map(
        ({ name, line, endLine }): SettingUse => ({
          ...{
            path,
            line,
            endLine: Math.max(line, endLine),
            key: keyOf(name),
            name,
            how: 'set for a container',
          },
          shape: { side: 'set', name, names: settings.map((one) => one.name), isOpen },
        }),
      ),
    ),
  ]
}

/** A name says little of which program is meant: other variables of the program beside it say more. */
function judge({ shape: broken }: BrokenSetting, { shape: use }: SettingUse): Confidence | null {
  if (broken.side !== use.side) return null
  if (use.side === 'read') {
    if (use.name !== broken.name || use.need === 'default' || isCommonName(use.name)) return null
    return use.need === 'required' ? 'likely' : 'possible'
  }
  const shared = use.names.filter((name) => broken.others.includes(name))
  if (broken.of === 'required') {
    // Said once for each container, where it sets the first variable of this program.
    if (use.isOpen || use.names.includes(broken.name) || use.name !== shared[0]) return null
    return shared.length >= Math.min(2, broken.others.length) ? 'likely' : null
  }
  if (use.name !== broken.name || use.names.includes(broken.renamedTo ?? '')) return null
  if (shared.length > 0) return 'likely'
  return isCommonName(use.name) ? null : 'possible'
}
