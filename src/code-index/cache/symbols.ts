/** Symbols as bytes: one after the other, with the hashes apart, which nothing makes smaller. */
import type { CodeSymbol, Parameter, Visibility } from '../../domain/code-symbol.ts'
import { symbolKinds } from '../../domain/names.ts'
import { type ByteReader, ByteWriter, damaged, type StringTable } from '../index-files/bytes.ts'

const visibilities: readonly Visibility[] = ['exported', 'internal', 'private']
const bits = { optional: 1, variadic: 2, keywordOnly: 4 } as const
/** Hexadecimal digits of a hash. */
const hashDigits = 16

const writer = new ByteWriter()
const hashes = new ByteWriter()

export type SymbolList = { symbols: readonly CodeSymbol[]; parents: readonly (number | null)[] }

/** Two parts, valid until the next call. */
export function writeSymbols({ symbols, parents }: SymbolList, words: StringTable): Buffer[] {
  let line = 0
  for (const [at, symbol] of symbols.entries()) {
    writer.number(
      symbolKinds.indexOf(symbol.kind) * 8 +
        visibilities.indexOf(symbol.visibility) * 2 +
        Number(symbol.isTest),
    )
    writer.number(words.of(symbol.name))
    writer.number(words.of(symbol.scope))
    writer.signed(symbol.startLine - line)
    writer.number(symbol.endLine - symbol.startLine)
    writer.signed(symbol.nameLine - symbol.startLine)
    writer.optional(parents[at] ?? null)
    const { text, parameters, returnType } = symbol.signature
    writer.number(words.of(text))
    writer.optional(words.orNull(returnType))
    writer.optional(words.orNull(symbol.doc))
    writer.optional(parameters?.length ?? null)
    for (const parameter of parameters ?? []) writeParameter(parameter, words)
    for (const hash of [symbol.signatureHash, symbol.bodyHash]) {
      if (hash.length !== hashDigits) throw new Error('a hash of another length')
      hashes.text(hash, 'hex')
    }
    line = symbol.startLine
  }
  return [writer.take(), hashes.take()]
}

export function readSymbols(
  count: number,
  reader: ByteReader,
  hashed: ByteReader,
  words: readonly string[],
): SymbolList {
  const parents: (number | null)[] = []
  const wordOrNull = (): string | null => {
    const number = reader.optional()
    return number === null ? null : (words[number] ?? '')
  }
  const hash = (): string => hashed.raw(hashDigits / 2).toString('hex')
  let line = 0
  const symbols = Array.from({ length: count }, (): CodeSymbol => {
    const mark = reader.number()
    const [kind, visibility] = [symbolKinds[mark >> 3], visibilities[(mark >> 1) & 3]]
    if (kind === undefined || visibility === undefined) throw damaged()
    const name = words[reader.number()] ?? ''
    const scope = words[reader.number()] ?? ''
    line += reader.signed()
    const endLine = line + reader.number()
    const nameLine = line + reader.signed()
    parents.push(reader.optional())
    const text = words[reader.number()] ?? ''
    const returnType = wordOrNull()
    const doc = wordOrNull()
    const listed = reader.optional()
    const parameters =
      listed === null ? null : Array.from({ length: listed }, () => readParameter(reader, words))
    return {
      name,
      kind,
      scope,
      startLine: line,
      endLine,
      nameLine,
      signature: { text, parameters, returnType },
      visibility,
      signatureHash: hash(),
      bodyHash: hash(),
      isTest: (mark & 1) === 1,
      doc,
    }
  })
  return { symbols, parents }
}

function writeParameter({ name, type, ...flags }: Parameter, words: StringTable): void {
  writer.number(
    (flags.optional ? bits.optional : 0) +
      (flags.variadic ? bits.variadic : 0) +
      (flags.keywordOnly ? bits.keywordOnly : 0),
  )
  writer.number(words.of(name))
  writer.optional(words.orNull(type))
}

function readParameter(reader: ByteReader, words: readonly string[]): Parameter {
  const flags = reader.number()
  const name = words[reader.number()] ?? ''
  const type = reader.optional()
  return {
    name,
    type: type === null ? null : (words[type] ?? ''),
    optional: (flags & bits.optional) !== 0,
    variadic: (flags & bits.variadic) !== 0,
    keywordOnly: (flags & bits.keywordOnly) !== 0,
  }
}
