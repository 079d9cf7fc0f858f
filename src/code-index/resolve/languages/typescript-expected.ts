/**
 * Keys of object literals and attributes of JSX: they belong to the type that is expected where the literal is written.
 * It is read from the text around: a declared variable, the parameter of a call, a declared result, the key of another
 * literal, the first parameter of a component.
 */

import type { Reference } from '../../contract.ts'
import { baseType } from '../../extraction/typed-names.ts'
import type { Definition, Language, UseSite, World } from '../contract.ts'
import { firstResult } from '../initialiser.ts'
import { linesOf } from '../lines.ts'
import { memberOf, namedType, resolveReceiver } from '../receiver.ts'
import { around, symbolOf, typeMember } from '../symbols.ts'

/** How far above a key its literal may begin. */
const furthest = 60
const deepest = 4

/** The members that a key names; none when the expected type is not known or has no such member. */
export async function expectedMembers(
  language: Language,
  world: World,
  place: UseSite,
  { name, line, column }: Reference,
): Promise<readonly Definition[]> {
  if (place.text === null) return []
  const lines = linesOf(place.facts, place.text)
  const from = Math.max(1, line - furthest)
  const before = `${lines.between(from, line)}\n${lines.at(line).slice(0, column)}`
  const scope: Scope = { language, world, place, line }
  const types = await attributeTypes(scope, before).then((found) => found ?? literalTypes(scope, before, 0))
  if (types.length === 0) return []
  const meaning = await typeMember(language, world, types, name, true)
  return meaning.kind === 'defined' ? meaning.definitions : []
}

type Scope = { language: Language; world: World; place: UseSite; line: number }

/** Null when the place is not inside of an opening tag. */
async function attributeTypes(scope: Scope, before: string): Promise<readonly Definition[] | null> {
  if (!/\.[jt]sx$/.test(scope.place.path)) return null
  const opening = openingBefore(before, before.length)
  const tag = /<([A-Z][\w.]{0,80})\s(?:[^<>]{0,2000})$/.exec(
    before.slice(Math.max(0, opening + 1)).slice(-2100),
  )
  if (!tag) return null
  const component = await calledFunction(scope, tag[1] ?? '')
  return component ? parameterTypes(scope, component, 0) : []
}

/** `before` ends where a key begins. */
async function literalTypes(scope: Scope, before: string, depth: number): Promise<readonly Definition[]> {
  const opening = openingBefore(before, before.length)
  if (depth > deepest || opening < 0 || before.charAt(opening) !== '{') return []
  const head = before.slice(0, opening).trimEnd()
  const last = head.at(-1) ?? ''
  if (last === '=') return declaredTypes(scope, head)
  if (last === '(' || last === ',') return argumentTypes(scope, head)
  if (last === ':') return nestedTypes(scope, head, depth)
  return /\breturn$/.test(head) ? resultTypes(scope) : []
}

/** `const x: T = {`. */
async function declaredTypes(scope: Scope, head: string): Promise<readonly Definition[]> {
  const [, written] =
    /\b(?:const|let|var)\s[\w$]{1,60}: ?([\w$.]{1,80}(?:<[\w\s,.'"|]{0,80}>)?) =$/.exec(head.slice(-260)) ??
    []
  return written === undefined ? [] : typesOf(scope, scope.place, written)
}

/** `f(a, {`: what the parameter at this place is declared as. */
async function argumentTypes(scope: Scope, head: string): Promise<readonly Definition[]> {
  const opening = openingBefore(head, head.length)
  if (opening < 0 || head.charAt(opening) !== '(') return []
  const passed = head.slice(opening + 1)
  const callee = calleeBefore(head, opening)
  if (callee === null || /^(?:if|for|while|switch|catch|function)$/.test(callee)) return []
  const called = await calledFunction(scope, callee)
  return called ? parameterTypes(scope, called, commasIn(passed)) : []
}

/** The names and dots that end where the brackets of a call open, with `new` before them. */
function calleeBefore(text: string, opening: number): string | null {
  let start = opening
  while (start > 0 && /[\w$.?]/.test(text.charAt(start - 1))) start--
  const path = text.slice(start, opening)
  if (!/^[A-Za-z_$]/.test(path)) return null
  return text.slice(Math.max(0, start - 4), start) === 'new ' ? `new ${path}` : path
}

/** `key: {`: what the member `key` of the type around is declared as. */
async function nestedTypes(scope: Scope, head: string, depth: number): Promise<readonly Definition[]> {
  const [, key] = /[{,\s]([\w$]{1,60}):$/.exec(head.slice(-70)) ?? []
  if (key === undefined) return []
  const holders = await literalTypes(scope, head.slice(0, -1 - key.length), depth + 1)
  if (holders.length === 0) return []
  const meaning = await typeMember(scope.language, scope.world, holders, key, true)
  if (meaning.kind !== 'defined') return []
  const [member] = meaning.definitions
  if (!member) return []
  const typed = member.facts.typedNames.find(
    (one) => one.name === key && one.enclosing === member.facts.parents[member.index],
  )
  const there = {
    path: member.path,
    facts: member.facts,
    enclosing: member.facts.parents[member.index] ?? null,
    text: null,
  }
  return typed ? typesOf(scope, there, typed.type) : []
}

/** `return {` in a function whose result is declared. */
async function resultTypes(scope: Scope): Promise<readonly Definition[]> {
  const [inner] = around(scope.place).map((index) => scope.place.facts.symbols[index])
  const written = inner?.signature.returnType
  if (!written || (inner?.kind !== 'function' && inner?.kind !== 'method')) return []
  // A function without a name in between has a result of its own.
  const lines = linesOf(scope.place.facts, scope.place.text ?? '')
  const body = lines.between(inner.startLine + 1, scope.line)
  if (/=>|\bfunction\b/.test(body)) return []
  return typesOf(scope, scope.place, firstResult(written, scope.place.facts.language, false))
}

/** The function that a call runs, or the constructor of a type. */
async function calledFunction(
  { language, world, place, line }: Scope,
  text: string,
): Promise<Definition | null> {
  const made = text.startsWith('new ')
  const path = (made ? text.slice(4) : text).replaceAll('?.', '.')
  const cut = path.lastIndexOf('.')
  const name = path.slice(cut + 1)
  const meaning =
    cut < 0
      ? await language.name(world, place, name)
      : await memberOf(
          language,
          world,
          place,
          await resolveReceiver({ language, world, place, line }, path.slice(0, cut)),
          name,
        )
  if (meaning.kind !== 'defined' || meaning.definitions.length !== 1) return null
  const [found] = meaning.definitions
  if (!found || !made) return found ?? null
  const constructors = await typeMember(language, world, [found], 'constructor', true)
  return constructors.kind === 'defined' && constructors.definitions.length === 1
    ? (constructors.definitions[0] ?? null)
    : null
}

async function parameterTypes(scope: Scope, called: Definition, at: number): Promise<readonly Definition[]> {
  const written = symbolOf(called).signature.parameters?.[at]
  if (!written?.type || written.variadic) return []
  const { path, facts, index } = called
  return typesOf(scope, { path, facts, enclosing: index, text: null }, written.type)
}

async function typesOf(scope: Scope, place: UseSite, written: string): Promise<readonly Definition[]> {
  const inner = /^(?:Partial|Readonly|Required)<(.*)>$/.exec(written.trim())?.[1] ?? written
  const type = baseType(inner)
  return type === null ? [] : namedType(scope.language, scope.world, place, type)
}

/** Where the bracket opens that is still open at `end`; -1 when there is none. Quotes and comments are not understood. */
function openingBefore(text: string, end: number): number {
  let closed = 0
  for (let at = end - 1; at >= 0; at--) {
    const character = text.charAt(at)
    if (character === '}' || character === ')' || character === ']') closed++
    else if (character === '{' || character === '(' || character === '[') {
      if (closed === 0) return at
      closed--
    }
  }
  return -1
}

/** Commas outside of brackets. */
function commasIn(text: string): number {
  let depth = 0
  let count = 0
  for (const character of text) {
    if ('({['.includes(character)) depth++
    else if (')}]'.includes(character)) depth--
    else if (character === ',' && depth === 0) count++
  }
  return count
}
