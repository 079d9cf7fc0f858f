/** Unsigned numbers of 32 bits in a typed array that grows. */

export class GrowingNumbers {
  private numbers = new Uint32Array(1024)
  private count = 0

  constructor(first: readonly number[] = []) {
    for (const number of first) this.push(number)
  }

  get length(): number {
    return this.count
  }

  at(index: number): number {
    return this.numbers[index] ?? 0
  }

  set(index: number, number: number): void {
    this.numbers[index] = number
  }

  /** Returns the new length. */
  push(number: number): number {
    if (this.count === this.numbers.length) {
      const larger = new Uint32Array(this.count * 2)
      larger.set(this.numbers)
      this.numbers = larger
    }
    this.numbers[this.count++] = number
    return this.count
  }

  /** A copy of what is in it. */
  toArray(): Uint32Array {
    return this.numbers.slice(0, this.count)
  }
}
