/**
 * What a name means is found by one resolver, which a plane and the check of its claims share. A finding of code that rests on
 * it is certain, or of high severity, only if a second witness says the same: a type checker, or the text where it
 * can mean nothing else. Where neither says anything it is likely, and of medium severity at most. How many arguments a call
 * has, and which of them is which, is arithmetic on our own parse: there, only types are a witness.
 */
import { folderWithSlash } from '../../../base/file-paths.ts'
import type { FileFacts } from '../../../code-index/contract.ts'
import { languageOf } from '../../../code-index/language-of.ts'
import { occurrencesOf } from '../../../code-index/query/occurrences.ts'
import { decidesAtRunTime } from '../../../code-index/resolve/hidden-exports.ts'
import type { Claim } from '../../../domain/claim.ts'
import type { CodeSymbol } from '../../../domain/code-symbol.ts'
import type { Candidate } from '../../../domain/finding.ts'
import { secondWitnessWords } from '../../../domain/proof.ts'
import { isAtLeast } from '../../../domain/severity.ts'
import type { CandidateState, CheckedClaim, ClaimOf, StepResult, ValidationContext } from '../contract.ts'
import type { Sources } from '../sources.ts'
import { isConstructorName, lastName } from './names.ts'

const resolving: ReadonlySet<string> = new Set(['contract', 'new-code'])
/** Claims that the resolver checks. A path that is missing is missing in the tree itself. */
const rests: ReadonlySet<string> = new Set([
  'caller-not-updated',
  'undefined',
  'not-exported',
  'call-mismatch',
])

/** Every place that the finding names needs its witness. */
export async function requireSecondWitness(
  { candidate, checkedClaims }: CandidateState,
  { sources }: ValidationContext,
): Promise<StepResult> {
  const { severity, confidence, plane, byModel, byTool } = candidate
  if (byModel || byTool !== undefined || !resolving.has(plane)) return {}
  const resting = checkedClaims.filter(({ claim }) => rests.has(claim.kind))
  if ((confidence !== 'certain' && !isAtLeast(severity, 'high')) || resting.length === 0) return {}
  const ask = new TextWitness(sources, candidate)
  let agreed = true
  for (const checked of resting) agreed &&= await ask.agreesWith(checked)
  if (agreed) return { verifiedBy: [secondWitnessWords] }
  const isCapped = isAtLeast(severity, 'high')
  const lowered: Candidate = {
    ...candidate,
    confidence: confidence === 'certain' ? 'likely' : confidence,
    severity: isCapped ? 'medium' : severity,
  }
  const why = `severity capped at medium, from ${severity}: no second witness, neither types nor a text that can mean nothing else`
  return { candidate: lowered, demotions: isCapped ? [why] : [] }
}

/** Rules that no text confirms. */
const withoutText: ReadonlySet<string> = new Set([
  'contract/moved-symbol',
  'contract/import-not-exported',
  'contract/argument-order',
])

/** A name that more files mention is too common for its text to say anything. */
const mostFiles = 300

type Defined = { path: string; symbol: CodeSymbol }

class TextWitness {
  private readonly sources: Sources
  private readonly candidate: Candidate
  private readonly known = new Map<string, Promise<Defined[] | null>>()

  constructor(sources: Sources, candidate: Candidate) {
    this.sources = sources
    this.candidate = candidate
  }

  async agreesWith({ claim, result }: CheckedClaim): Promise<boolean> {
    if (result.status !== 'confirmed') return false
    if (result.second === true) return true
    switch (claim.kind) {
      case 'not-exported':
        return await this.isNowhereIn(claim)
      case 'undefined':
        return (await this.isFree(claim)) && (await this.definitionsOf(claim.name))?.length === 0
      case 'caller-not-updated':
        return await this.agreesOnUse(claim)
      default:
        return false
    }
  }

  private async agreesOnUse(claim: ClaimOf<'caller-not-updated'>): Promise<boolean> {
    const name = lastName(claim.symbol)
    const { rule, claims } = this.candidate
    if (rule === 'contract/removed-symbol' || rule === 'contract/renamed-symbol')
      return (await this.definitionsOf(name))?.length === 0 && (await this.isUnwritten(claim.definedIn, name))
    if (rule === 'contract/override-not-updated')
      return (
        (await this.definitionsOf(name))?.every(({ path, symbol }) =>
          isNamed(claims, path, symbol.nameLine),
        ) === true
      )
    if (rule === 'contract/implementer-not-updated')
      return (await this.definitionsOf(name))?.every(({ path }) => path === claim.definedIn) === true
    if (withoutText.has(rule)) return false
    const type = isConstructorName(name) ? await this.typeAround(claim.definedIn, name) : name
    return type !== null && (await this.isOnlyOne(type))
  }

  /** One definition at the head, or several signatures of one. */
  private async isOnlyOne(name: string): Promise<boolean> {
    const [first, ...others] = (await this.definitionsOf(name)) ?? []
    return (
      first !== undefined &&
      others.every(({ path, symbol }) => path === first.path && symbol.scope === first.symbol.scope)
    )
  }

  private definitionsOf(name: string): Promise<Defined[] | null> {
    const known = this.known.get(name) ?? this.lookUp(name)
    this.known.set(name, known)
    return known
  }

  /** Of the whole head, whatever they belong to; null when it cannot be told. */
  private async lookUp(name: string): Promise<Defined[] | null> {
    const files = (await this.sources.headFilesWith(name)).filter((path) => languageOf(path) !== null)
    if (files.length > mostFiles) return null
    const world = await this.sources.worldAfter()
    const facts = await world.factsOf(files)
    if (facts.size < files.length) return null
    return [...facts].flatMap(([path, { symbols }]) =>
      symbols.flatMap((symbol) => (symbol.name === name && symbol.kind !== 'impl' ? [{ path, symbol }] : [])),
    )
  }

  private async typeAround(path: string, member: string): Promise<string | null> {
    const facts = await this.sources.facts('new', path)
    const scopes = facts?.symbols.flatMap(({ name, scope }) => (name === member ? [scope] : [])) ?? []
    const [only, ...others] = new Set(scopes)
    return only !== undefined && others.length === 0 ? lastName(only) : null
  }

  /** The file that an import names by its place, and nothing else, has no such word but in comments. */
  private async isNowhereIn({ name, from, path, line }: ClaimOf<'not-exported'>): Promise<boolean> {
    const own = await this.sources.facts('new', path)
    const sources = (own?.imports ?? []).flatMap((fact) =>
      fact.line === line && fact.imported === name ? [fact.source] : [],
    )
    const isPlain =
      sources.length > 0 ? sources.every((source) => namesByPlace(source, own)) : own?.language === 'go'
    if (!isPlain) return false
    if (from.endsWith('.go') || own?.language === 'go') {
      const folder = from.endsWith('.go') ? folderWithSlash(from) : `${from}/`
      const inside = [...(await this.sources.headPaths())].filter(
        (one) => one.endsWith('.go') && folderWithSlash(one) === folder,
      )
      for (const one of inside) if (!(await this.isUnwritten(one, name))) return false
      return inside.length > 0
    }
    const facts = await this.sources.facts('new', from)
    return facts !== null && isClosed(facts, await this.textOf(from)) && (await this.isUnwritten(from, name))
  }

  /** The file binds the name in no way: every occurrence of it is a use. */
  private async isFree({ name, path }: ClaimOf<'undefined'>): Promise<boolean> {
    const facts = await this.sources.facts('new', path)
    if (!facts || !isClosed(facts, '')) return false
    return (
      facts.imports.every(({ local }) => local !== name) &&
      occurrencesOf(facts, await this.textOf(path), name).every(
        ({ kind }) => kind === 'read' || kind === 'comment',
      )
    )
  }

  /** The text has no such word but in comments and sentences; true of a file that is gone. */
  private async isUnwritten(path: string, name: string): Promise<boolean> {
    const facts = await this.sources.facts('new', path)
    if (!facts) return !(await this.sources.headPaths()).has(path)
    return occurrencesOf(facts, await this.textOf(path), name).every(
      ({ kind }) => kind === 'comment' || kind === 'prose',
    )
  }

  private async textOf(path: string): Promise<string> {
    return (await this.sources.text('new', path))?.text ?? ''
  }
}

function isNamed(claims: readonly Claim[], path: string, line: number): boolean {
  return claims.some((claim) => 'line' in claim && claim.path === path && claim.line === line)
}

/** Packages, path mappings and conditions of exports choose a file by more than its place. */
function namesByPlace(source: string, facts: FileFacts | null): boolean {
  return facts?.language === 'python' || /^\.{1,2}(?:\/|$)/.test(source)
}

/** All that it offers is written in it: no star, nothing that is decided at run time, no line that was not parsed. */
function isClosed(facts: FileFacts, text: string): boolean {
  const passesOn = facts.imports.some(
    ({ imported, local, reexport }) =>
      imported === '*' && local === null && (reexport || facts.language === 'python'),
  )
  return !passesOn && facts.errorLines.length === 0 && !decidesAtRunTime(facts, text)
}
