import type { Diagnostic } from '../../base/diagnostics.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RootIndex, RouteAdditions, SiteAddress } from '../discovery/site.ts';
import type { ResourceConvention } from './conventions/resource-conventions.ts';

export interface SiteModel
  extends Pick<RootIndex, 'name' | 'description' | 'icon' | 'namespaces' | 'authentication'> {
  readonly address: SiteAddress;
  readonly routes: readonly { readonly pattern: string; readonly namespace: string }[];
  readonly paths: readonly SitePath[];
  readonly additions: RouteAdditions | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly counts: SiteCounts;
}

/** WordPress's own scheme, which is HTTP Basic in OpenAPI. */
export const APPLICATION_PASSWORD_SCHEME = 'application-passwords';

export interface SiteCounts {
  readonly routes: number;
  readonly endpoints: number;
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

export interface RouteOperation {
  readonly id: string;
  readonly summary: string;
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
  /** Who describes the response: the index, a convention of WordPress or a plugin, or nobody. */
  readonly typedBy: 'site' | 'convention' | 'nobody';
}

export interface PathParameter {
  readonly name: string;
  /** Name of the group in the site's pattern; the site doesn't read unnamed ones. */
  readonly siteName?: string;
  readonly schema: JsonObject;
  readonly pcre?: string;
  readonly canContainSlash: boolean;
}

export interface ArgumentField {
  readonly name: string;
  readonly required: boolean;
  readonly isNeeded?: boolean;
  readonly schema: JsonObject;
}

export interface BodyModel {
  readonly schema: JsonObject;
  readonly isList: boolean;
  /**
   * Files of a request:
   * - `file`: the resource's file, as the body or as a part of a form with the fields
   * - `form`: in a form, under names that the index doesn't state
   * - `named`: in a form, each as an argument
   */
  readonly upload: 'none' | 'form' | 'named' | 'file';
}

export type ResponseModel =
  | { readonly kind: 'open' }
  | { readonly kind: 'batch' }
  | { readonly kind: 'bulk' }
  | KnownResponse
  | {
      /** `either`: an item or a list, because the index does not say which. */
      readonly kind: 'item' | 'created' | 'updated' | 'keyed' | 'list' | 'either';
      readonly resource: SiteResource;
      /** With `X-WP-Total`, `X-WP-TotalPages` and `Link`. */
      readonly isPaged: boolean;
      readonly isMaybeEmpty: boolean;
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
      readonly needsForce: boolean;
    };

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
  readonly name: string;
  readonly contexts: readonly ResourceContext[];
  readonly convention?: ResourceConvention;
  /** A resource can lead to itself, so objects can be cyclic. */
  readonly embedded: readonly EmbeddedRelation[];
}

export interface EmbeddedRelation {
  readonly relation: string;
  readonly isCollection: boolean;
  readonly resources: readonly SiteResource[];
}

export interface ResourceContext {
  readonly context: string;
  readonly name: string;
  readonly schema: JsonObject;
}

/** `/posts/{parent}/revisions` → `/posts/{}/revisions`, by which paths must differ (OpenAPI 3.1.1 §4.8.8). */
export function removeParameterNames(template: string): string {
  return template.replace(/\{[^{}]*\}/g, '{}');
}

export function parameterNamesOf(template: string): readonly string[] {
  return Array.from(template.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name);
}
