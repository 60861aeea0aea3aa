import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { isJsonObject, type Json, ownMember } from '../json.ts';
import { GENERATE, SERVE } from './schema.ts';

/** A setting as JSON Schema. */
export interface Setting {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: Json;
  readonly default?: Json;
  /** `duration` becomes milliseconds, `seconds` seconds, `size` bytes. A `path` is relative to the folder of its file. */
  readonly format?: string;
  /** Whether the value is a secret, which is never printed. */
  readonly writeOnly?: boolean;
  readonly required?: readonly string[];
  readonly items?: Setting;
  readonly properties?: Readonly<Record<string, Setting>>;
  readonly additionalProperties?: Setting | false;
  readonly anyOf?: readonly Setting[];
}

/** The JSON Schema of the configuration of `waygate serve`, and of that of `waygate generate`. */
export const SETTINGS: Readonly<Record<'serve' | 'generate', Setting>> = {
  serve: describeType(SERVE),
  generate: describeType(GENERATE),
};

function describeType(type: v.GenericSchema): Setting {
  // Its types allow `true` and `false` in the place of any schema, and lists of types, which no setting has.
  return toJsonSchema(type, {
    target: 'draft-2020-12',
    errorMode: 'ignore',
    overrideSchema: ({ jsonSchema, valibotSchema }) =>
      valibotSchema.type === 'object_with_rest' ? { ...jsonSchema, additionalProperties: false } : undefined,
  }) as Setting;
}

/** A configuration whose texts refer to nothing any more. */
export interface ResolvedReferences {
  /** A text that refers to what is missing is `undefined`. */
  readonly value: unknown;
  /** One sentence for each missing reference, by its location: `admin.token`. */
  readonly errors: ReadonlyMap<string, string>;
}

type ReadSettings<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly string[] };

/**
 * Validates a value and fills in the defaults. Durations become milliseconds or seconds, and sizes bytes.
 *
 * @param input parsed JSON or YAML, or the export of a module; unchecked, with the errors of what its texts refer to
 * @param root name of the whole value, for the messages
 * @returns the value, or one sentence for each error that begins with its location: `sites[0].url: …`
 */
export function readSettings<T>(
  { errors: missing, value: input }: ResolvedReferences,
  type: v.GenericSchema<unknown, T>,
  root: string,
): ReadSettings<T> {
  const read = v.safeParse(type, input, { abortPipeEarly: true });
  if (read.success && missing.size === 0) return { ok: true, value: read.output };
  const found = (read.issues ?? [])
    .flatMap((issue) => selectIssues(issue))
    .map(({ message, path }) => [writePath(path), message] as const);
  const errors = [...missing, ...found.filter(([place]) => !missing.has(place))];
  return { ok: false, errors: errors.map(([place, message]) => `${place || root}: ${message}`) };
}

/** Of an object and of a list, the errors say more than that it fits none of several types. */
function selectIssues(
  issue: v.BaseIssue<unknown>,
  outer: readonly (string | number)[] = [],
): readonly { message: string; path: readonly (string | number)[] }[] {
  const { issues = [], message } = issue;
  const path = [
    ...outer,
    ...(issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key))),
  ];
  const inner = issues.filter((each) => each.path !== undefined);
  return inner.length === 0 ? [{ message, path }] : inner.flatMap((each) => selectIssues(each, path));
}

/** The members of a setting, which can be of several types. */
export function findMembers({
  anyOf = [],
  ...setting
}: Setting): Pick<Setting, 'additionalProperties' | 'items' | 'properties'> {
  const types = [setting, ...anyOf];
  return Object.assign(
    {},
    types.find(({ items }) => items),
    types.find(({ properties, additionalProperties }) => properties ?? additionalProperties),
  );
}

/** Writes a path as messages do: `sites[0].url`. */
export function writePath(path: ListedSetting['path']): string {
  return path
    .map((name, at) => (typeof name === 'number' ? `[${name}]` : `${at === 0 ? '' : '.'}${name}`))
    .join('');
}

/** A value of a configuration that contains no further settings. */
export interface ListedSetting {
  /** Names and positions that lead to it. */
  readonly path: readonly (string | number)[];
  readonly setting: Setting;
  /** As stated, or the default: durations and sizes are texts. */
  readonly value: unknown;
}

/** Lists what a configuration states, and the defaults of the rest. */
export function* listSettings(
  input: unknown,
  setting: Setting,
  path: ListedSetting['path'] = [],
): Generator<ListedSetting> {
  const value = input === undefined ? setting.default : input;
  if (value === undefined) return;
  const { additionalProperties, items, properties = {} } = findMembers(setting);
  if (Array.isArray(value) && value.length > 0) {
    for (const [at, item] of value.entries()) yield* listSettings(item, items ?? {}, [...path, at]);
  } else if (isJsonObject(value) && Object.keys({ ...value, ...properties }).length > 0) {
    for (const name of new Set([...Object.keys(value), ...Object.keys(properties)]))
      yield* listSettings(value[name], ownMember(properties, name) ?? (additionalProperties || {}), [
        ...path,
        name,
      ]);
  } else yield { path, setting, value };
}
