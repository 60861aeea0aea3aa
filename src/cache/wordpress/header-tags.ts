import type { ResponseHead } from '../../http/exchange.ts';
import { tagNames } from './tag-names.ts';

/** Header fields in which a site names the surrogate keys of a response, with the separator of their values. */
const SURROGATE_KEY_FIELDS: ReadonlyMap<string, RegExp> = new Map([
  // Fastly, Varnish and Pantheon; Cloudflare and Akamai; Varnish's xkey module.
  ['surrogate-key', /\s+/],
  ['cache-tag', /\s*,\s*/],
  ['xkey', /[\s,]+/],
]);
const MAX_FIELD_NAME_LENGTH = 'surrogate-key'.length;

/** Further names are dropped: a response with so many has a faulty header. */
const MAX_NAMES = 1_000;

/** The tags of a response that the site states in its header. */
export function headerTags({ headers }: ResponseHead): readonly string[] {
  const tags: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const separator =
      name.length <= MAX_FIELD_NAME_LENGTH ? SURROGATE_KEY_FIELDS.get(name.toLowerCase()) : undefined;
    if (separator === undefined) continue;
    for (const tag of (headers[at + 1] ?? '').split(separator)) {
      if (tag !== '' && tags.length < MAX_NAMES) tags.push(tagNames.customName(tag));
    }
  }
  return tags;
}
