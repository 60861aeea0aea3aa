import type { Json } from '../../json.ts';
import { parsePhpQuery } from '../../php/variables.ts';
import {
  createTermFinder,
  findLinksObject,
  forEachEmbeddableLink,
  forEachNumberAfter,
  forEachSelfLink,
  hasRenderedContent,
} from './body-scan.ts';
import type { LinkParser } from './link-parser.ts';
import { LIST_DEPENDENCIES } from './list-dependencies.ts';
import { hasOwnRoutes, listTags } from './list-tags.ts';
import { OEMBED_TAG } from './oembed.ts';
import type { ResourceLocation, ResourceMap } from './resource-map.ts';
import { DYNAMIC_CONTENT_TAG, OPAQUE_REFERENCES_TAG, OPAQUE_TAG, tagNames } from './tag-names.ts';

/** Properties of a request on which the tags of the response's body depend. */
export interface BodyTagContext {
  /** The resource that was requested. */
  readonly location: ResourceLocation;
  /** Whether the request asks for linked resources in the response (`_embed`). */
  readonly embeds: boolean;
  /** Whether the request selects fields (`_fields`), so that links and ids may be missing. */
  readonly hasFieldFilter: boolean;
}

/**
 * Limit of tags per response. Beyond it, an item gets a tag of its whole collection, and a reference gets the tag of all
 * references.
 */
const MAX_ITEM_TAGS = 400;

/**
 * Creates a function that derives the tags of a response from its body: the items that it contains, by their `self`
 * links, and the items that it references, by its embeddable links and term ids.
 */
export function createBodyTagger(
  resources: ResourceMap,
  links: LinkParser,
): (text: string, scope: BodyTagContext) => ReadonlySet<string> {
  const termCollections = new Map(
    resources.collectionsOfKind('terms').map((path) => [path.slice(path.lastIndexOf('/') + 1), path]),
  );
  const forEachTerm = createTermFinder(termCollections);
  const mediaCollections = resources.collectionsOfKind('media');

  return (text, { location, embeds, hasFieldFilter }) => {
    const tags = new Set<string>();
    // URLs repeat: each post of a list links to its author.
    const seen = new Set<string>();

    const addItem = (item: string, { collectionPath, kind }: ResourceLocation): void => {
      tags.add(tags.size > MAX_ITEM_TAGS ? tagNames.anyFieldDependency(collectionPath) : item);
      hasOwnItem ||= collectionPath === location.collectionPath;
      if (kind === location.kind && hasOwnRoutes(location)) tags.add(tagNames.ownRoutes(item));
    };
    const addReference = (item: string): void => {
      tags.add(tags.size > MAX_ITEM_TAGS ? OPAQUE_REFERENCES_TAG : tagNames.reference(item));
      // A change of an item can change the links of all items below it.
      tags.add(tagNames.reference(item.slice(0, item.lastIndexOf('/'))));
    };
    let hasOwnItem = false;
    const addLinks = (first: number): void => {
      forEachSelfLink(text, first, (start, end) => {
        const link = links.parse(text, start, end);
        const found = link === null ? null : resources.locateKnown(link.route);
        if (found?.itemPath != null) addItem(found.path, found);
      });
      forEachEmbeddableLink(text, first, (start, end) => {
        const raw = text.slice(start, end);
        // Most URLs with a query are lists, which only matter when they are embedded.
        if ((!embeds && hasQuery(raw)) || seen.has(raw)) return;
        seen.add(raw);
        const link = links.parse(text, start, end);
        const found = link === null ? null : resources.locateKnown(link.route);
        if (link === null || found === null) return;
        if (found.itemPath !== null) {
          addReference(found.path);
          if (embeds) addItem(found.path, found);
        } else if (embeds) {
          for (const tag of embeddedListTags(found, link.query, resources)) tags.add(tag);
        }
      });
    };

    const first = findLinksObject(text);
    if (first >= 0) addLinks(first);
    if (location.kind === 'posts') forEachTerm(text, addReference);
    if (location.kind === 'media') {
      forEachNumberAfter(text, '"post":', (id) => tags.add(tagNames.reference(`#${id}`)));
    }
    // The markup of an oEmbed response contains the title of its post only.
    if (!location.path.startsWith(OEMBED_TAG) && hasRenderedContent(text)) tags.add(DYNAMIC_CONTENT_TAG);
    for (const media of mediaCollections) {
      forEachNumberAfter(text, 'wp-image-', (id) => addReference(`${media}/${id}`));
    }
    // A site may remove the links from its responses, as `_fields` does.
    if (hasFieldFilter || (hasItems(location) && !hasOwnItem && text !== '[]')) {
      tags.add(OPAQUE_REFERENCES_TAG);
      if (hasOwnRoutes(location)) tags.add(tagNames.ownRoutes(location.collectionPath));
      if (embeds) tags.add(OPAQUE_TAG);
      else if (location.itemPath === null) tags.add(tagNames.anyFieldDependency(location.collectionPath));
    }
    return tags;
  };
}

/** Whether a response of the location contains items with links, according to the controllers of WordPress. */
function hasItems({ isBelowItem, kind }: ResourceLocation): boolean {
  return !isBelowItem && LIST_DEPENDENCIES[kind] !== undefined;
}

/** Whether the last segment of a URL has a query: `comments?post=12`. Plain permalinks use `&` for it. */
function hasQuery(url: string): boolean {
  const segment = url.lastIndexOf('/');
  return url.indexOf('?', segment) >= 0 || url.indexOf('&', segment) >= 0;
}

/** Returns the tags of an embedded list, such as the `replies` of a post: comments, filtered by the post. */
function embeddedListTags(
  location: ResourceLocation,
  query: string,
  resources: ResourceMap,
): readonly string[] {
  const values = new Map<string, Json>();
  for (const [name, value] of parsePhpQuery(query)) if (typeof value === 'string') values.set(name, value);
  return listTags(location, { values }, resources);
}
