import type { Json } from '../../json.ts';
import { tagNames } from './tag-names.ts';

/**
 * Tags of responses that mention an item by its id. What was learned about a kind of read says little about the few of its
 * responses that show the written item, so these are purged all the same.
 */

/** An id. Shorter numbers are too common, as counts and positions, to identify an item. */
const ID = /^\d{3,19}$/;
const IDS = /\d{3,19}/g;
/** Members such as `"id":123`, `"product_id":"123"` and `"ids":[123,456]`. */
const ID_MEMBER = /[iI][dD]s?"\s*:\s*(\[[\d\s,"]*\]|"?\d{3,19})/g;
/** Maximum ids per response. One with more has the tag of any id. */
const MAX_IDS = 300;

/** Tag of responses that mention more ids than are counted. Each write purges them. */
export const ANY_MENTION_TAG: string = tagNames.mention('*');

/** Returns the tags of the ids in the route, the query and the body of a response. */
export function mentionTags(
  route: string,
  values: ReadonlyMap<string, Json>,
  text: string,
): ReadonlySet<string> {
  const ids = new Set(routeIds(route));
  for (const value of values.values()) if (ID.test(String(value))) ids.add(String(value));
  let isComplete = true;
  forEachMatch(ID_MEMBER, text, ([, found = '']) => {
    forEachMatch(IDS, found, ([id]) => ids.add(id));
    isComplete = ids.size <= MAX_IDS;
    return isComplete;
  });
  return isComplete ? new Set(Array.from(ids, tagNames.mention)) : new Set([ANY_MENTION_TAG]);
}

/** `matchAll` would compile the expression anew for each text. @param visit ends the search with `false` */
function forEachMatch(expression: RegExp, text: string, visit: (match: RegExpExecArray) => unknown): void {
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    if (visit(match) === false) return;
  }
}

/** Returns the tags that a write invalidates: those of the ids in its route, and of other ids that it may concern. */
export function mentionedBy(route: string, otherIds: Iterable<string>): readonly string[] {
  const ids = [...routeIds(route), ...otherIds].filter((id) => ID.test(id));
  return [ANY_MENTION_TAG, ...ids.map(tagNames.mention)];
}

/** Most routes of lists have no id. */
const ID_SEGMENT = /\/\d{3}/;

function routeIds(route: string): readonly string[] {
  if (!ID_SEGMENT.test(route)) return [];
  return route.split('/').filter((segment) => ID.test(segment));
}
