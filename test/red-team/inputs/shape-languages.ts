/** How each language writes what the shapes are made of: a definition, a call, an import, a block in a block. */

export type ShapeLanguage = {
  name: string
  ending: string
  /** What stands around all else in a file, where definitions need something around them. */
  around?: readonly [string, string]
  /** A function whose body is one call. */
  define(name: string, parameters: readonly string[], body: string): string
  call(name: string, values: readonly string[]): string
  /** Null where nothing is imported by name. */
  imports: ((name: string, module: string) => string) | null
  /** Opens and closes one more level inside a function. */
  block: readonly [string, string]
  /** A choice between n values; null where the language has no such statement. */
  choice: { open: string; one(n: number): string; close: string } | null
  /** A type of n members. */
  members: { open: string; one(n: number): string; close: string } | null
  /** A type that inherits from others. */
  type: ((name: string, bases: readonly string[], body: string) => string) | null
}

/** Many of them take lines of their own: one long line would not be parsed. */
const list = (words: readonly string[]): string => words.join(words.length > 20 ? ',\n' : ', ')
const typed = (words: readonly string[], as: (word: string) => string): string => list(words.map(as))

export const shapeLanguages: readonly ShapeLanguage[] = [
  ...[
    ['typescript', 'ts'],
    ['tsx', 'tsx'],
    ['javascript', 'js'],
  ].map(([name = '', ending = '']): ShapeLanguage => {
    const isTyped = ending !== 'js'
    return {
      name,
      ending,
      define: (word, parameters, body) =>
        `export function ${word}(${isTyped ? typed(parameters, (one) => `${one}: string`) : list(parameters)}) { return ${body} }\n`,
      call: (word, values) => `${word}(${list(values)})`,
      imports: (word, module) => `import { ${word} } from './${module}'\n`,
      block: ['if (a) {\n', '}\n'],
      choice: { open: 'switch (a) {\n', one: (n) => `case 'k${n}': return ${n}\n`, close: '}\n' },
      members: isTyped
        ? { open: 'export type Big =\n', one: (n) => `  | 'm${n}'\n`, close: '\n' }
        : { open: 'export const big = {\n', one: (n) => `  m${n}: ${n},\n`, close: '}\n' },
      type: (word, bases, body) =>
        `export class ${word}${bases.length > 0 ? ` extends ${bases[0]}` : ''} { ${body} }\n`,
    }
  }),
  {
    name: 'python',
    ending: 'py',
    define: (word, parameters, body) => `def ${word}(${list(parameters)}):\n    return ${body}\n`,
    call: (word, values) => `${word}(${list(values)})`,
    imports: (word, module) => `from ${module} import ${word}\n`,
    block: ['[', ']'],
    choice: { open: 'match a:\n', one: (n) => `        case ${n}: return ${n}\n`, close: '' },
    members: { open: 'class Big(Enum):\n', one: (n) => `    M${n} = ${n}\n`, close: '' },
    type: (word, bases, body) => `class ${word}(${list(bases)}):\n    ${body === '' ? 'pass' : body}\n`,
  },
  {
    name: 'go',
    ending: 'go',
    around: ['package big\n', ''],
    define: (word, parameters, body) =>
      `func ${word}(${typed(parameters, (one) => `${one} string`)}) string { return ${body} }\n`,
    call: (word, values) => `${word}(${list(values)})`,
    imports: (word, module) => `import ${word} "example.org/big/${module}"\n`,
    block: ['if a != "" {\n', '}\n'],
    choice: { open: 'switch a {\n', one: (n) => `case "k${n}": return "${n}"\n`, close: '}\n' },
    members: { open: 'type Big struct {\n', one: (n) => `\tM${n} int\n`, close: '}\n' },
    type: (word, bases, body) => `type ${word} struct {\n${bases.join('\n')}\n${body}}\n`,
  },
  {
    name: 'rust',
    ending: 'rs',
    define: (word, parameters, body) =>
      `pub fn ${word}(${typed(parameters, (one) => `${one}: &str`)}) -> String { ${body} }\n`,
    call: (word, values) => `${word}(${list(values)})`,
    imports: (word, module) => `use crate::${module}::${word};\n`,
    block: ['if true {\n', '}\n'],
    choice: { open: 'match a {\n', one: (n) => `"k${n}" => ${n},\n`, close: '}\n' },
    members: { open: 'pub enum Big {\n', one: (n) => `    M${n},\n`, close: '}\n' },
    type: (word, bases, body) =>
      `pub struct ${word};\n${bases.map((base) => `impl ${base} for ${word} {}\n`).join('')}impl ${word} { ${body} }\n`,
  },
  {
    name: 'java',
    ending: 'java',
    around: ['package big;\nclass Big {\n', '}\n'],
    define: (word, parameters, body) =>
      `static String ${word}(${typed(parameters, (one) => `String ${one}`)}) { return ${body}; }\n`,
    call: (word, values) => `${word}(${list(values)})`,
    imports: null,
    block: ['if (true) {\n', '}\n'],
    choice: { open: 'switch (a) {\n', one: (n) => `case "k${n}": return "${n}";\n`, close: '}\n' },
    members: { open: 'enum Many {\n', one: (n) => `  M${n},\n`, close: '}\n' },
    type: (word, bases, body) =>
      `static class ${word}${bases.length > 0 ? ` extends ${bases[0]}` : ''} { ${body} }\n`,
  },
  ...[
    ['c', 'c'],
    ['cpp', 'cpp'],
  ].map(
    ([name = '', ending = '']): ShapeLanguage => ({
      name,
      ending,
      define: (word, parameters, body) =>
        `int ${word}(${typed(parameters, (one) => `int ${one}`)}) { return ${body}; }\n`,
      call: (word, values) => `${word}(${list(values)})`,
      imports: (_, module) => `#include "${module}.h"\n`,
      block: ['if (1) {\n', '}\n'],
      choice: { open: 'switch (a) {\n', one: (n) => `case ${n}: return ${n};\n`, close: '}\n' },
      members: { open: 'enum big {\n', one: (n) => `  M${n},\n`, close: '};\n' },
      type:
        name === 'c'
          ? null
          : (word, bases, body) =>
              `struct ${word}${bases.length > 0 ? ` : ${list(bases)}` : ''} { ${body} };\n`,
    }),
  ),
  {
    name: 'csharp',
    ending: 'cs',
    around: ['namespace Big;\npublic class Big {\n', '}\n'],
    define: (word, parameters, body) =>
      `public static string ${word}(${typed(parameters, (one) => `string ${one}`)}) { return ${body}; }\n`,
    call: (word, values) => `${word}(${list(values)})`,
    imports: null,
    block: ['if (true) {\n', '}\n'],
    choice: { open: 'switch (a) {\n', one: (n) => `case "k${n}": return "${n}";\n`, close: '}\n' },
    members: { open: 'public enum Many {\n', one: (n) => `  M${n},\n`, close: '}\n' },
    type: (word, bases, body) =>
      `public class ${word}${bases.length > 0 ? ` : ${list(bases)}` : ''} { ${body} }\n`,
  },
  {
    name: 'php',
    ending: 'php',
    around: ['<?php\n', ''],
    define: (word, parameters, body) =>
      `function ${word}(${typed(parameters, (one) => `$${one}`)}) { return ${body}; }\n`,
    call: (word, values) => `${word}(${list(values.map((one) => `$${one}`))})`,
    imports: (word, module) => `use Big\\${module}\\${word};\n`,
    block: ['if (true) {\n', '}\n'],
    choice: { open: 'switch ($a) {\n', one: (n) => `case 'k${n}': return ${n};\n`, close: '}\n' },
    members: { open: 'enum Many {\n', one: (n) => `  case M${n};\n`, close: '}\n' },
    type: (word, bases, body) =>
      `class ${word}${bases.length > 0 ? ` extends ${bases[0]}` : ''} { ${body.replace(/^function/gm, 'public function')} }\n`,
  },
  {
    name: 'kotlin',
    ending: 'kt',
    around: ['package big\n', ''],
    define: (word, parameters, body) =>
      `fun ${word}(${typed(parameters, (one) => `${one}: String`)}): String { return ${body} }\n`,
    call: (word, values) => `${word}(${list(values)})`,
    imports: (word, module) => `import big.${module}.${word}\n`,
    block: ['if (true) {\n', '}\n'],
    choice: { open: 'return when (a) {\n', one: (n) => `"k${n}" -> "${n}"\n`, close: 'else -> a\n}\n' },
    members: { open: 'enum class Many {\n', one: (n) => `  M${n},\n`, close: '}\n' },
    type: (word, bases, body) =>
      `open class ${word}${bases.length > 0 ? ` : ${bases[0]}()` : ''} { ${body} }\n`,
  },
  {
    name: 'swift',
    ending: 'swift',
    define: (word, parameters, body) =>
      `func ${word}(${typed(parameters, (one) => `_ ${one}: String`)}) -> String { return ${body} }\n`,
    call: (word, values) => `${word}(${list(values)})`,
    imports: (word) => `import ${word}\n`,
    block: ['if true {\n', '}\n'],
    choice: {
      open: 'switch a {\n',
      one: (n) => `case "k${n}": return "${n}"\n`,
      close: 'default: return a\n}\n',
    },
    members: { open: 'enum Many {\n', one: (n) => `  case m${n}\n`, close: '}\n' },
    type: (word, bases, body) => `class ${word}${bases.length > 0 ? `: ${list(bases)}` : ''} { ${body} }\n`,
  },
  {
    name: 'scala',
    ending: 'scala',
    around: ['package big\nobject Big {\n', '}\n'],
    define: (word, parameters, body) =>
      `def ${word}(${typed(parameters, (one) => `${one}: String`)}): String = ${body}\n`,
    call: (word, values) => `${word}(${list(values)})`,
    imports: (word, module) => `import big.${module}.${word}\n`,
    block: ['if (true) {\n', '}\n'],
    choice: { open: 'a match {\n', one: (n) => `case "k${n}" => "${n}"\n`, close: '}\n' },
    members: { open: 'class Many {\n', one: (n) => `  val m${n} = ${n}\n`, close: '}\n' },
    type: (word, bases, body) =>
      `class ${word}${bases.length > 0 ? ` extends ${bases[0]}` : ''} { ${body} }\n`,
  },
  {
    name: 'ruby',
    ending: 'rb',
    define: (word, parameters, body) => `def ${word}(${list(parameters)})\n  ${body}\nend\n`,
    call: (word, values) => `${word}(${list(values)})`,
    imports: (_, module) => `require_relative '${module}'\n`,
    block: ['if true\n', 'end\n'],
    choice: { open: 'case a\n', one: (n) => `when 'k${n}' then ${n}\n`, close: 'end\n' },
    members: { open: 'module Many\n', one: (n) => `  M${n} = ${n}\n`, close: 'end\n' },
    type: (word, bases, body) =>
      `class ${word.replace(/^./, (letter) => letter.toUpperCase())}${bases.length > 0 ? ` < ${bases[0]}` : ''}\n${body}end\n`,
  },
  {
    name: 'bash',
    ending: 'sh',
    define: (word, _, body) => `${word}() {\n  ${body}\n}\n`,
    call: (word, values) => `${word} ${values.join(' ')}`,
    imports: (_, module) => `source ./${module}.sh\n`,
    block: ['if true; then\n', 'fi\n'],
    choice: { open: 'case $a in\n', one: (n) => `k${n}) echo ${n} ;;\n`, close: 'esac\n' },
    members: null,
    type: null,
  },
]
