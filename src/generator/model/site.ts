import type { Diagnostic } from '../../base/diagnostics.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RootIndex, SiteAddress } from '../discovery/site.ts';
import type { ResourceConvention } from './conventions/resource-conventions.ts';

/** The REST interface of a site, independent of OpenAPI. Schemas are JSON Schema 2020-12. */
export interface SiteModel extends Pick<RootIndex, 'name' | 'description' | 'namespaces' | 'authentication'> {
  readonly address: SiteAddress;
  /** In the order in which WordPress tries them. */
  readonly routes: readonly { readonly pattern: string; readonly namespace: string }[];
  /** Templates are unique without parameter names. */
  readonly paths: readonly SitePath[];
  readonly diagnostics: readonly Diagnostic[];
  readonly counts: SiteCounts;
}

/** WordPress's own scheme, which is HTTP Basic in OpenAPI. */
export const APPLICATION_PASSWORD_SCHEME = 'application-passwords';

export interface SiteCounts {
  readonly routes: number;
  readonly endpoints: number;
  /** Several routes can share an operation; a route with an optional part has several. */
  readonly operations: number;
}

export interface SitePath {
  readonly template: string;
  readonly operations: readonly SiteOperation[];
}

export interface SiteOperation {
  readonly method: string;
  /** Routes that share path and method, in the site's order. The first gives parameter names. */
  readonly routes: readonly [RouteOperation, ...RouteOperation[]];
}

/** One method of one route, at one of its paths. */
export interface RouteOperation {
  readonly id: string;
  readonly summary: string;
  /** The site's PCRE pattern. */
  readonly pattern: string;
  readonly namespace: string;
  readonly method: string;
  readonly allowBatch: boolean;
  /** The endpoint declares no arguments, so it can read any, e.g. those of Fluent Boards. */
  readonly isOpen?: boolean;
  readonly path: readonly PathParameter[];
  readonly query: readonly ArgumentField[];
  readonly body?: BodyModel;
  readonly response: ResponseModel;
}

export interface PathParameter {
  readonly name: string;
  /** Name of the group in the site's pattern; the site doesn't read unnamed ones. */
  readonly siteName?: string;
  readonly schema: JsonObject;
  readonly pcre: string;
  readonly canContainSlash: boolean;
}

export interface ArgumentField {
  readonly name: string;
  readonly required: boolean;
  /** Whether the endpoint's code requires it, but not the index. @default false */
  readonly isNeeded?: boolean;
  readonly schema: JsonObject;
}

export interface BodyModel {
  /** An object with a property for each field. Methods of an endpoint share it. */
  readonly schema: JsonObject;
  /** Whether the body is a list of such objects. */
  readonly isList: boolean;
  /**
   * Files of a request:
   * - `file`: the resource's file, as the body or as a part of a form with the fields
   * - `form`: in a form, under names that the index doesn't state
   * - `named`: in a form, each as an argument
   */
  readonly upload: 'none' | 'form' | 'named' | 'file';
}

/** The successful response, if the index or a convention states it. */
export type ResponseModel =
  | { readonly kind: 'open' }
  | { readonly kind: 'batch' }
  | {
      readonly kind: 'bulk';
      /** Base name of the components. */
      readonly name: string;
      readonly lists: BulkLists;
    }
  | KnownResponse
  | {
      readonly kind: 'item' | 'created' | 'updated' | 'keyed' | 'list';
      readonly resource: SiteResource;
      /** With `X-WP-Total`, `X-WP-TotalPages` and `Link`. */
      readonly isPaged: boolean;
      /** `{}` if there is no resource. */
      readonly isMaybeEmpty: boolean;
      /** Unless the client requests another. */
      readonly context: string;
      readonly canSelectContext: boolean;
    }
  | {
      readonly kind: 'deleted';
      readonly resource: SiteResource;
      readonly isPaged: boolean;
      readonly context: string;
      readonly canSelectContext: boolean;
      /**
       * - `for-good`: each deletion is final
       * - `by-force`: `force=true` is final; otherwise the trash
       * - `item`: the resource itself, also after a final deletion
       * - `unknown`: not of WordPress or a known plugin
       */
      readonly deletion: 'for-good' | 'by-force' | 'item' | 'unknown';
      /** Whether the site refuses to delete without `force=true` (501). */
      readonly needsForce: boolean;
    };

/** Without an operation there is no list; without any, lists are open. */
export interface BulkLists {
  readonly create?: RouteOperation;
  readonly update?: RouteOperation;
  readonly delete?: RouteOperation;
}

/** A response that WordPress fixes for every site, and no index states. */
export interface KnownResponse {
  readonly kind: 'known';
  readonly name: string;
  readonly schema: JsonObject;
  readonly status: string;
  readonly mediaType: string;
  readonly isList: boolean;
  readonly isPaged: boolean;
}

/** Subject of a route's response schema. Equal schemas of a namespace share the object. */
export interface SiteResource {
  /** Component of the default context, unique in the site. */
  readonly name: string;
  /** At least one, `view` first. */
  readonly contexts: readonly ResourceContext[];
  /** Absent for resources that only their plugin knows. */
  readonly convention?: ResourceConvention;
  /** A resource can lead to itself, so objects can be cyclic. */
  readonly embedded: readonly EmbeddedRelation[];
}

export interface EmbeddedRelation {
  readonly relation: string;
  readonly isCollection: boolean;
  /** Empty: unknown. */
  readonly resources: readonly SiteResource[];
}

export interface ResourceContext {
  /** `view`, `edit`, `embed` or another; empty if the schema names none. */
  readonly context: string;
  readonly name: string;
  readonly schema: JsonObject;
}
