import type { SiteAddress } from '../discovery/site.ts';
import type { JsonObject } from '../json.ts';

/** A site's interface as the gateway serves it: a document, read once into the shape that requests need. */
export interface ServedApi {
  readonly address: SiteAddress;
  readonly namespaces: readonly string[];
  /** Every route of the site, in the site's order, in which requests are matched. */
  readonly routes: readonly ServedRoute[];
}

export interface ServedRoute {
  /** The site's PCRE pattern, without anchors. */
  readonly pattern: string;
  readonly namespace: string;
  /** By method, upper case. `HEAD` is listed only if the site declares it; otherwise it runs `GET`. */
  readonly operations: ReadonlyMap<string, ServedOperation>;
}

/** One method of one route. Each of two routes that share an operation of the document has its own. */
export interface ServedOperation {
  readonly id: string;
  readonly method: string;
  /** The path template in the document. */
  readonly path: string;
  readonly allowBatch: boolean;
  /** The route's parameters under the site's names, references resolved. */
  readonly parameters: readonly ServedParameter[];
  /** The schema of the body's fields: one object schema, whose references are not resolved. */
  readonly body?: JsonObject;
  /** The schema of a successful response. */
  readonly response?: JsonObject;
  /** JSON pointer to `response` in the document. */
  readonly responsePointer?: string;
  /** A reference to the component of the response in each context, if the client can choose the context. */
  readonly contexts?: ReadonlyMap<string, string>;
}

export interface ServedParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonObject;
}
