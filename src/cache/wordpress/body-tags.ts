import type { Json } from '../../json.ts';
import { parsePhpQuery } from '../../php/variables.ts';
import { createTextFinder } from './body-scan.ts';
import type { LinkParser } from './link-parser.ts';
import { DYNAMIC_BLOCKS } from './list-dependencies.ts';
import { listTags } from './list-tags.ts';
import type { ResourceLocation, ResourceMap } from './resource-map.ts';
import { DYNAMIC_CONTENT_TAG, OPAQUE_REFERENCES_TAG, OPAQUE_TAG, tagNames } from './tag-names.ts';

/** What of an answer is needed to know what it shows. */
export interface BodyScope {
  readonly location: ResourceLocation;
  /** Linked resources are shown with it (`_embed`). */
  readonly embeds: boolean;
  /** Fields are left out of it (`_fields`), so links and ids may be missing. */
  readonly hasFieldFilter: boolean;
}

/** An answer with more items than this is purged with its collections. */
const MOST_TAGS = 400;

/**
 * The tags that an answer has by what is in it: the items that it shows, by their `self` links, and those that it names, by
 * its embeddable links and ids of terms. Found by searching the text, not by parsing it: that would cost more than all
 * else that becomes of an answer. The text of a string in JSON can't be taken for a link, for its quotes are escaped.
 */
export function createBodyTagger(
  resources: ResourceMap,
  links: LinkParser,
): (text: string, shown: BodyScope) => ReadonlySet<string> {
  const termsOf = new Map(
    resources.collectionsOfKind('terms').map((path) => [path.slice(path.lastIndexOf('/') + 1), path]),
  );
  const fields = [...termsOf.keys()].map((name) => createTextFinder(`${name}":[`));

  return (text, { location, embeds, hasFieldFilter }) => {
    const tags = new Set<string>();
    // Addresses repeat: each post of a list names its author.
    const seen = new Set<string>();

    const show = (item: string, { collection, kind }: ResourceLocation): void => {
      if (tags.size > MOST_TAGS) tags.add(tagNames.anyFieldDependency(collection));
      else tags.add(item);
      if (kind === location.kind && (kind === 'terms' || kind === 'users'))
        tags.add(tagNames.ownRoutes(item));
    };
    const refer = (item: string, located: ResourceLocation): void => {
      tags.add(tags.size > MOST_TAGS ? OPAQUE_REFERENCES_TAG : tagNames.reference(item));
      if (embeds) show(item, located);
    };

    const readLinks = (first: number): void => {
      forEachSelf(text, first, (start, end) => {
        const link = links.parse(text, start, end);
        const found = link === null ? null : resources.locateByPath(link.route);
        if (found?.item != null) show(found.path, found);
      });
      forEachEmbeddable(text, first, (start, end) => {
        const raw = text.slice(start, end);
        // Most lead to lists, which are of no matter where they are not shown.
        if ((!embeds && asksForMore(raw)) || seen.has(raw)) return;
        seen.add(raw);
        const link = links.parse(text, start, end);
        const found = link === null ? null : resources.locateByPath(link.route);
        if (link === null || found === null) return;
        if (found.item !== null) refer(found.path, found);
        else if (embeds) for (const tag of embeddedList(found, link.query, resources)) tags.add(tag);
      });
    };
    // Only links are embeddable.
    const first = text.indexOf(LINKS);
    if (first >= 0) readLinks(first);
    if (location.kind === 'posts') {
      forEachTerm(text, fields, termsOf, (item) =>
        tags.add(tags.size > MOST_TAGS ? OPAQUE_REFERENCES_TAG : tagNames.reference(item)),
      );
      if (isDynamic(text)) tags.add(DYNAMIC_CONTENT_TAG);
    }
    if (location.kind === 'media')
      forEachNumber(text, '"post":', (id) => tags.add(tagNames.reference(`#${id}`)));
    if (hasFieldFilter) {
      tags.add(OPAQUE_REFERENCES_TAG);
      if (embeds) tags.add(OPAQUE_TAG);
      else if (location.item === null) tags.add(tagNames.anyFieldDependency(location.collection));
    }
    return tags;
  };
}

/** Whether something is asked of the last segment: `comments?post=12`. */
function asksForMore(address: string): boolean {
  const segment = address.lastIndexOf('/');
  return address.indexOf('?', segment) >= 0 || address.indexOf('&', segment) >= 0;
}

type Visit = (start: number, end: number) => void;

const LINKS = '_links":{';
const SELF = '"self":[{';
const HREF = 'href":"';

function forEachSelf(text: string, first: number, visit: Visit): void {
  for (let at = first; at >= 0; ) {
    const start = at + LINKS.length;
    const next = text.indexOf(LINKS, start);
    const self = text.startsWith(SELF, start) ? start : text.indexOf(SELF, start);
    if (self >= 0 && (next < 0 || self < next)) visitHref(text, self + SELF.length, visit);
    at = next;
  }
}

const EMBEDDABLE = 'embeddable":true';
const findEmbeddable = createTextFinder(EMBEDDABLE);

function forEachEmbeddable(text: string, from: number, visit: Visit): void {
  for (let at = findEmbeddable(text, from); at >= 0; at = findEmbeddable(text, at + 1)) {
    visitHref(text, at + EMBEDDABLE.length, visit);
  }
}

function visitHref(text: string, from: number, visit: Visit): void {
  const href = text.indexOf(HREF, from);
  if (href < 0) return;
  const start = href + HREF.length;
  const end = text.indexOf('"', start);
  if (end >= 0) visit(start, end);
}

/** Fields of a post that hold ids of terms. They stand one behind the other, so that the first leads to the others. */
function forEachTerm(
  text: string,
  fields: readonly ReturnType<typeof createTextFinder>[],
  termsOf: ReadonlyMap<string, string>,
  visit: (item: string) => void,
): void {
  const list = /"([^"\\]+)":\[([\d,]*)\],?/y;
  for (const find of fields) {
    let found = false;
    for (let at = find(text, 0); at >= 0; at = find(text, Math.max(at + 1, list.lastIndex))) {
      // The name without its first quote was looked for.
      list.lastIndex = at - 1;
      for (let match = list.exec(text); match !== null; match = list.exec(text)) {
        found = true;
        const path = termsOf.get(match[1] ?? '');
        if (path === undefined) continue;
        for (const id of (match[2] ?? '').split(',')) if (id !== '') visit(`${path}/${id}`);
      }
    }
    if (found) return;
  }
}

function forEachNumber(text: string, needle: string, visit: (digits: string) => void): void {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    const digits = /^\d+/.exec(text.slice(at + needle.length, at + needle.length + 20))?.[0];
    if (digits !== undefined) visit(digits);
  }
}

const BLOCK = 'wp-block-';

function isDynamic(text: string): boolean {
  for (let at = text.indexOf(BLOCK); at >= 0; at = text.indexOf(BLOCK, at + BLOCK.length)) {
    if (DYNAMIC_BLOCKS.some((name) => text.startsWith(name, at + BLOCK.length))) return true;
  }
  return false;
}

/** `replies` of a post are a list of comments, narrowed to it. */
function embeddedList(at: ResourceLocation, query: string, resources: ResourceMap): readonly string[] {
  const values = new Map<string, Json>();
  for (const [name, value] of parsePhpQuery(query)) if (typeof value === 'string') values.set(name, value);
  return listTags(at, { values }, resources);
}
