/** What requests and fragments name of a schema, and whether a schema refuses it. */

import type { ASTNode, DocumentNode, GraphQLError, GraphQLSchema, ValidationRule } from 'graphql'
import { oncePer } from '../../../base/remembered.ts'
import { splitLines } from '../../../code-index/resolve/lines.ts'
import type { Confidence } from '../../../domain/severity.ts'
import type { Break, SourceFile, Use } from '../../contract.ts'
import { placeAt } from '../../places.ts'
import type { GraphqlBreak, Sides } from './breaks.ts'
import { type GraphqlDocument, graphql, loadedDocumentsOf } from './documents.ts'
import { buildSchema } from './schema.ts'

/** Offsets: of the document in its file, and of the node in the document. */
export type GraphqlUse = { document: number; node: number }

/** Some rules follow each operation through all fragments. */
const mostPairs = 100_000

export function usesOf(file: SourceFile, documents: readonly GraphqlDocument[]): Use<GraphqlUse>[] {
  const { lineOf } = splitLines(file.text)
  return documents.filter(isFeasible).flatMap((document) =>
    namesIn(requestOf(document)).map(({ key, name, node, around }) => {
      const place = placeAt(file.path, lineOf(document.start + startOf(node)))
      const shape = { document: document.start, node: startOf(node) }
      return { ...place, key, name, how: `named in ${around}`, shape }
    }),
  )
}

function isFeasible({ definitions }: GraphqlDocument): boolean {
  const operations = definitions.filter(({ kind }) => kind === 'OperationDefinition').length
  return operations * definitions.length <= mostPairs
}

function requestOf({ definitions }: GraphqlDocument): DocumentNode {
  const { Kind, isExecutableDefinitionNode } = graphql()
  return { kind: Kind.DOCUMENT, definitions: definitions.filter(isExecutableDefinitionNode) }
}

function startOf(node: ASTNode): number {
  return node.loc?.start ?? 0
}

function endOf(node: ASTNode): number {
  return node.loc?.end ?? 0
}

type Named = { key: string; name: string; node: ASTNode; around: string }

function namesIn(request: DocumentNode): Named[] {
  const found: Named[] = []
  const conditions = conditionsIn(request)
  const fields: string[] = []
  let around = ''
  const add = (key: string, node: ASTNode, name = key) => void found.push({ key, name, node, around })
  const inside = (name: string) => [fields.at(-1), name].filter(Boolean).join('.')
  graphql().visit(request, {
    enter: (node) => {
      if (node.kind === 'OperationDefinition') around = operationWords(node.operation, node.name?.value)
      else if (node.kind === 'FragmentDefinition') around = `the fragment \`${node.name.value}\``
      else if (node.kind === 'Argument')
        add(node.name.value, node, `${fields.at(-1) ?? ''}(${node.name.value}:)`)
      else if (node.kind === 'ObjectField') add(node.name.value, node)
      else if (node.kind === 'EnumValue') add(node.value, node)
      else if (node.kind === 'NamedType') add(node.name.value, node)
      else if (node.kind === 'FragmentSpread')
        add(conditions.get(node.name.value) ?? '', node, `...${node.name.value}`)
      else if (node.kind === 'Field') {
        add(node.name.value, node, inside(node.name.value))
        fields.push(node.name.value)
      }
    },
    leave: (node) => {
      if (node.kind === 'Field') fields.pop()
    },
  })
  return found.filter(({ key }) => key !== '')
}

/** The types that fragments are on, by the names of the fragments. */
function conditionsIn({ definitions }: DocumentNode): Map<string, string> {
  const fragments = definitions.filter((node) => node.kind === 'FragmentDefinition')
  return new Map(fragments.map(({ name, typeCondition }) => [name.value, typeCondition.name.value]))
}

function operationWords(operation: string, name: string | undefined): string {
  return name === undefined ? `a ${operation}` : `the ${operation} \`${name}\``
}

/** What a node means in the base, and the part of the request in which a schema reports what is wrong with it. */
type Meaning = { node: ASTNode; coordinate: string; inputType: string | null; from: number; to: number }

type Analysis = {
  meanings: ReadonlyMap<number, Meaning>
  /** Nodes that the head refuses and the base does not. */
  refused: readonly number[]
  /** The base takes the whole request. */
  isWhole: boolean
}

export function judgeUse(
  { shape }: Break<GraphqlBreak>,
  use: Use<GraphqlUse>,
  file: SourceFile,
): Confidence | null {
  const document = loadedDocumentsOf(file).find(({ start }) => start === use.shape.document)
  const analysis = document && analysisIn(shape.sides)?.(document)
  const meaning = analysis?.meanings.get(use.shape.node)
  if (!analysis || !meaning) return null
  const isRefused = refuses(
    analysis,
    meaning.from,
    shape.change === 'FIELD_CHANGED_KIND' ? endOf(meaning.node) : meaning.to,
  )
  if (isAbout(shape, meaning)) {
    if (isRefused) return analysis.isWhole ? 'certain' : 'possible'
    if (shape.leaves === 'changed') return analysis.isWhole ? 'likely' : 'possible'
    if (shape.leaves === 'nullable') return 'possible'
  }
  return carried(shape, meaning, analysis, file)
}

function refuses({ refused }: Analysis, from: number, to: number): boolean {
  return refused.some((node) => node >= from && node <= to)
}

function isAbout({ coordinate, change }: GraphqlBreak, meaning: Meaning): boolean {
  if (meaning.coordinate === coordinate) return true
  if (change === 'TYPE_CHANGED_KIND') return meaning.coordinate.startsWith(`${coordinate}.`)
  // A required argument is missing at its field.
  return coordinate.endsWith(')') && meaning.coordinate === coordinate.replace(/\(\w+:\)$/, '')
}

/** The value is in the request, or a variable fills it from code. */
function carried(
  shape: GraphqlBreak,
  meaning: Meaning,
  analysis: Analysis,
  file: SourceFile,
): Confidence | null {
  const depth = meaning.inputType === null ? -1 : shape.carriers.indexOf(meaning.inputType)
  const { node } = meaning
  if (depth < 0 || (node.kind !== 'Argument' && node.kind !== 'ObjectField')) return null
  const isRequired = /^REQUIRED/.test(shape.change)
  if (node.value.kind === 'Variable') {
    if (isRequired) return depth === 0 && analysis.isWhole ? 'likely' : 'possible'
    const name = shape.coordinate.slice(shape.coordinate.indexOf('.') + 1)
    return codeAround(file).includes(name) ? 'possible' : null
  }
  const isObject = node.value.kind === 'ObjectValue' || node.value.kind === 'ListValue'
  const isMissing =
    isRequired && depth === 0 && isObject && refuses(analysis, startOf(node.value), endOf(node))
  return isMissing ? (analysis.isWhole ? 'certain' : 'possible') : null
}

function codeAround(file: SourceFile): string {
  let at = 0
  const pieces: string[] = []
  for (const { start, text } of loadedDocumentsOf(file)) {
    pieces.push(file.text.slice(at, start))
    at = start + text.length
  }
  return pieces.join('') + file.text.slice(at)
}

/** Null where one of the sides is no schema. */
const analysisIn = oncePer((sides: Sides) => {
  const [before, after] = [buildSchema(sides.before), buildSchema(sides.after)]
  return before && after ? oncePer((document: GraphqlDocument) => analysed(document, before, after)) : null
})

function analysed(document: GraphqlDocument, before: GraphQLSchema, after: GraphQLSchema): Analysis {
  const request = requestOf(document)
  const isFilled = (node: number) => document.holes.some(({ start, end }) => node >= start && node < end)
  const [old = [], now = []] = [before, after].map((schema) =>
    refusedIn(schema, request).filter((node) => !isFilled(node)),
  )
  const known = new Set(old)
  return {
    meanings: meaningsIn(before, request),
    refused: now.filter((node) => !known.has(node)),
    isWhole: known.size === 0,
  }
}

/** Names of fragments and directives may be those of other files. */
function rules(): ValidationRule[] {
  const all = graphql()
  return [
    all.FieldsOnCorrectTypeRule,
    all.KnownArgumentNamesRule,
    all.KnownTypeNamesRule,
    all.FragmentsOnCompositeTypesRule,
    all.PossibleFragmentSpreadsRule,
    all.ProvidedRequiredArgumentsRule,
    all.ScalarLeafsRule,
    all.ValuesOfCorrectTypeRule,
    all.VariablesAreInputTypesRule,
    all.VariablesInAllowedPositionRule,
  ]
}

function refusedIn(schema: GraphQLSchema, request: DocumentNode): number[] {
  const options = { maxErrors: 1_000, hideSuggestions: true }
  let errors: readonly GraphQLError[]
  try {
    errors = graphql().validate(schema, request, rules(), options)
  } catch {
    return []
  }
  return errors.flatMap(({ nodes }) => (nodes ?? []).map(startOf))
}

function meaningsIn(schema: GraphQLSchema, request: DocumentNode): Map<number, Meaning> {
  const { TypeInfo, visit, visitWithTypeInfo, getNamedType } = graphql()
  const info = new TypeInfo(schema)
  const found = new Map<number, Meaning>()
  const add = (node: ASTNode, coordinate: string, part: ASTNode = node, to = endOf(node)) => {
    const input = node.kind === 'Argument' || node.kind === 'ObjectField' ? info.getInputType() : null
    const inputType = input ? getNamedType(input).name : null
    found.set(startOf(node), { node, coordinate, inputType, from: startOf(part), to })
  }
  const member = () => `${info.getParentType()?.name ?? ''}.${info.getFieldDef()?.name ?? ''}`
  const conditions = conditionsIn(request)
  visit(
    request,
    visitWithTypeInfo(info, {
      enter: (node, _key, parent) => {
        // Of a field itself; what is wrong with its parts is their own.
        if (node.kind === 'Field' && info.getFieldDef()) add(node, member(), node, startOf(node))
        else if (node.kind === 'Argument' && !info.getDirective() && info.getArgument())
          add(node, `${member()}(${node.name.value}:)`)
        else if (node.kind === 'ObjectField' && info.getParentInputType())
          add(node, `${getNamedType(info.getParentInputType())?.name ?? ''}.${node.name.value}`)
        else if (node.kind === 'EnumValue')
          add(node, `${getNamedType(info.getInputType())?.name ?? ''}.${node.value}`)
        else if (node.kind === 'NamedType') {
          const around = parent && 'kind' in parent && parent.kind === 'InlineFragment' ? parent : node
          add(node, node.name.value, around)
        } else if (node.kind === 'FragmentSpread') add(node, conditions.get(node.name.value) ?? '')
      },
    }),
  )
  return found
}
