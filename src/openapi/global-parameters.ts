import type { JsonObject } from '../json.ts';
import type { ComponentRegistry } from './component-registry.ts';

/**
 * A query parameter that every route accepts and no route declares. `_jsonp`, `_method`, `_wpnonce` and `rest_route` are
 * not listed: they change the meaning of a request, and the gateway interprets them.
 */
interface GlobalParameter {
  readonly name: string;
  readonly methods: ReadonlySet<string>;
  readonly parameter: JsonObject;
}

const READ_AND_WRITE: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH']);
const READ_WRITE_AND_DELETE: ReadonlySet<string> = new Set([...READ_AND_WRITE, 'DELETE']);
const ALL_METHODS: ReadonlySet<string> = new Set([...READ_WRITE_AND_DELETE, 'HEAD', 'OPTIONS', 'TRACE']);

const GLOBAL_PARAMETERS: readonly GlobalParameter[] = [
  {
    name: '_fields',
    methods: READ_WRITE_AND_DELETE,
    parameter: {
      name: '_fields',
      in: 'query',
      description: 'Return only these fields; dots select nested ones: `id,title.rendered`.',
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { type: 'string' } },
    },
  },
  {
    name: '_embed',
    methods: READ_AND_WRITE,
    parameter: {
      name: '_embed',
      in: 'query',
      description: 'Embed linked resources under `_embedded`: `true` for all, or the relations to embed.',
      style: 'form',
      explode: false,
      // rest_parse_embed_param(): `true`, `1` and an empty value select all relations.
      schema: {
        anyOf: [{ type: 'boolean' }, { type: 'string' }, { type: 'array', items: { type: 'string' } }],
      },
    },
  },
  {
    name: '_envelope',
    methods: ALL_METHODS,
    parameter: {
      name: '_envelope',
      in: 'query',
      description: 'Respond 200 with `{ body, status, headers }`, for clients that cannot read headers.',
      // WP_REST_Server::serve_request() tests only whether the parameter is present: `_envelope=0` has the same effect.
      schema: { type: 'boolean', enum: [true] },
    },
  },
  {
    name: '_locale',
    methods: ALL_METHODS,
    parameter: {
      name: '_locale',
      in: 'query',
      description: "`user` selects the language of the user's profile.",
      schema: { type: 'string', enum: ['user'] },
    },
  },
];

/** The names of the global parameters: a parameter of this name in the document is not an argument of the route. */
export const GLOBAL_PARAMETER_NAMES: ReadonlySet<string> = new Set(GLOBAL_PARAMETERS.map(({ name }) => name));

/** References to the global parameters of a method, without those that the route declares. */
export function createGlobalParameterReferences(
  method: string,
  declared: ReadonlySet<string>,
  components: ComponentRegistry,
): readonly JsonObject[] {
  return GLOBAL_PARAMETERS.filter(({ name, methods }) => methods.has(method) && !declared.has(name)).map(
    ({ name, parameter }) => components.registerComponent('parameters', name, parameter),
  );
}
