/** How names of packages, their modules, exports and members are written, by ecosystem. */

/** `whole`: the export that stands for a module which is one value, such as a function that is `module.exports`. */
type Spelling = { noun: string; export: string; member: string; whole?: string }

const dotted = { export: '.', member: '.' }
const spellings: Readonly<Record<string, Spelling>> = {
  npm: { noun: 'npm package', export: '#', member: '.', whole: 'default' },
  pypi: { noun: 'Python package', ...dotted },
  go: { noun: 'Go module', ...dotted },
  crates: { noun: 'crate', export: '::', member: '::' },
  maven: { noun: 'package', ...dotted },
  nuget: { noun: 'NuGet package', ...dotted },
  gems: { noun: 'gem', export: '::', member: '.' },
}

const plain: Spelling = { noun: 'package', ...dotted }

export function nounOf(ecosystem: string): string {
  return (spellings[ecosystem] ?? plain).noun
}

/** `module` is empty where names are global. */
export function exportName(ecosystem: string, module: string, symbol: string): string {
  return module === '' ? symbol : `${module}${(spellings[ecosystem] ?? plain).export}${symbol}`
}

export function memberName(ecosystem: string, type: string, member: string): string {
  return `${type}${(spellings[ecosystem] ?? plain).member}${member}`
}

/** The module that a name is an export of. */
export function moduleOf(ecosystem: string, target: string): string {
  const at = target.lastIndexOf((spellings[ecosystem] ?? plain).export)
  return at < 0 ? target : target.slice(0, at)
}

/** The module itself as one value: what is called where its name is; null where a module is none. */
export function wholeOf(ecosystem: string, module: string): string | null {
  const whole = spellings[ecosystem]?.whole
  return whole === undefined ? null : exportName(ecosystem, module, whole)
}
