import type { JsonObject } from '../../../base/json.ts';
import type { ExtendedOperation } from '../../../base/option-types.ts';
import type { ArgumentSchemas } from '../../rest-server/declarations.ts';
import declarations from './declarations.json' with { type: 'json' };

/** A route below its namespace. `run` and `permission` name the code of an endpoint. */
interface DeclaredRoute {
  readonly namespace: string;
  readonly route: string;
  /** Name of its response's schema. */
  readonly schema?: string;
  readonly endpoints: readonly {
    readonly methods: readonly string[];
    readonly run: string;
    readonly permission: string;
    readonly allowBatch?: boolean;
    readonly isWrite?: boolean;
    readonly args: ArgumentSchemas;
  }[];
}

export const NAMESPACES: readonly string[] = declarations.namespaces;

export const STATUSES: Readonly<Record<'writable' | 'listable' | 'media', readonly string[]>> =
  declarations.statuses;

export const ROUTES: readonly DeclaredRoute[] = declarations.routes;

/** Unlike WordPress's, these describe responses too: an entry can be in the trash, and PHP writes empty meta as a list. */
export const SCHEMAS: Readonly<Record<string, JsonObject>> = declarations.schemas;

export const BODIES: Readonly<Record<string, ExtendedOperation>> = declarations.bodies;
