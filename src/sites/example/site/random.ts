/** A Mulberry32 generator; not for secrets. */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(list: readonly T[]): T {
    const [item] = list.slice(this.integer(0, list.length - 1));
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  sample<T>(list: readonly T[], count: number): T[] {
    let remaining = Math.min(count, list.length);
    return list.filter((_, index) => {
      const isTaken = this.next() * (list.length - index) < remaining;
      if (isTaken) remaining--;
      return isTaken;
    });
  }
}
