/** Uses in languages that import modules as a whole: any name of a file may come from any of them. */
import type { PackageUse, PackageUseShape, ParsedFile } from './contract.ts'
import { exportName, memberName } from './names.ts'

const mostUses = 3_000
const mostModules = 20

/** `keyOf`: null for modules that no other repository provides. */
export function usesThroughModules(
  ecosystem: string,
  file: ParsedFile,
  keyOf: (module: string) => string | null,
): PackageUse[] {
  const { facts, path } = file
  const found = new Map<string, PackageUse>()
  const modules = facts.imports.flatMap(({ source, line }) => {
    const key = keyOf(source)
    return key === null ? [] : [{ source, key, line }]
  })
  const add = (
    key: string,
    module: string,
    at: { line: number; endLine: number },
    shape: Partial<PackageUseShape>,
  ) => {
    const whole: PackageUseShape = {
      ecosystem,
      target: module,
      role: 'import',
      by: 'module',
      call: null,
      isGuarded: false,
      ...shape,
    }
    const id = JSON.stringify(whole)
    if (found.has(id) || found.size >= mostUses) return
    const how = `\`${module}\` is used here`
    found.set(id, {
      path,
      line: at.line,
      endLine: Math.max(at.line, at.endLine),
      key,
      name: whole.target,
      how,
      shape: whole,
    })
  }
  const types = new Map(facts.typedNames.map(({ name, type }) => [name, type]))
  const own = new Set(facts.symbols.filter(({ scope }) => scope === '').map(({ name }) => name))
  for (const { source, key, line } of modules.slice(0, mostModules)) {
    add(key, source, { line, endLine: line }, {})
    for (const reference of facts.references) {
      const { name, receiver, role, call, shadowed } = reference
      if (role === 'import') continue
      const follows = role === 'call' ? ({ role: 'call', call } as const) : ({ role: 'read' } as const)
      if (receiver === null) {
        if (/^[A-Z]/.test(name) && !shadowed && !own.has(name))
          add(key, source, reference, { target: exportName(ecosystem, source, name), ...follows })
        continue
      }
      const plain = receiver.replace(/^this\./, '')
      const type = types.get(plain) ?? (/^[A-Z]\w*$/.test(plain) ? plain : null)
      if (type === null || !/^\w+$/.test(type) || own.has(type)) continue
      const target = memberName(ecosystem, exportName(ecosystem, source, type), name)
      add(key, source, reference, { target, by: types.has(plain) ? 'type' : 'member', ...follows })
    }
  }
  return [...found.values()]
}
