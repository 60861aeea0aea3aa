import type { JsonObject } from '../../json.ts';

/**
 * What WordPress' own code does with one kind of resource, and where that can be read. An index states the properties of
 * a resource and the contexts that show them. It does not state which properties are always there.
 */
export interface ResourceConvention {
  readonly kind: string;
  /** The code that the entry was read from, or the observation that proves it. */
  readonly source: string;
  /** The titles of its schemas. `*-revision` stands for every title with this end. Absent: any title. */
  readonly titles?: readonly string[];
  /** Properties that the schema of every such resource has. With the title they identify it in a renamed namespace. */
  readonly signature: readonly string[];
  /** Properties that are in every response whose context shows them. `all`: each one of the schema. */
  readonly always: readonly string[] | 'all';
  /** Whether lists of integers are always there too: the terms of a post, by taxonomy, whose names a site chooses. */
  readonly hasTermLists?: boolean;
  /** Members of properties that are objects, which are there whenever the property is. `all`: each one of the schema. */
  readonly members?: { readonly [property: string]: readonly string[] | 'all' };
  /**
   * Keywords that replace those of a property, because the schema states what may be written, or is wrong. A keyword of
   * null is removed.
   */
  readonly corrections?: { readonly [property: string]: JsonObject };
  /** Values that responses have beside those of the property's `enum`, which lists what may be written. */
  readonly furtherValues?: { readonly [property: string]: readonly string[] };
  /** Properties whose value is an empty list if it has no members: PHP has one array type. */
  readonly maybeEmpty?: readonly string[];
  /** Properties whose values keep the format that the schema states. */
  readonly keepsFormat?: readonly string[];
  readonly links: LinkConvention | 'none';
  /** Writes whose response is in the context `view`. The controllers return all others in `edit`. */
  readonly isViewedAfter?: readonly ('created' | 'updated' | 'deleted')[];
  /** Whether the resource has no trash, so that each deletion is final. */
  readonly isDeletedForGood?: boolean;
}

/** The links of a resource by relation, as they are in `_links`: `wp:term` for `https://api.w.org/term`. */
export interface LinkConvention {
  readonly always: readonly string[];
  readonly sometimes?: readonly string[];
  readonly embeddable?: readonly EmbeddableRelation[];
}

/** A relation that `_embed` adds to `_embedded`. */
export interface EmbeddableRelation {
  readonly relation: string;
  /**
   * The kinds of resources that the links lead to. `same`: a resource of the same schema. `terms`: the terms of the
   * taxonomies that the resource has a property for.
   */
  readonly target: readonly string[] | 'same' | 'terms';
  /** Whether each link leads to a collection, so that each embedded value is a list. */
  readonly isCollection?: boolean;
}
