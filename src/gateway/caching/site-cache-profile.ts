import { type BodyTagContext, createBodyTagger } from '../../cache/wordpress/body-tags.ts';
import type { CanonicalQuery, DeclaredParameter } from '../../cache/wordpress/canonical-query.ts';
import { headerTags } from '../../cache/wordpress/header-tags.ts';
import { createLinkParser } from '../../cache/wordpress/link-parser.ts';
import { routeTags } from '../../cache/wordpress/list-tags.ts';
import { oembedResponseTags } from '../../cache/wordpress/oembed.ts';
import {
  createResourceMap,
  type ResourceLocation,
  type ResourceMap,
} from '../../cache/wordpress/resource-map.ts';
import { OPAQUE_TAG } from '../../cache/wordpress/tag-names.ts';
import { decodeLatin1 } from '../../http/body.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { memoizeByString } from '../../memoize.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import { isJsonContentType } from '../../php/content-type.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { toDeclaredParameters } from './declared-parameters.ts';

/** Data about a site that caching needs, derived from its document: resources, parameters, and tags of responses. */
export interface SiteCacheProfile {
  /** Separates the keys and tags of this site from those of other sites in the store. */
  readonly storeScope: string;
  readonly resources: ResourceMap;
  getDeclaredParameters(operation: ServedOperation): ReadonlyMap<string, DeclaredParameter>;
  /** Prefixes tags with `storeScope`, which is their form in the store. */
  toStoredTags(tags: Iterable<string>): readonly string[];
  /** Adds the tags in the header fields of a response to the address tags. Both are in their stored form. */
  pageResponseTags(storedAddressTags: readonly string[], head: ResponseHead): readonly string[];
  /**
   * Adds the tags of the resources in the body and the tags in the header fields to the address tags. All are in their
   * stored form.
   */
  routeResponseTags(
    scope: BodyTagContext,
    storedAddressTags: readonly string[],
    head: ResponseHead,
    body: Uint8Array,
    publicBase: string,
  ): readonly string[];
}

type BodyTagger = ReturnType<typeof createBodyTagger>;

const NO_PARAMETERS: ReadonlyMap<string, DeclaredParameter> = new Map();

/** Maximum number of memoized body taggers. There is one for each public URL of the gateway. */
const MAX_BODY_TAGGERS = 16;

/** @param rewritesLinks whether links in bodies are rewritten to the gateway */
export function createSiteCacheProfile(snapshot: Snapshot, rewritesLinks: boolean): SiteCacheProfile {
  const { siteAddress, requestValidators } = snapshot;
  const storeScope = siteAddress.base.replace(/^https?:\/\//, '');
  const declaredParameters = new WeakMap<ServedOperation, ReadonlyMap<string, DeclaredParameter>>();
  const resources = createResourceMap(
    [...(requestValidators?.listOperations() ?? [])].map(({ operation, route }) => ({
      namespace: route.namespace,
      template: operation.path,
      method: operation.method,
      queryParameters: operation.parameters.map((parameter) => parameter.name),
    })),
  );
  const bodyTaggers = new Map<string, BodyTagger>();

  function getBodyTagger(publicBase: string): BodyTagger {
    const key = rewritesLinks ? publicBase : '';
    const known = bodyTaggers.get(key);
    if (known !== undefined) return known;
    const created = createBodyTagger(
      resources,
      createLinkParser(siteAddress, rewritesLinks ? [publicBase] : []),
    );
    if (bodyTaggers.size < MAX_BODY_TAGGERS) bodyTaggers.set(key, created);
    return created;
  }

  const toStoredTag = memoizeByString((tag) => `${storeScope} ${tag}`);

  function addStoredTags(
    stored: readonly string[],
    ...added: readonly Iterable<string>[]
  ): readonly string[] {
    const all = stored.slice();
    for (const tags of added) {
      for (const tag of tags) all.push(toStoredTag(tag));
    }
    return all;
  }

  return {
    storeScope,
    resources,
    toStoredTags: (tags) => addStoredTags([], tags),
    getDeclaredParameters(operation) {
      if (requestValidators === null) return NO_PARAMETERS;
      const known = declaredParameters.get(operation);
      if (known !== undefined) return known;
      const created = toDeclaredParameters(operation, requestValidators.resolveReference);
      declaredParameters.set(operation, created);
      return created;
    },
    pageResponseTags: (storedAddressTags, head) => addStoredTags(storedAddressTags, headerTags(head)),
    routeResponseTags(scope, storedAddressTags, head, body, publicBase) {
      const shown = isSearchable(head)
        ? getBodyTagger(publicBase)(decodeLatin1(body), scope)
        : OPAQUE_BODY_TAGS;
      return addStoredTags(storedAddressTags, shown, headerTags(head));
    },
  };
}

/** Tags of a body that cannot be searched: any write invalidates it. */
const OPAQUE_BODY_TAGS: readonly string[] = [OPAQUE_TAG];

/** Whether the body is JSON without content coding. */
function isSearchable({ headers }: ResponseHead): boolean {
  const coding = fieldValue(headers, 'content-encoding');
  return (
    (coding === undefined || coding === 'identity') &&
    isJsonContentType(fieldValue(headers, 'content-type') ?? null)
  );
}

/** Returns the tags that follow from the requested address, without the prefix of the site. */
export function addressTags(
  location: ResourceLocation,
  { values }: CanonicalQuery,
  declared: ReadonlyMap<string, DeclaredParameter>,
  resources: ResourceMap,
): readonly string[] {
  const query = { values, defaultOrder: declared.get('orderby')?.default };
  return [...routeTags(location, query, resources), ...oembedResponseTags(location.path, values)];
}
