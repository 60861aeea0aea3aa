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
