import { extensionOf } from '../../../base/document-extensions.ts';
import { splitNames } from '../../../base/glob.ts';
import { isJsonObject, type Json, jsonItems } from '../../../base/json.ts';
import { lazy } from '../../../base/memoize.ts';
import { toOriginalRoute } from '../../model/naming/namespaces.ts';
import table from './core-rules.json' with { type: 'json' };
import { type ParameterRule, REQUIRED_RULE } from './result.ts';
import type { OperationArgument } from './validator.ts';

export interface OperationKey {
  readonly method: string;
  readonly route: string;
}

/** Compared with running sites. `node scripts/core-rules/main.mjs <version>=<site-url>…` prints the table. */
export const CORE_VERSIONS: readonly string[] = table.versions;

/** The callbacks of other arguments are unknown. @param definition absent for a rule of the whole request */
export function isCoreRule(
  { method, route }: OperationKey,
  { param, rule }: ParameterRule,
  definition: Pick<OperationArgument, 'schema' | 'isRequired'> | undefined,
): boolean {
  const args = findCoreArguments({ method, route });
  if (args === undefined) return false;
  if (param === '') return rule === 'rest_invalid_json';
  const core = args.get(param);
  if (core === undefined || definition === undefined) return false;
  if (rule === REQUIRED_RULE) return core.isRequired && definition.isRequired;
  return core.definitions.includes(describeDefinition(definition.schema));
}

/** Whether WordPress itself registers the endpoint, for the types of content that it has. */
export function isCoreEndpoint(key: OperationKey): boolean {
  return findCoreArguments(key) !== undefined;
}

function findCoreArguments({ method, route }: OperationKey): CoreArguments | undefined {
  return coreEndpoints().get(`${method} ${toOriginalRoute(route)}`);
}

type CoreArguments = ReadonlyMap<
  string,
  { readonly definitions: readonly string[]; readonly isRequired: boolean }
>;

/** `!` marks a required argument, `=` precedes an unusual definition, `&` separates versions, `{id}` is `[\d]+`. */
const coreEndpoints = lazy((): ReadonlyMap<string, CoreArguments> => {
  const usual = new Map<string, string>();
  for (const [definition, names] of Object.entries(table.definitions)) {
    for (const name of names.split(' ')) usual.set(name, definition);
  }
  const endpoints = new Map<string, CoreArguments>();
  for (const [declared, names] of Object.entries(table.endpoints)) {
    const [methods = '', ...routes] = declared.split(' ');
    const args: CoreArguments = new Map(
      splitNames(names).map((word) => {
        const [, name = '', required, own] = /^([^!=]+)(!?)(?:=(.*))?$/.exec(word) ?? [];
        const definitions = (own ?? usual.get(name) ?? '').split('&');
        return [name, { definitions, isRequired: required === '!' }];
      }),
    );
    for (const route of routes) {
      const pattern = route.replaceAll(/\{(\w+)\}/g, '(?P<$1>[\\d]+)');
      for (const method of methods.split(',')) endpoints.set(`${method} ${pattern}`, args);
    }
  }
  return endpoints;
});

/** `integer,minimum=1`, `array<string~>`: an `enum` is `~`, because its values depend on content types. */
export function describeDefinition(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return 'any';
  const { format, items, oneOf, anyOf } = schema;
  const alternatives = [...jsonItems(oneOf), ...jsonItems(anyOf)];
  return [
    describeType(extensionOf(schema, 'type') ?? schema['type']),
    typeof format === 'string' ? `:${format}` : '',
    Array.isArray(schema['enum']) ? '~' : '',
    items === undefined ? '' : `<${describeDefinition(items)}>`,
    ...BOUNDS.flatMap((bound) => (schema[bound] === undefined ? [] : `,${bound}=${String(schema[bound])}`)),
    alternatives.length === 0 ? '' : `,(${alternatives.map(describeDefinition).join('|')})`,
  ].join('');
}

function describeType(type: Json | undefined): string {
  if (typeof type === 'string') return type;
  return Array.isArray(type) ? type.join('|') : 'any';
}

const BOUNDS = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
];
