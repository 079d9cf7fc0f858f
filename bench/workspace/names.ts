/** Names of a scene: drawn by the seed, in the five forms that code uses. */
import type { Random } from '../../test/helpers/random.ts'

const entities = `invoice|shipment|parcel|tariff|voucher|ticket|coupon|basket|refund|payout|account|carrier|supplier|quota|listing
booking|driver|vehicle|meter|sensor|alarm|campaign|segment|contract note|claim|premium|line item|price list|stock level|work shift
gift card|tax rule|cost centre|service plan|audit entry|bank transfer|risk profile|route stop|return label|loan offer|fee table
credit note|stock move|price alert|visit report|trip leg|spare part|toll gate|pay slip|room key|road toll|fund share|seat map
water bill|bid round|rate card|site plan|crew list|time slot|fuel card|lab result|dose plan|ward round|field trial|crop yield`
const fields = `amount|currency|due date|owner name|priority|region code|weight|colour|discount|note text|locale|balance|rank
score|source ref|expires at|capacity|tax rate|unit price|batch number|postal code|net total|gross total|opened on|closed by
reason|channel|grade|margin|percentile|label text|serial|battery level|mileage|brand|height|is urgent|parent ref`
const verbs = `load|fetch|build|parse|format|merge|check|rank|split|render|resolve|open|store|round|sign|draw|compare|measure`

/** Names that are given out once. */
export class Names {
  private readonly random: Random
  private readonly entities: string[]

  constructor(random: Random) {
    this.random = random
    this.entities = random.shuffled(entities.split(/[|\n]/))
  }

  draw(): Map<string, string> {
    const field = this.random.shuffled(fields.split(/[|\n]/))
    const verb = this.random.shuffled(verbs.split('|'))
    const noun = () => this.entities.pop() ?? `${this.random.pick(verb)}er ${this.random.pick(field)} `.trim()
    const entity = noun()
    const names = new Map([
      ['ent', entity],
      ['sub', noun()],
    ])
    for (const [at, key] of ['one', 'two', 'six', 'new'].entries()) names.set(key, field[at] ?? key)
    for (const [at, key] of ['run', 'end', 'aid'].entries()) names.set(key, `${verb[at]} ${entity}`)
    return names
  }
}

/** The text with drawn names in place of the canonical ones. */
export function fill(text: string, names: ReadonlyMap<string, string>): string {
  let filled = text
  for (const [key, name] of names) {
    const words = name.split(' ')
    const pascal = words.map(capital).join('')
    filled = filled
      .replaceAll(`${capital(key)}X`, pascal)
      .replaceAll(`${key}X`, `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}`)
      .replaceAll(`${key}_x`, words.join('_'))
      .replaceAll(`${key}-x`, words.join('-'))
      .replaceAll(`${key.toUpperCase()}_X`, words.join('_').toUpperCase())
  }
  return filled
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
