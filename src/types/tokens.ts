/** Allocates a numbered token for each text, in the order of first use. */
export interface TokenTable {
  tokenFor(text: string): string;
  readonly texts: readonly string[];
}

export function createTokenTable(prefix: string): TokenTable {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  return {
    tokenFor(text) {
      const number = numbers.get(text) ?? texts.push(text) - 1;
      numbers.set(text, number);
      return `${prefix}${number}`;
    },
    texts,
  };
}

/** Allocates a numbered token for each pair of property name and comment, so that the compiler sees no comments. */
export interface PropertyTokenTable {
  tokenFor(name: string, comment?: string): string;
  readonly names: readonly string[];
  readonly comments: readonly string[];
}

export function createPropertyTokenTable(prefix: string): PropertyTokenTable {
  const numbers = new Map<string, number[]>();
  const names: string[] = [];
  const comments: string[] = [];
  return {
    tokenFor(name, comment = '') {
      const candidates = numbers.get(name) ?? [];
      let number = candidates.find((candidate) => comments[candidate] === comment);
      if (number === undefined) {
        number = names.push(name) - 1;
        comments.push(comment);
        candidates.push(number);
        numbers.set(name, candidates);
      }
      return `${prefix}${number}`;
    },
    names,
    comments,
  };
}
