import type { OperationFacts } from './facts.ts';
import { phraseOf } from './phrase.ts';

/** A short summary for a person where the site gives none: `List posts`, `Update a post`, `Archive a project board`. */
export function summaryOf(facts: OperationFacts): string {
  const { verb, nouns, rest, one } = phraseOf(facts);
  const thing = nouns.flat();
  const words = [...verb, ...(one && thing.length > 0 ? [articleOf(thing[0] ?? '')] : []), ...thing, ...rest];
  const sentence = words.join(' ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** By sound as far as spelling tells: `an item`, `a user`, `an hour`, `a one-off`. */
function articleOf(word: string): string {
  if (/^(?:hour|honest|heir|sms|seo|rss|mcp|html|xml|faq|sql|ssl)/.test(word)) return 'an';
  return /^(?:[aio]|e(?!u)|u(?!ni|s|ti|rl|ri|uid))/.test(word) && !/^one/.test(word) ? 'an' : 'a';
}
