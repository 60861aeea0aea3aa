import type { Diagnostic } from '../diagnostics.ts';
import type { RootIndex, SiteAddress } from '../discovery/site.ts';
import type { JsonObject } from '../json.ts';
import type { ResourceConvention } from './conventions/resource-conventions.ts';

/**
 * The REST interface of a site as paths and operations, independent of OpenAPI. Schemas are JSON Schema 2020-12.
 */
export interface SiteModel extends Pick<RootIndex, 'name' | 'description' | 'namespaces' | 'authentication'> {
  readonly address: SiteAddress;
  /** Every route of the site, in the order in which WordPress tries them. */
  readonly routes: readonly { readonly pattern: string; readonly namespace: string }[];
  /** Paths whose templates are unique regardless of parameter names. */
  readonly paths: readonly SitePath[];
  /** The diagnostics of the discovery, then those of the model. */
  readonly diagnostics: readonly Diagnostic[];
  readonly counts: SiteCounts;
}

/** The name of the only authentication scheme of WordPress itself. OpenAPI expresses it as HTTP Basic. */
export const APPLICATION_PASSWORD_SCHEME = 'application-passwords';

export interface SiteCounts {
  readonly routes: number;
  readonly endpoints: number;
  /** Operations of the document. Several routes can share one; a route with an optional part has several. */
  readonly operations: number;
}

export interface SitePath {
  /** An OpenAPI path template: `/wp/v2/posts/{id}`. */
  readonly template: string;
  readonly operations: readonly SiteOperation[];
}

export interface SiteOperation {
  readonly method: string;
  /** The routes that share this path and method, in the site's order. The first provides the parameter names. */
  readonly routes: readonly [RouteOperation, ...RouteOperation[]];
}

/** One method of one route, at one path of the route. */
export interface RouteOperation {
  /** The `operationId`. */
  readonly id: string;
  readonly summary: string;
  /** The site's route pattern. */
  readonly pattern: string;
  readonly namespace: string;
  readonly method: string;
  readonly allowBatch: boolean;
  /** The path of an earlier route that answers every request for this one. */
  readonly shadowedBy?: string | undefined;
  /** Whether the endpoint declares no arguments, so that it can read any: those of Fluent Boards declare none. */
  readonly isOpen?: boolean;
  /** The path parameters, in the order of the template. */
  readonly path: readonly PathParameter[];
  readonly query: readonly ArgumentField[];
  readonly body?: BodyModel;
  readonly response: ResponseModel;
}

export interface PathParameter {
  /** The name in the path's template. */
  readonly name: string;
  /** The name of the group in the site's pattern; absent for an unnamed group, whose value the site does not read. */
  readonly siteName?: string;
  readonly schema: JsonObject;
  /** The PCRE pattern of the group in the route's pattern. */
  readonly pcre: string;
  readonly canContainSlash: boolean;
  /** The schema of the whole value. Present on the first part of a parameter that was split at a slash. */
  readonly wholeSchema?: JsonObject;
  /** The site's name of the whole parameter. Present on the second part of a parameter that was split at a slash. */
  readonly wholeSiteName?: string;
}

/** An argument outside the path. */
export interface ArgumentField {
  readonly name: string;
  readonly required: boolean;
  /** Whether the code of the endpoint requires it, and the index does not. @default false */
  readonly isNeeded?: boolean;
  readonly schema: JsonObject;
}

export interface BodyModel {
  /** An object schema with a property for each field. All methods of an endpoint share the identical object. */
  readonly schema: JsonObject;
  /** Whether the body is a list of such objects. */
  readonly isList: boolean;
  /**
   * The files that a request can contain:
   * - `file`: the file of the resource, as the whole body or as a part of a form with the fields
   * - `form`: files in a form, under names that the index does not state
   * - `named`: files in a form, each as an argument
   * - `none`: no files
   */
  readonly upload: 'none' | 'form' | 'named' | 'file';
}

/** The successful response of an operation, as far as the index or a convention states it. */
export type ResponseModel =
  | { readonly kind: 'open' }
  | { readonly kind: 'batch' }
  | {
      readonly kind: 'bulk';
      /** Base name of the components of the request and of the response. */
      readonly name: string;
      readonly lists: BulkLists;
    }
  | KnownResponse
  | {
      readonly kind: 'item' | 'created' | 'updated' | 'keyed' | 'list';
      readonly resource: SiteResource;
      /** Whether the response has paging headers (`X-WP-Total`, `X-WP-TotalPages`, `Link`). */
      readonly isPaged: boolean;
      /** Whether the response is `{}` if there is no resource. */
      readonly isMaybeEmpty: boolean;
      /** The context of the resource unless the client requests another. */
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
       * - `by-force`: `force=true` deletes for good; otherwise the resource is moved to the trash
       * - `item`: the resource itself, also after a deletion for good
       * - `unknown`: not a resource of WordPress or of a plugin that is known
       */
      readonly deletion: 'for-good' | 'by-force' | 'item' | 'unknown';
      /** Whether the site refuses to delete without `force=true` (501). */
      readonly needsForce: boolean;
    };

/**
 * The operations that do for one item what a bulk operation does for each item of a list. An operation that the site does not
 * have has no list; without any, the lists are open.
 */
export interface BulkLists {
  readonly create?: RouteOperation;
  readonly update?: RouteOperation;
  readonly delete?: RouteOperation;
}

/** A response whose schema no index states, and which WordPress fixes for every site. */
export interface KnownResponse {
  readonly kind: 'known';
  /** The name of the component. */
  readonly name: string;
  readonly schema: JsonObject;
  /** The status code: `200`, or `204` without content. */
  readonly status: string;
  readonly mediaType: string;
  readonly isList: boolean;
  readonly isPaged: boolean;
}

/** A resource: the subject of a route's response schema. Equal schemas of a namespace share the identical object. */
export interface SiteResource {
  /** The name of the component in the default context. Unique in the site. */
  readonly name: string;
  /** The schema of the resource in each context, `view` first. At least one. */
  readonly contexts: readonly ResourceContext[];
  /** WordPress's behaviour for the resource; absent for a resource that only its plugin knows. */
  readonly convention?: ResourceConvention;
  /** The relations of `_embedded`. A resource can lead to itself, so the objects can be cyclic. */
  readonly embedded: readonly EmbeddedRelation[];
}

/** A relation of `_embedded`. */
export interface EmbeddedRelation {
  readonly relation: string;
  /** Whether each embedded value is a list of resources. */
  readonly isCollection: boolean;
  /** The resources that the values can be. Empty: unknown. */
  readonly resources: readonly SiteResource[];
}

export interface ResourceContext {
  /** `view`, `edit`, `embed` or another context of the site; empty if the schema names no contexts. */
  readonly context: string;
  /** The name of the component. */
  readonly name: string;
  readonly schema: JsonObject;
}
