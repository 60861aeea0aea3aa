import type { SiteAddress } from '../discovery/site.ts';
import type { JsonObject } from '../json.ts';

/** A site's API as the gateway serves it: the routes and operations that were read from a document. */
export interface ServedApi {
  readonly address: SiteAddress;
  readonly namespaces: readonly string[];
  /** All routes of the site, in the order in which requests are matched. */
  readonly routes: readonly ServedRoute[];
}

export interface ServedRoute {
  /** The site's PCRE pattern, without anchors. */
  readonly pattern: string;
  readonly namespace: string;
  /** By method, upper case. `HEAD` is listed only if the site declares it; otherwise it runs `GET`. */
  readonly operations: ReadonlyMap<string, ServedOperation>;
}

/** One method of one route. Routes that share an operation of the document have one of these each. */
export interface ServedOperation {
  readonly id: string;
  readonly method: string;
  /** The path template in the document. */
  readonly path: string;
  readonly allowBatch: boolean;
  /** The route's parameters under the site's names, references resolved. */
  readonly parameters: readonly ServedParameter[];
  /** The object schema of the body's fields. Its references are not resolved. */
  readonly bodySchema?: JsonObject;
  /** The schema of a successful response. */
  readonly responseSchema?: JsonObject;
  /** JSON pointer to `responseSchema` in the document. */
  readonly responsePointer?: string;
  /** References to the response's component by context (`edit`); absent if the client cannot choose the context. */
  readonly contextReferences?: ReadonlyMap<string, string>;
}

export interface ServedParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonObject;
}
