/** Environment variables: programs that read them and deployments that set them, in either direction. */
import { isTestPath, isVendoredPath } from '../../../base/file-paths.ts'
import type { Confidence } from '../../../domain/severity.ts'
import type { ContractKind, SourceFile } from '../../contract.ts'
import { placeAt } from '../../places.ts'
import { settingBreaks } from './breaks.ts'
import {
  type BrokenSetting,
  isCommonName,
  keyOf,
  type ProvidedSetting,
  type Read,
  type SettingShape,
  type SettingUse,
} from './contract.ts'
import { mayRead, readsOf } from './reads.ts'
import { type Block, blocksOf, maySet, type Setting } from './sets.ts'

const isRelevant = (path: string) =>
  (mayRead(path) || maySet(path)) && !isTestPath(path) && !isVendoredPath(path)

export const settings: ContractKind<SettingShape, SettingUse['shape'], BrokenSetting['shape']> = {
  kind: 'setting',
  mayProvide: isRelevant,
  mayUse: isRelevant,
  cue: /\benv|ENV|[A-Z]{2}_[A-Z]|BaseSettings/,
  provided: async (paths, tree) => (await tree.read(paths)).flatMap(providedBy),
  uses: async (file) => usesOf(file),
  breaks: settingBreaks,
  judge,
}

function sidesOf(file: SourceFile): { reads: readonly Read[]; blocks: readonly Block[] } {
  const { path } = file
  return { reads: mayRead(path) ? readsOf(file) : [], blocks: maySet(path) ? blocksOf(file) : [] }
}

function providedBy(file: SourceFile): ProvidedSetting[] {
  const { path } = file
  const { reads, blocks } = sidesOf(file)
  const read = ({ name, need, line }: Read): ProvidedSetting => {
    return { ...placeAt(path, line), name, shape: { side: 'read', name, need } }
  }
  const set = ({ name, line, endLine }: Setting, block: Block): ProvidedSetting => ({
    ...{ ...placeAt(path, line, endLine), name: `${name} (value)` },
    shape: { side: 'set', name, block: `${path} ${block.name}` },
  })
  return [...reads.map(read), ...blocks.flatMap((block) => block.settings.map((one) => set(one, block)))]
}

function usesOf(file: SourceFile): SettingUse[] {
  const { reads, blocks } = sidesOf(file)
  const use = (name: string, line: number, endLine: number) => {
    return { ...placeAt(file.path, line, endLine), key: keyOf(name), name }
  }
  const read = ({ name, need, line }: Read): SettingUse => ({
    ...{ ...use(name, line, line), how: 'read from the environment' },
    shape: { side: 'read', name, need },
  })
  const set = ({ name, line, endLine }: Setting, { settings, isOpen }: Block): SettingUse => ({
    ...{ ...use(name, line, endLine), how: 'set for a container' },
    shape: { side: 'set', name, names: settings.map((one) => one.name), isOpen },
  })
  return [...reads.map(read), ...blocks.flatMap((block) => block.settings.map((one) => set(one, block)))]
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
