import type { ResponseHead } from '../../http/exchange.ts';
import { tagNames } from './tag-names.ts';

/** Fields in which sites name what an answer is made of, and what their names are separated by. */
const FIELDS: ReadonlyMap<string, RegExp> = new Map([
  // Fastly, Varnish and Pantheon; Cloudflare and Akamai; Varnish's vmod.
  ['surrogate-key', /\s+/],
  ['cache-tag', /\s*,\s*/],
  ['xkey', /[\s,]+/],
]);

/** More names than this are no names but a mistake. */
const MOST_NAMES = 1_000;

export function headerTags({ headers }: ResponseHead): readonly string[] {
  const tags: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const separator = name.length <= 13 ? FIELDS.get(name.toLowerCase()) : undefined;
    if (separator === undefined) continue;
    for (const tag of (headers[at + 1] ?? '').split(separator)) {
      if (tag !== '' && tags.length < MOST_NAMES) tags.push(tagNames.customName(tag));
    }
  }
  return tags;
}
