/** `unused`: the name, defined on the line, is used nowhere else in the repository. */
import { confirmed, type Refuter, refuted, unverifiable } from './contract.ts'
import { lastName } from './names.ts'

export const checkUnused: Refuter<'unused'> = async ({ name: symbol, path, line }, { sources }) => {
  const name = lastName(symbol)
  const own = await sources.facts('new', path)
  if (!own) return unverifiable(`\`${path}\` is not parsed after the change`)
  const isDefined =
    own.symbols.some((one) => one.name === name && one.nameLine <= line && line <= one.endLine) ||
    own.imports.some((one) => one.local === name && one.line === line) ||
    own.typedNames.some((one) => one.name === name && one.line === line)
  if (!isDefined) return refuted(`\`${path}:${line}\` does not define \`${name}\``)
  const use = own.references.find((one) => one.name === name && one.line !== line && one.role !== 'export')
  if (use) return refuted(`\`${path}:${use.line}\` uses \`${name}\``)
  for (const other of await sources.headFilesWith(name)) {
    if (other === path) continue
    const facts = await sources.facts('new', other)
    if (!facts) return unverifiable(`\`${other}\` mentions \`${name}\` and is not parsed`)
    const found =
      facts.references.find((one) => one.name === name) ?? facts.imports.find((one) => one.imported === name)
    if (found) return refuted(`\`${other}:${found.line}\` uses \`${name}\``)
  }
  return confirmed('the code index')
}
