import { extensionOf } from '../../document-extensions.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { Json, JsonObject } from '../../json.ts';
import { getOrCreate, memoizeByString } from '../../memoize.ts';
import type { Operation } from '../../openapi/index.ts';
import { toByteString } from '../../php/encoding.ts';
import { isJsonContentType } from '../../php/request.ts';
import { isCoreArgument } from '../../validation/request/core-rules.ts';
import { dereferenceSchema, type ResolveReference } from '../../validation/wordpress/schema.ts';
import { createSchemaValidator } from '../../validation/wordpress/validate.ts';
import type { DeclaredParameter } from '../../wordpress/cache-key.ts';
import { isHtml } from '../../wordpress/page-responses.ts';
import { findShownItem, headerTags, listItems, showsProducts } from '../../wordpress/response-tags.ts';
import { PRODUCTS, pathHierarchy, tagNames, toTagPath, UNTAGGED } from '../../wordpress/tags.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

export const NO_DECLARED_PARAMETERS: ReadonlyMap<string, DeclaredParameter> = new Map();

/** Bytes of a body in which items are looked for. */
const MAX_TEXT = 1024 * 1024;

/** Data about a site that caching needs, derived from its document: parameters, and tags of responses. */
export class DocumentCacheTags {
  /** Separates the keys and tags of this site from those of other sites in the store. */
  readonly storeScope: string;
  readonly #snapshot: Snapshot;
  readonly #declaredParameters = new WeakMap<Operation, ReadonlyMap<string, DeclaredParameter>>();
  /** Prefixes a tag with {@link storeScope}, which is its form in the store. */
  readonly toStoredTag: (tag: string) => string;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.storeScope = snapshot.siteAddress.base.replace(/^https?:\/\//, '');
    this.toStoredTag = memoizeByString((tag) => `${this.storeScope} ${tag}`);
  }

  /** @param pattern of the operation's route */
  getDeclaredParameters(operation: Operation, pattern: string): ReadonlyMap<string, DeclaredParameter> {
    const { requestValidators } = this.#snapshot;
    if (requestValidators === null) return NO_DECLARED_PARAMETERS;
    return getOrCreate(this.#declaredParameters, operation, () =>
      toDeclaredParameters(operation, pattern, requestValidators.resolveReference),
    );
  }

  /** Prefixes tags with {@link storeScope}, which is their form in the store. */
  toStoredTags(tags: Iterable<string>): string[] {
    return Array.from(tags, this.toStoredTag);
  }

  /** Lists the tags of what a response shows, in their stored form: the item that a page says it shows, and the items in JSON. */
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

  /** Lists the tags in a response's header fields, in their stored form. @param isTagged whether waygate.php names all that it shows */
  listStated(head: ResponseHead, isTagged: boolean): readonly string[] {
    return this.toStoredTags([...(isTagged ? [] : [UNTAGGED]), ...headerTags(head)]);
  }
}

export function routeTags(route: string): readonly string[] {
  const path = toTagPath(route);
  return [...pathHierarchy(path), tagNames.exactRoute(path)];
}

/**
 * Maps the query parameters of an operation to what the cache key needs: normalization and default.
 *
 * @param pattern of the operation's route
 */
export function toDeclaredParameters(
  { method, parameters }: Operation,
  pattern: string,
  resolve: ResolveReference,
): ReadonlyMap<string, DeclaredParameter> {
  return new Map(
    parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => {
        // Callbacks of plugins can read `05` or an explicit default in another way than its definition says.
        const isKeyed = isCoreArgument({ method, route: pattern }, name, dereferenceSchema(schema, resolve));
        return [name, { ...toDeclaredParameter(name, schema, resolve), isKeyed }];
      }),
  );
}

function toDeclaredParameter(
  name: string,
  schema: JsonObject,
  resolve: ResolveReference,
): Omit<DeclaredParameter, 'isKeyed'> {
  // The generator inferred this schema's type from the default. The site does not coerce the value to it.
  if (extensionOf(schema, 'type') !== undefined) return { convert: () => undefined };
  const validator = createSchemaValidator(schema, resolve);
  const convert = (value: Json): Json | undefined => {
    if (validator.validate(value, name) !== null) return undefined;
    const sanitized = validator.sanitize(value, name);
    if (!sanitized.ok) return undefined;
    // Only the site knows how its own sanitizer changes a string, so only an unchanged string is normalized.
    return typeof sanitized.value === 'string' && sanitized.value !== value ? undefined : sanitized.value;
  };
  // A default of null is none: WordPress leaves the parameter out.
  const { default: defaultValue = null } = schema;
  return { convert, default: defaultValue === null ? undefined : convert(defaultValue) };
}
