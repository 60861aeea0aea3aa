import type { Diagnostic } from '../diagnostics.ts';
import type { SiteAddress } from '../discovery/site.ts';
import type { JsonObject } from '../json.ts';

/**
 * A site's interface as a person would describe it: paths, and under each the operations, with every argument in its
 * place. Schemas are JSON Schema 2020-12; nothing here is OpenAPI yet.
 */
export interface Site {
  readonly address: SiteAddress;
  readonly name: string;
  readonly description: string;
  readonly namespaces: readonly string[];
  /** As the index states it, by scheme. */
  readonly authentication: JsonObject;
  /** Every route of the site, in the order in which the site tries them. */
  readonly routes: readonly { readonly pattern: string; readonly namespace: string }[];
  /** No two have the same template, whatever their parameters are called. */
  readonly paths: readonly SitePath[];
  /** Discovery's findings, then the model's. */
  readonly diagnostics: readonly Diagnostic[];
  readonly counts: SiteCounts;
}

export interface SiteCounts {
  readonly routes: number;
  readonly endpoints: number;
  /** Of the document: several routes may share one, and a route with an optional part has several. */
  readonly operations: number;
  /** One for each argument of each method of each endpoint. */
  readonly arguments: { readonly declared: number; readonly carried: number };
}

export interface SitePath {
  /** An OpenAPI path template: `/wp/v2/posts/{id}`. */
  readonly template: string;
  readonly operations: readonly SiteOperation[];
}

/** One method of one path. */
export interface SiteOperation {
  readonly method: string;
  /** The routes that answer here, in the site's order: nearly always one. Names and summary are the first one's. */
  readonly routes: readonly [RouteOperation, ...RouteOperation[]];
}

/** One method of one route, at one of the route's paths. */
export interface RouteOperation {
  readonly id: string;
  readonly summary: string;
  readonly pattern: string;
  readonly namespace: string;
  readonly method: string;
  readonly allowBatch: boolean;
  /** In the order of the template. */
  readonly path: readonly PathParameter[];
  readonly query: readonly Field[];
  readonly body?: Body;
  readonly answer: Answer;
}

export interface PathParameter {
  /** The name in the path's template. */
  readonly name: string;
  /** The site's name for it; absent where its group has none, so that the site does not read it. */
  readonly siteName?: string;
  readonly schema: JsonObject;
  /** The site's own pattern of the group. */
  readonly pcre: string;
  /** Whether a value may contain `/`. */
  readonly slashes: boolean;
  /** Where one of the site's parameters was split at a slash, on its first part: the schema of the whole. */
  readonly whole?: JsonObject;
  /** On its second part: the site's name of the whole. */
  readonly partOf?: string;
}

/** An argument outside the path. */
export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonObject;
}

export interface Body {
  /** One for all methods of an endpoint: compare by identity. The schema is one object schema, a property per field. */
  readonly fields: JsonObject;
  /**
   * `file`: the resource is a file, sent raw or as a part of a form beside the fields. `form`: the route is named after
   * an upload, so that a form may hold files of names that the index does not say. `none`: fields alone.
   */
  readonly upload: 'none' | 'form' | 'file';
}

/** What comes back when all went well, as far as the index says. */
export type Answer =
  | { readonly kind: 'open' }
  | { readonly kind: 'batch' }
  | {
      readonly kind: 'item' | 'created' | 'updated' | 'deleted' | 'keyed' | 'list';
      readonly resource: Resource;
      /** Whether the answer counts its pages in headers. */
      readonly paged: boolean;
      /** The context in which the resource comes unless the caller asks for another. */
      readonly context: string;
      /** Whether the caller can ask for another. */
      readonly chooses: boolean;
    };

/** What the site calls a schema on a route: compare by identity. */
export interface Resource {
  /** The component's name for the default context; unique in the site. */
  readonly name: string;
  /** The schema of the resource in each context, `view` first. At least one. */
  readonly contexts: readonly ResourceContext[];
}

export interface ResourceContext {
  /** `view`, `edit`, `embed`, or the site's own word; empty where the schema knows no contexts. */
  readonly context: string;
  readonly name: string;
  readonly schema: JsonObject;
}
