import type { Params } from '../../site/params.ts';

/** One of some words, which the endpoint's `enum` has checked already; undefined where the caller gave none. */
export function choice<Word extends string>(
  params: Params,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = params.string(name);
  return words.find((word) => word === text);
}

/** A list of some words. */
export function choices<Word extends string>(params: Params, name: string, words: readonly Word[]): Word[] {
  return params.strings(name).flatMap((text) => words.find((word) => word === text) ?? []);
}
