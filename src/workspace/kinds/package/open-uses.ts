/** Uses in languages that import modules as a whole: any name of a file may come from any of them. */
import type { PackageUse, ParsedFile } from './contract.ts'
import { exportName, memberName } from './names.ts'
import { useList } from './use-list.ts'

const mostUses = 3_000
const mostModules = 20

/** `keyOf`: null for modules that no other repository provides. */
export function usesThroughModules(
  ecosystem: string,
  file: ParsedFile,
  keyOf: (module: string) => string | null,
): PackageUse[] {
  const { facts, path } = file
  const uses = useList(ecosystem, path, mostUses)
  const modules = facts.imports.flatMap(({ source, line }) => {
    const key = keyOf(source)
    return key === null ? [] : [{ source, key, line }]
  })
  const types = new Map(facts.typedNames.map(({ name, type }) => [name, type]))
  const own = new Set(facts.symbols.filter(({ scope }) => scope === '').map(({ name }) => name))
  for (const { source, key, line } of modules.slice(0, mostModules)) {
    const how = () => `\`${source}\` is used here`
    uses.add(key, { line, endLine: line }, { target: source, by: 'module' }, how)
    for (const reference of facts.references) {
      const { name, receiver, role, call, shadowed } = reference
      if (role === 'import') continue
      const follows = role === 'call' ? ({ role: 'call', call } as const) : ({ role: 'read' } as const)
      if (receiver === null) {
        if (/^[A-Z]/.test(name) && !shadowed && !own.has(name))
          uses.add(
            key,
            reference,
            { target: exportName(ecosystem, source, name), by: 'module', ...follows },
            how,
          )
        continue
      }
      const plain = receiver.replace(/^this\./, '')
      const type = types.get(plain) ?? (/^[A-Z]\w*$/.test(plain) ? plain : null)
      if (type === null || !/^\w+$/.test(type) || own.has(type)) continue
      const target = memberName(ecosystem, exportName(ecosystem, source, type), name)
      uses.add(key, reference, { target, by: types.has(plain) ? 'type' : 'member', ...follows }, how)
    }
  }
  return uses.all()
}
