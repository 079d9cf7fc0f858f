/**
 * A file of a change request with planted faults. The real versions of the file go on beneath them, and what is done to it
 * between two pushes is known, so that for every fault it is known by construction which one of the last push it is.
 */
import { diffArrays } from 'diff'
import { sha256 } from '../../src/base/canonical-json.ts'
import type { Finding } from '../../src/domain/finding.ts'
import { formatTag, lineHash } from '../../src/domain/line-tag.ts'
import type { Random } from '../../test/helpers/random.ts'

/** `plant` is null for a line of the real file, and for one that came in between two pushes (`isExtra`). */
type Item = { text: string; plant: Plant | null; isExtra?: boolean }

export type Plant = {
  /** The truth; no matcher sees it. */
  id: number
  kind: number
  name: string
  amount: number
  byModel: boolean
  wording: number
  isWrapped: boolean
}

/** What was done since the last push, for the failures. */
export type Deeds = { file: string[]; plants: Map<number, string[]> }

/** A rule, the line that it reports, and how a model words it each time anew. */
const kinds: {
  rule: string
  code: (name: string, amount: number) => string
  wrapped: (name: string, amount: number) => string[]
  titles: (name: string) => string[]
}[] = [
  {
    rule: 'js/nan-compare',
    code: (name) => `if (${name} === NaN) return null`,
    wrapped: (name) => ['if (', `  ${name} === NaN`, ') return null'],
    titles: () => [
      'A comparison with NaN is always false',
      'Comparing with NaN is always false',
      'The comparison with NaN never holds',
    ],
  },
  {
    rule: 'async/not-awaited',
    code: (name, amount) => `save(${name}, ${amount})`,
    wrapped: (name, amount) => ['save(', `  ${name},`, `  ${amount},`, ')'],
    titles: (name) => [
      `The promise of \`save\` for \`${name}\` is not awaited`,
      `\`save\` with \`${name}\` is never awaited, so its rejection is lost`,
      `Nothing awaits the promise that \`save\` returns for \`${name}\``,
    ],
  },
  {
    rule: 'limits/unchecked-size',
    code: (name, amount) => `buffer = allocate(${name} * ${amount})`,
    wrapped: (name, amount) => ['buffer = allocate(', `  ${name} * ${amount},`, ')'],
    titles: (name) => [
      `The size of \`allocate\` is not checked against overflow`,
      `\`allocate\` is called with an unchecked size`,
      `The size \`${name}\` that \`allocate\` gets is unchecked`,
    ],
  },
  {
    rule: 'correctness/swallowed-error',
    code: (name) => `try { ${name}.close() } catch (error) {}`,
    wrapped: (name) => ['try {', `  ${name}.close()`, '} catch (error) {}'],
    titles: () => [
      'An error of `close` is swallowed',
      'The error that `close` throws is swallowed',
      '`close` may fail and its error is ignored',
    ],
  },
]

const names = ['value', 'input', 'total', 'client', 'row', 'index', 'left', 'options']

export class PlantedFile {
  path: string
  readonly plants = new Map<number, Plant>()
  deeds: Deeds = { file: [], plants: new Map() }
  /** What was taken out since the last push. */
  private readonly gone = new Set<string>()
  private items: Item[]
  private real: readonly string[]
  private style: (text: string) => string = (text) => text
  private readonly random: Random
  private readonly nextId: () => number
  private readonly saysTheSame: boolean

  /** `saysTheSame`: models do not word a fault in another way after each push. The pushes are the same either way. */
  constructor(
    { path, lines }: { path: string; lines: readonly string[] },
    random: Random,
    nextId: () => number,
    saysTheSame: boolean,
  ) {
    this.path = path
    this.real = lines
    this.items = lines.map((text) => ({ text, plant: null }))
    this.random = random
    this.nextId = nextId
    this.saysTheSame = saysTheSame
  }

  /** The next real version: lines that survive keep what is planted beside them. */
  goOn(path: string, lines: readonly string[]): void {
    if (path !== this.path) this.deeds.file.push('renamed by its authors')
    this.path = path
    this.gone.clear()
    const items: Item[] = []
    let at = 0
    const gone: Plant[] = []
    const keepPlants = (chance: number) => {
      for (let item = this.items[at]; item && (item.plant || item.isExtra); item = this.items[++at])
        if (this.random.chance(chance)) items.push(item)
        else if (item.plant) gone.push(item.plant)
    }
    // What was moved is not where the real file has it, so that only lines in order count.
    const own = this.items.flatMap(({ text, plant, isExtra }) => (plant || isExtra ? [] : [text]))
    for (const { value, added, removed } of diffArrays(own, [...lines])) {
      for (const text of value) {
        if (added) {
          items.push({ text, plant: null })
          continue
        }
        keepPlants(removed ? 0.3 : 1)
        if (!removed) items.push(this.items[at] ?? { text, plant: null })
        at++
      }
    }
    keepPlants(1)
    if (this.real.join('\n') !== lines.join('\n')) this.deeds.file.push('edited by its authors')
    this.real = lines
    this.items = items
    for (const plant of gone) this.remove(plant, 'its code was removed')
  }

  plantSome(count: number): void {
    for (let more = count; more > 0; more--) {
      const plant: Plant = {
        id: this.nextId(),
        kind: this.random.between(0, kinds.length - 1),
        name: this.random.pick(names),
        amount: this.random.between(2, 9),
        byModel: this.random.chance(0.5),
        wording: 0,
        isWrapped: false,
      }
      const at = this.random.between(0, this.items.length)
      this.insert(at, plant)
      // Another one like it in the same function, word for word; side by side nobody could tell which one is gone.
      if (this.random.chance(0.35))
        this.insert(Math.min(this.items.length, at + this.random.between(3, 15)), {
          ...plant,
          id: this.nextId(),
        })
    }
  }

  /** What a push does besides the real edits. */
  disturb(): void {
    const { random } = this
    for (const plant of [...this.plants.values()]) {
      const fate = random.next()
      if (fate < 0.12) this.remove(plant, 'fixed')
      else if (fate < 0.23) this.editOwnLine(plant)
      else if (fate < 0.28) this.note(plant, 'wrapped').isWrapped = !plant.isWrapped
      if (plant.byModel) plant.wording = random.between(0, 2)
    }
    if (random.chance(0.05)) this.moveAlone()
    if (random.chance(0.05)) this.fixAndPlantElsewhere()
    if (random.chance(0.15)) this.plantLikeAnother()
    if (random.chance(0.15)) this.insertLines(0, random.between(1, 30), 'lines came in at the top (a rebase)')
    if (random.chance(0.25))
      this.insertLines(random.between(0, this.items.length), random.between(1, 6), 'lines came in')
    if (random.chance(0.15)) this.insertBesidePlant()
    if (random.chance(0.1)) this.moveBlock()
    if (random.chance(0.08)) this.reformat()
    if (random.chance(0.06)) {
      this.path = this.path.replace(/([^/.]*)(\.[^.]*)$/, `$1-${random.between(1, 99)}$2`)
      this.deeds.file.push('renamed')
    }
  }

  /** The file as it is, and the findings of a review of it, in the order of the lines. */
  render(): { text: string; findings: { finding: Finding; plant: number }[] } {
    const lines: string[] = []
    const places: { plant: Plant; startLine: number; endLine: number }[] = []
    for (const { text, plant } of this.items) {
      const startLine = lines.length + 1
      lines.push(...(plant ? this.linesOf(plant, text) : [text]).map(this.style))
      if (plant) places.push({ plant, startLine, endLine: lines.length })
    }
    const findings = places.map(({ plant, startLine, endLine }) => ({
      plant: plant.id,
      finding: this.findingAt(plant, { lines, startLine, endLine }),
    }))
    return { text: lines.join('\n'), findings }
  }

  /** `text` of a plant is its indentation. */
  private linesOf({ kind, name, amount, isWrapped }: Plant, indent: string): string[] {
    const { code, wrapped } = kindOf(kind)
    return (isWrapped ? wrapped(name, amount) : [code(name, amount)]).map((line) => indent + line)
  }

  private findingAt(
    plant: Plant,
    at: { lines: readonly string[]; startLine: number; endLine: number },
  ): Finding {
    const { lines, startLine, endLine } = at
    const { rule, titles } = kindOf(plant.kind)
    const all = titles(plant.name)
    const title = (plant.byModel && !this.saysTheSame ? all[plant.wording] : all[0]) ?? ''
    const shown = lines[startLine - 1] ?? ''
    const excerpt = lines.slice(Math.max(0, startLine - 3), endLine + 2).map((text, index) => {
      const line = Math.max(1, startLine - 2) + index
      const isOwn = line >= startLine && line <= endLine
      return {
        kind: isOwn ? ('added' as const) : ('context' as const),
        old: isOwn ? null : line,
        new: line,
        text,
        hash: lineHash(text),
      }
    })
    return {
      id: `C${plant.id}`,
      plane: 'bench',
      rule,
      severity: 'medium',
      category: 'correctness',
      confidence: 'likely',
      title,
      explanation: '',
      remedy: null,
      anchor: { path: this.path, tags: [formatTag('new', startLine, lineHash(shown))] },
      claims: [],
      suggestion: null,
      preExisting: false,
      byModel: plant.byModel,
      evidence: [],
      fingerprint: sha256([rule, this.path, shown.trim(), headerOf(lines, startLine)].join('\n')),
      side: 'new',
      startLine,
      endLine,
      excerpt,
      verifiedBy: [],
    }
  }

  private insert(at: number, plant: Plant): void {
    const [indent = ''] = /^\s*/.exec(this.items[at]?.text ?? '') ?? []
    this.items.splice(at, 0, { text: indent, plant })
    this.plants.set(plant.id, plant)
  }

  private remove(plant: Plant, why: string): void {
    this.plants.delete(plant.id)
    this.gone.add(codeOf(plant))
    this.items = this.items.filter((item) => item.plant !== plant)
    this.deeds.file.push(why)
  }

  private note(plant: Plant, deed: string): Plant {
    this.deeds.plants.set(plant.id, [...(this.deeds.plants.get(plant.id) ?? []), deed])
    return plant
  }

  private editOwnLine(plant: Plant): void {
    if (this.random.chance(0.5)) this.note(plant, 'name edited').name = this.random.pick(names)
    else this.note(plant, 'number edited').amount = this.random.between(10, 99)
  }

  private plantLikeAnother(): void {
    const [like] = [...this.plants.values()]
    if (!like) return
    // What goes in one place and comes in at another word for word is a line that was moved.
    const amount = this.gone.has(codeOf(like)) ? like.amount + 20 : like.amount
    const name = this.gone.has(codeOf(like)) ? `${like.name}2` : like.name
    this.insert(this.random.between(0, this.items.length), { ...like, amount, name, id: this.nextId() })
    this.deeds.file.push('one like another came in')
  }

  private moveAlone(): void {
    const [plant] = [...this.plants.values()]
    if (!plant) return
    this.items = this.items.filter((item) => item.plant !== plant)
    this.insert(this.random.between(0, this.items.length), this.note(plant, 'moved by itself'))
  }

  private fixAndPlantElsewhere(): void {
    const [like] = [...this.plants.values()]
    if (!like) return
    this.remove(like, 'fixed')
    // Word for word it would be the same line, moved.
    const other = {
      amount: like.amount + 10,
      name: this.random.pick(names.filter((name) => name !== like.name)),
    }
    this.insert(this.random.between(0, this.items.length), { ...like, ...other, id: this.nextId() })
    this.deeds.file.push('one like the fixed one came in elsewhere')
  }

  private insertLines(at: number, count: number, deed: string): void {
    const lines = Array.from({ length: count }, () => ({
      text: `  step${this.random.between(1, 9_999)}()`,
      plant: null,
      isExtra: true,
    }))
    this.items.splice(at, 0, ...lines)
    this.deeds.file.push(deed)
  }

  private insertBesidePlant(): void {
    const at = this.items.findIndex(({ plant }) => plant !== null)
    if (at >= 0)
      this.insertLines(at + this.random.between(0, 1), this.random.between(1, 4), 'lines came in beside one')
  }

  /** The lines around one fault, with whatever is planted among them. */
  private moveBlock(): void {
    const at = this.items.findIndex(({ plant }) => plant !== null)
    if (at < 0) return
    const from = Math.max(0, at - this.random.between(2, 8))
    const block = this.items.splice(from, at - from + this.random.between(3, 8))
    this.items.splice(this.random.between(0, this.items.length), 0, ...block)
    this.deeds.file.push('a block moved')
  }

  private reformat(): void {
    this.style = this.random.pick<(text: string) => string>([
      (text) => text.replace(/^ +/, (space) => '\t'.repeat(Math.ceil(space.length / 2))),
      (text) => text.replace(/^\s+/, (space) => space.repeat(2)),
      (text) => text.replace(/;$/, '').replaceAll("'", '"'),
    ])
    this.deeds.file.push('reformatted')
  }
}

function codeOf({ kind, name, amount }: Plant): string {
  return kindOf(kind).code(name, amount)
}

function kindOf(kind: number): (typeof kinds)[number] {
  const found = kinds[kind]
  if (!found) throw new Error(`no kind ${kind}`)
  return found
}

/** The nearest line above that is indented less: much like the symbol around it. */
function headerOf(lines: readonly string[], line: number): string {
  const depth = (text: string) => /^\s*/.exec(text)?.[0].length ?? 0
  const own = depth(lines[line - 1] ?? '')
  for (let at = line - 2; at >= 0; at--) {
    const text = lines[at] ?? ''
    if (text.trim() !== '' && depth(text) < own) return text.trim()
  }
  return ''
}
