import type { SiteAddress } from '../discovery/site.ts';
import type { JsonObject } from '../json.ts';

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
  /** By method, upper case. `HEAD` is not listed: it runs `GET`. */
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
}

export interface ServedParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonObject;
}
