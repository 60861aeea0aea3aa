import type { ResponseHead } from '../../../base/http/exchange.ts';
import { fieldValue } from '../../../base/http/fields.ts';
import { memoizeByString } from '../../../base/memoize.ts';
import { toByteString } from '../../../base/php/encoding.ts';
import { isJsonContentType } from '../../../base/php/request.ts';
import { writeStoredTag } from '../../cache/surrogate-keys.ts';
import { isHtml } from '../../wordpress/page-responses.ts';
import { findShownItem, headerTags, listItems, showsProducts } from '../../wordpress/response-tags.ts';
import { anyQueryRouteTag, PRODUCTS, pathHierarchy, toTagPath, UNTAGGED } from '../../wordpress/tags.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

const MAX_TEXT = 1024 * 1024;

/** Tags of a site's responses, in their stored form. */
export class DocumentCacheTags {
  /** Prefix of the keys and tags of this site in the store. */
  readonly storeScope: string;
  readonly #snapshot: Snapshot;
  readonly toStoredTag: (tag: string) => string;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.storeScope = snapshot.siteAddress.base.replace(/^https?:\/\//, '');
    this.toStoredTag = memoizeByString((tag) => writeStoredTag(this.storeScope, tag));
  }

  toStoredTags(tags: Iterable<string>): string[] {
    return Array.from(tags, this.toStoredTag);
  }

  /** Lists what a page says it shows, and the items in JSON. */
  listShown(isRoute: boolean, head: ResponseHead, body: Uint8Array): readonly string[] {
    const { prefix } = this.#snapshot.siteAddress;
    const isRead = isRoute
      ? isJsonContentType(fieldValue(head.headers, 'content-type') ?? null)
      : isHtml(head);
    const text = isRead ? toByteString(body.subarray(0, MAX_TEXT)) : '';
    if (isRoute) return this.toStoredTags(listItems(text, prefix));
    const item = findShownItem(head, prefix);
    return this.toStoredTags([...(item === null ? [] : [item]), ...(showsProducts(text) ? [PRODUCTS] : [])]);
  }

  /** @param isTagged whether waygate.php names all that the response shows */
  listStated(head: ResponseHead, isTagged: boolean): readonly string[] {
    return this.toStoredTags([...(isTagged ? [] : [UNTAGGED]), ...headerTags(head)]);
  }
}

export function routeTags(route: string): readonly string[] {
  const path = toTagPath(route);
  return [...pathHierarchy(path), anyQueryRouteTag(path)];
}
