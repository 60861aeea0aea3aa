export class UniqueNames {
  readonly #taken: Set<string>;
  readonly #counts: Map<string, number> = new Map();
  readonly #separator: string;
  readonly #toKey: (name: string) => string;

  constructor(
    taken: Iterable<string> = [],
    {
      ignoresCase = false,
      separator = '',
    }: { readonly ignoresCase?: boolean; readonly separator?: string } = {},
  ) {
    this.#separator = separator;
    this.#toKey = ignoresCase ? (name) => name.toLowerCase() : (name) => name;
    this.#taken = new Set(Array.from(taken, this.#toKey));
  }

  has(name: string): boolean {
    return this.#taken.has(this.#toKey(name));
  }

  /** @param alternatives names to try before a number is added to the wanted one */
  claim(wanted: string, ...alternatives: readonly string[]): string {
    let name = [wanted, ...alternatives].find((each) => !this.has(each)) ?? wanted;
    for (let count = this.#counts.get(wanted) ?? 1; this.has(name); ) {
      count += 1;
      this.#counts.set(wanted, count);
      name = `${wanted}${this.#separator}${count}`;
    }
    this.#taken.add(this.#toKey(name));
    return name;
  }
}
