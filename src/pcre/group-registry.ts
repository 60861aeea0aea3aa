import type { PcreNode } from './ast.ts';

/** A capturing group of a pattern. */
export interface CapturingGroup {
  readonly index: number;
  readonly name?: string;
}

/** A parsed pattern with its capturing groups. */
export interface PcreParserResult {
  readonly ok: true;
  readonly root: PcreNode;
  readonly groups: readonly CapturingGroup[];
  readonly rejectionReason?: string;
}

/** Numbers the capturing groups of a pattern while it is parsed, and checks their names and references. */
export class GroupRegistry {
  /** Number of the last group. Branches of `(?|` start again from the same number. */
  lastNumber = 0;
  readonly #groups: CapturingGroup[] = [];
  readonly #indexByName = new Map<string, number>();
  readonly #nameByIndex = new Map<number, string>();
  readonly #references: (number | string)[] = [];
  #rejectionReason: string | undefined;

  /** Reason why PCRE rejects the pattern because of its group names. */
  get rejectionReason(): string | undefined {
    return this.#rejectionReason;
  }

  /** All groups by number. */
  get groups(): readonly CapturingGroup[] {
    return this.#groups.toSorted((a, b) => a.index - b.index);
  }

  /** @returns the number of the new group */
  add(name: string | undefined, allowsDuplicateNames: boolean): number {
    this.lastNumber += 1;
    if (name !== undefined) this.#addName(name, this.lastNumber, allowsDuplicateNames);
    this.#groups.push(name === undefined ? { index: this.lastNumber } : { index: this.lastNumber, name });
    return this.lastNumber;
  }

  /** Records a backreference. Its group may follow later in the pattern. */
  addReference(to: number | string): void {
    this.#references.push(to);
  }

  /** The first reference to a group that does not exist. */
  findDanglingReference(): number | string | undefined {
    return this.#references.find(
      (to) => !this.#groups.some((group) => group.index === to || group.name === to),
    );
  }

  /** PCRE accepts a duplicate name only under `J`, or for the same number under `(?|`. */
  #addName(name: string, index: number, allowsDuplicateNames: boolean): void {
    const otherIndex = this.#indexByName.get(name);
    if (otherIndex !== undefined && otherIndex !== index && !allowsDuplicateNames) {
      this.#rejectionReason = `two groups are named ${name}`;
    }
    const otherName = this.#nameByIndex.get(index);
    if (otherName !== undefined && otherName !== name) {
      this.#rejectionReason = `one group is named ${name} and ${otherName}`;
    }
    this.#indexByName.set(name, index);
    this.#nameByIndex.set(index, name);
  }
}
