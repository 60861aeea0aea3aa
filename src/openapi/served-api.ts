import type { SiteAddress } from '../discovery/site.ts';
import type { JsonObject } from '../json.ts';

/**
 * The extensions of a document, which `read.ts` alone reads back:
 *
 * | on | extension | says |
 * |---|---|---|
 * | root | `x-waygate` | `format`, the site's address, its namespaces, all its routes in its order |
 * | path item | `x-waygate-methods` | by name, operations of methods that OpenAPI 3.1 has no place for |
 * | operation | `x-waygate-route` | the site's pattern |
 * | | `x-waygate-alternatives` | each route that shares the operation, whole, in the site's order |
 * | | `x-waygate-contexts` | the component that answers in each context, where a caller can choose |
 * | | `x-waygate-allow-batch` | it may be called in a batch |
 * | | `x-waygate-query-accepted` | the query may carry the fields of the body |
 * | parameter | `x-waygate-name` | the site's name, where the path's template had to use another |
 * | | `x-waygate-unnamed` | the site's group has no name: it does not read the value |
 * | | `x-waygate-pcre` | the site's pattern of the group |
 * | | `x-waygate-slashes` | values may contain `/` |
 * | | `x-waygate-whole`, `x-waygate-part-of` | on the two parts of a parameter that was split at a slash: the schema of the whole, its name |
 */

/** What the run side knows of a site: the document, read once into the shape that requests need. */
export interface ServedApi {
  readonly address: SiteAddress;
  readonly namespaces: readonly string[];
  /** Every route of the site in the site's own order, which is the order of matching. */
  readonly routes: readonly ServedRoute[];
}

export interface ServedRoute {
  /** The site's own PCRE pattern, without anchors. */
  readonly pattern: string;
  readonly namespace: string;
  /** By method, upper case. `HEAD` is listed only where the site declares it: elsewhere it runs `GET`. */
  readonly operations: ReadonlyMap<string, ServedOperation>;
}

/** One method of one route. Two routes that share an operation of the document have one of these each. */
export interface ServedOperation {
  readonly id: string;
  readonly method: string;
  /** The path template in the document. */
  readonly path: string;
  readonly allowBatch: boolean;
  /** This route's own parameters, `$ref`s resolved; `name` is the site's name for it. */
  readonly parameters: readonly ServedParameter[];
  /** The schema of the body's fields (one object schema), `$ref`s left as they stand in the document. */
  readonly body?: JsonObject;
  /** The schema of a successful answer. */
  readonly response?: JsonObject;
  /** JSON pointer to it, in the document. */
  readonly responsePointer?: string;
  /** By context, a reference to the component that answers in it, where a caller can choose. */
  readonly contexts?: ReadonlyMap<string, string>;
}

export interface ServedParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonObject;
}
