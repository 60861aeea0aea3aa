/** Numbers texts in the order of their first use. */
export interface Tokens {
  of(text: string): string;
  readonly texts: readonly string[];
}

export function tokensOf(prefix: string): Tokens {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  return {
    of(text) {
      const number = numbers.get(text) ?? texts.push(text) - 1;
      numbers.set(text, number);
      return `${prefix}${number}`;
    },
    texts,
  };
}

/** Numbers properties: a name with the comment above it, so that the compiler need not hear of comments. */
export interface KeyTokens {
  of(name: string, comment?: string): string;
  readonly names: readonly string[];
  readonly comments: readonly string[];
}

export function keyTokensOf(prefix: string): KeyTokens {
  const numbers = new Map<string, number[]>();
  const names: string[] = [];
  const comments: string[] = [];
  return {
    of(name, comment = '') {
      const known = numbers.get(name) ?? [];
      let number = known.find((its) => comments[its] === comment);
      if (number === undefined) {
        number = names.push(name) - 1;
        comments.push(comment);
        known.push(number);
        numbers.set(name, known);
      }
      return `${prefix}${number}`;
    },
    names,
    comments,
  };
}
