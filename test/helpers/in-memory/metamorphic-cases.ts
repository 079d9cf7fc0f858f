/**
 * What rewrites are tried on: the changes of the evaluation's worlds and their mutants, the same worlds as JavaScript, and in
 * every other language a few changes that break a caller, a name or nothing.
 */
import { stripTypeScriptTypes } from 'node:module'
import { seedMutants } from '../../../evals/mutants/seed-mutants.ts'
import { readWorlds } from '../../../evals/worlds/read-worlds.ts'
import { type ShapeLanguage, shapeLanguages } from '../../red-team/inputs/shape-languages.ts'
import type { Texts } from './change.ts'

export type Sides = { base: Texts; head: Texts }
export type Case = Sides & { name: string; language: string }

export function metamorphicCases(seed: number): Case[] {
  const worlds = worldCases(seed)
  const typescript = worlds.filter(({ language }) => language === 'ts')
  return [
    ...worlds,
    ...typescript.map((one) => asJavaScript(one, 'JavaScript', (text) => text)),
    ...typescript.map((one) => asJavaScript(one, 'CommonJS', asCommonJs)),
    ...shapeLanguages.flatMap(smallCases),
  ]
}

function worldCases(seed: number): Case[] {
  return readWorlds().flatMap((world) => {
    const texts = (at: number): Texts => Object.fromEntries(world.commits[at]?.files ?? [])
    const [language = ''] = Object.keys(texts(world.commits.length - 1)).flatMap(
      (path) => /\.(ts|py|go|rs|java)$/.exec(path)?.[1] ?? [],
    )
    const clean = world.commits.slice(1).map((_, at) => ({
      name: `${world.name} ${at + 1}`,
      language,
      base: texts(at),
      head: texts(at + 1),
    }))
    const faulty = seedMutants(world, seed).map(({ operator, mutation, change }) => ({
      name: `${world.name} ${change} ${operator.name}`,
      language,
      base: texts(change - 1),
      head: { ...texts(change), ...Object.fromEntries(mutation.files) },
    }))
    return [...clean, ...faulty]
  })
}

function asJavaScript(one: Case, dialect: string, write: (text: string) => string): Case {
  const stripped = (texts: Texts): Texts =>
    Object.fromEntries(
      Object.entries(texts).map(([path, text]) =>
        path.endsWith('.ts')
          ? [
              path.replace(/\.ts$/, '.js'),
              write(withoutTypes(text).replace(/(from '\.[^']*)\.ts'/g, "$1.js'")),
            ]
          : [path, text],
      ),
    )
  return {
    name: `${one.name} as ${dialect}`,
    language: 'js',
    base: stripped(one.base),
    head: stripped(one.head),
  }
}

/** A mutant may hold what the engine cannot read; its types stay then, as they would in a broken file. */
function withoutTypes(text: string): string {
  try {
    return stripTypeScriptTypes(text)
      .replace(/[ \t]+$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
  } catch {
    return text
  }
}

function asCommonJs(text: string): string {
  const names: string[] = []
  const body = text
    .replace(
      /^import \{([^}]*)\} from ('[^']*')/gm,
      (_, list: string, from: string) => `const {${list.replace(/ as /g, ': ')}} = require(${from})`,
    )
    .replace(
      /^export ((?:async )?function\*? |const |let |class )(\w+)/gm,
      (_, keyword: string, name: string) => {
        names.push(name)
        return `${keyword}${name}`
      },
    )
  return names.length === 0 ? body : `${body}\nmodule.exports = { ${names.join(', ')} }\n`
}

/** A definition, a caller in the same file and one in another file, before and after a change of the definition. */
function smallCases(language: ShapeLanguage): Case[] {
  const { define, call, ending } = language
  const [open, close] = language.around ?? ['', '']
  const value = language.name === 'php' ? 'a' : 'a'
  const file = (...parts: string[]) => `${open}${parts.join('\n')}${close}`
  const importing = (name: string) => language.imports?.(name, 'stock') ?? ''
  const near = define('nearby_total', ['a'], call('stock_total', [value]))
  const far = (name: string) => ({
    [`shop/order.${ending}`]: file(importing(name), define('order_total', ['a'], call(name, [value]))),
  })
  const side = (...parts: string[]): Texts => ({ [`shop/stock.${ending}`]: file(...parts) })
  const total = define('stock_total', ['a'], call('stock_base', [value]))
  const base = define(
    'stock_base',
    ['a'],
    language.name === 'bash' ? 'echo 1' : value === 'a' && language.name === 'php' ? '$a' : value,
  )
  const before = { ...side(base, total, near), ...far('stock_total') }
  const after = (name: string, head: Texts): Case => ({
    name: `${language.name}: ${name}`,
    language: ending,
    base: before,
    head: { ...before, ...head },
  })
  return [
    after(
      'one parameter more',
      side(base, define('stock_total', ['a', 'b'], call('stock_base', [value])), near),
    ),
    after('a function is removed', side(base, near)),
    after('a function is renamed', side(base, define('stock_sum', ['a'], call('stock_base', [value])), near)),
    after('a name is moved to another file', {
      ...side(base, near),
      [`shop/moved.${ending}`]: file(total),
    }),
    after('a function is copied', {
      [`shop/copy.${ending}`]: file(total.replace('stock_total', 'copied_total')),
    }),
    after(
      'nothing of weight',
      side(base, total, near, define('added_total', ['a'], call('nearby_total', [value]))),
    ),
  ]
}
