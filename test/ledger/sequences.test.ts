/**
 * Random sequences of pushes, dismissals and edits. Whatever happens: what was dismissed does not come back unless its code
 * changed in substance, what is open does not vanish silently, and no finding is in the ledger twice.
 * `SIGHTLINE_SEQUENCES` says how many sequences; `npm run test:ledger-sequences` plays 10,000.
 */
import { expect, test } from 'vitest'
import { sha256 } from '../../src/base/canonical-json.ts'
import type { Finding } from '../../src/domain/finding.ts'
import { formatTag, lineHash } from '../../src/domain/line-tag.ts'
import type { LedgerEvent } from '../../src/ledger/contract.ts'
import { foldLedger, isOpen, type Ledger } from '../../src/ledger/fold.ts'
import { followReview } from '../../src/ledger/follow.ts'
import { emptyView, settleFindings, viewOf } from '../../src/ledger/settle.ts'
import { Random } from '../helpers/random.ts'
import { sampleFinding, sampleReview } from '../helpers/sample-review.ts'

const sequences = Number(process.env.SIGHTLINE_SEQUENCES ?? 30)
const firstSeed = Number(process.env.SIGHTLINE_SEED ?? 20_261_122)

test(`${sequences} sequences, seeds from ${firstSeed}`, () => {
  const totals = { pushes: 0, dismissed: 0, reopened: 0, fixed: 0, held: 0 }
  for (let seed = firstSeed; seed < firstSeed + sequences; seed++) {
    const world = new World(seed)
    try {
      world.play()
    } catch (error) {
      throw new Error(`seed ${seed}, after ${world.told.join(', ')}: ${(error as Error).message}`, {
        cause: error,
      })
    }
    for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += world.totals[key]
  }
  console.log(`sequences: ${sequences}, ${JSON.stringify(totals)}, seeds from ${firstSeed}`)
  for (const [name, total] of Object.entries(totals)) expect(total, name).toBeGreaterThan(sequences / 4)
}, 3_600_000)

/** `code` is what counts; the file shows it in one of several formats. */
type Line = { fault: number | null; code: string; shape: number }

const shapes: readonly ((code: string) => string[])[] = [
  (code) => [`  ${code}`],
  (code) => [`      ${code};`],
  (code) => [`\t${code.replaceAll(' ', '   ')}`],
  (code) => [`  ${code.replace('(', '(\n    ').replace(')', ',\n  )')}`].flatMap((text) => text.split('\n')),
]

class World {
  readonly totals = { pushes: 0, dismissed: 0, reopened: 0, fixed: 0, held: 0 }
  readonly told: string[] = []
  private readonly random: Random
  private readonly events: LedgerEvent[] = []
  private readonly base = new Map<string, string>()
  private files = new Map<string, Line[]>()
  private readonly renamed = new Map<string, string>()
  private faults = 0
  private head = 0
  /** Dismissed faults with their code when they were dismissed. */
  private readonly dismissed = new Map<number, string>()
  private readonly removed: { path: string; line: Line }[] = []

  constructor(seed: number) {
    this.random = new Random(seed)
    for (const path of ['a.ts', 'b.ts', 'c.ts']) {
      const lines = Array.from({ length: 15 }, (_, at) => ({
        fault: null,
        code: `${path[0]}${at} = step(${at})`,
        shape: 0,
      }))
      this.files.set(path, lines)
      this.base.set(path, path)
    }
  }

  play(): void {
    for (let push = 0; push < 8; push++) {
      for (let edits = this.random.between(1, 5); edits > 0; edits--) this.edit()
      this.review()
      if (this.random.chance(0.6)) this.dismiss()
      // The same head once more adds nothing.
      if (this.random.chance(0.2)) expect(this.review(), 'a repeated review is silent').toBe(0)
    }
  }

  private edit(): void {
    const { random } = this
    const deed = random.pick([
      'add',
      'add',
      'fix',
      'restore',
      'format',
      'change',
      'move',
      'noise',
      'rename',
      'revert',
    ] as const)
    const path = random.pick([...this.files.keys()])
    const lines = this.files.get(path) ?? []
    const own = [...this.files].flatMap(([of, all]) =>
      all.flatMap((line) => (line.fault === null ? [] : [{ of, all, line }])),
    )
    const chosen = own.length > 0 ? random.pick(own) : null
    const at = random.between(0, lines.length)
    this.told.push(deed)
    switch (deed) {
      case 'add':
        this.faults++
        lines.splice(at, 0, { fault: this.faults, code: `check(input${this.faults} === NaN)`, shape: 0 })
        break
      case 'fix':
        if (chosen) this.take(chosen)
        break
      case 'restore': {
        const back = this.removed.pop()
        const there = back && own.some(({ line }) => line.fault === back.line.fault)
        const file = back && this.files.get(back.path)
        if (back && file && !there) file.splice(random.between(0, file.length), 0, back.line)
        break
      }
      case 'format':
        if (chosen) chosen.line.shape = random.between(0, shapes.length - 1)
        break
      case 'change':
        if (chosen) chosen.line.code = chosen.line.code.replace(')', ` || ${random.between(1, 99)})`)
        break
      case 'move':
        if (chosen) {
          chosen.all.splice(chosen.all.indexOf(chosen.line), 1)
          chosen.all.splice(random.between(0, chosen.all.length), 0, chosen.line)
        }
        break
      case 'noise':
        for (let more = random.between(1, 6); more > 0; more--)
          lines.splice(at, 0, { fault: null, code: `noise${random.between(1, 99_999)} = 0`, shape: 0 })
        break
      case 'rename': {
        const to = `new-${random.between(1, 999)}.ts`
        const [from] = [...this.base].find(([, now]) => now === path) ?? []
        if (from === undefined || this.renamed.has(from) || this.files.has(to)) break
        this.files.delete(path)
        this.files.set(to, lines)
        this.base.set(from, to)
        this.renamed.set(from, to)
        break
      }
      case 'revert':
        this.files.set(
          path,
          lines.filter(({ fault }) => fault === null),
        )
        break
    }
  }

  private take({ of, all, line }: { of: string; all: Line[]; line: Line }): void {
    all.splice(all.indexOf(line), 1)
    this.removed.push({ path: of, line: { ...line } })
  }

  private texts(): Map<string, { text: string; places: { line: Line; start: number; end: number }[] }> {
    return new Map(
      [...this.files].map(([path, lines]) => {
        const shown: string[] = []
        const places = lines.flatMap((line) => {
          const start = shown.length + 1
          shown.push(...((shapes[line.shape] ?? shapes[0])?.(line.code) ?? []))
          return line.fault === null ? [] : [{ line, start, end: shown.length }]
        })
        return [path, { text: shown.join('\n'), places }]
      }),
    )
  }

  /** Returns how many moves it made besides the review itself. */
  private review(): number {
    this.totals.pushes++
    const texts = this.texts()
    const textOf = (_: unknown, path: string) => texts.get(path)?.text ?? null
    const pathNow = (path: string) => this.renamed.get(path) ?? path
    const findings = [...texts].flatMap(([path, { text, places }]) =>
      places.map(({ line, start, end }) => findingAt({ path, text, line, start, end })),
    )
    const before = foldLedger(this.events)
    const { verdicts, dismissed } = settleFindings({
      view: { ...emptyView, ...viewOf(before, '1') },
      verdicts: findings.map((finding, at) => {
        const {
          fingerprint: _f,
          side: _s,
          startLine: _l,
          endLine: _e,
          excerpt: _x,
          verifiedBy: _v,
          ...candidate
        } = finding
        return {
          candidate,
          outcome: 'kept' as const,
          step: 'kept' as const,
          reason: '',
          finding: { ...finding, id: `C${at + 1}` },
        }
      }),
      textOf,
      pathNow,
    })
    const shown = verdicts.flatMap(({ finding }) => finding ?? [])
    const sample = sampleReview()
    const review = {
      ...sample,
      findings: shown,
      dismissed,
      verdicts,
      request: {
        ...sample.request,
        head: { commit: null, tree: sha256(JSON.stringify([...texts])).slice(0, 40) },
      },
      coverage: {
        ...sample.coverage,
        files: [...texts.keys()].map((path) => ({ path, state: 'reviewed' as const, reason: null })),
        planes: [{ plane: 'rules', state: 'ran' as const, reason: null, candidates: 0 }],
        complete: true,
      },
    }
    this.head++
    const made = followReview({
      ledger: before,
      review,
      change: '1',
      run: null,
      changed: new Set(texts.keys()),
      isPartial: false,
      textOf,
      pathNow,
      at: new Date(1_700_000_000_000 + this.head),
    })
    const ids = new Set(this.events.map(({ id }) => id))
    this.events.push(...made.filter(({ id }) => !ids.has(id)))
    this.check(before, foldLedger(this.events), shown, made)
    return made.filter(({ type }) => type !== 'reviewed').length
  }

  private check(
    before: Ledger,
    after: Ledger,
    shown: readonly Finding[],
    made: readonly LedgerEvent[],
  ): void {
    const there = new Map(
      [...this.files.values()]
        .flat()
        .flatMap((line) => (line.fault === null ? [] : [[line.fault, line.code]])) as [number, string][],
    )
    const visible = new Set(shown.map(({ explanation }) => Number(explanation)))
    for (const [fault, code] of there) {
      const then = this.dismissed.get(fault)
      if (then === code) {
        this.totals.held++
        expect(visible.has(fault), `fault ${fault} was dismissed and its code is the same`).toBe(false)
      } else expect(visible.has(fault), `fault ${fault} is shown`).toBe(true)
      if (then !== undefined && then !== code) {
        this.totals.reopened++
        this.dismissed.delete(fault)
      }
    }
    const open = [...after.findings.values()].filter(isOpen)
    expect(open.length, 'each that is shown is open in the ledger, once').toBe(shown.length)
    const moved = new Set(made.flatMap((event) => ('finding' in event ? [event.finding] : [])))
    for (const [id, one] of before.findings)
      if (isOpen(one) && !open.some((now) => now.id === id)) {
        this.totals.fixed++
        expect(moved.has(id), `${id} was closed with a reason`).toBe(true)
        expect(after.findings.get(id)?.last, 'the reason').toHaveProperty('why')
      }
  }

  private dismiss(): void {
    const ledger = foldLedger(this.events)
    const open = [...ledger.findings.values()].filter(isOpen)
    if (open.length === 0) return
    const { id, record } = this.random.pick(open)
    const fault = Number(/\d+/.exec(record.rule)?.[0] ?? this.faultAt(record.path, record.line))
    this.told.push(`dismiss ${fault}`)
    this.totals.dismissed++
    const [line] = [...this.files.values()].flat().filter((one) => one.fault === fault)
    this.dismissed.set(fault, line?.code ?? '')
    const by = { kind: 'person', name: 'Ada' } as const
    const at = new Date(1_700_000_000_000 + this.events.length).toISOString()
    const reach = { kind: 'here' } as const
    this.events.push({
      id: `d${this.events.length}`,
      at,
      change: '1',
      finding: id,
      type: 'dismissed',
      by,
      because: 'so',
      kind: 'wrong',
      reach,
    })
  }

  private faultAt(path: string, line: number): number {
    return (
      this.texts()
        .get(path)
        ?.places.find(({ start }) => start === line)?.line.fault ?? -1
    )
  }
}

function findingAt({
  path,
  text,
  line,
  start,
  end,
}: {
  path: string
  text: string
  line: Line
  start: number
  end: number
}): Finding {
  const lines = text.split('\n')
  const shown = lines[start - 1] ?? ''
  return sampleFinding({
    plane: 'rules',
    rule: 'js/compare-nan',
    category: 'correctness',
    title: 'A comparison with `NaN` is always false',
    // The truth, which no matcher reads.
    explanation: `${line.fault}`,
    anchor: { path, tags: [formatTag('new', start, lineHash(shown))] },
    startLine: start,
    endLine: end,
    fingerprint: sha256(`${path} ${shown.trim()}`),
    excerpt: lines.slice(start - 1, end).map((words, at) => ({
      kind: 'added' as const,
      old: null,
      new: start + at,
      text: words,
      hash: lineHash(words),
    })),
  })
}
