import { resolve as resolvePath } from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { messageOf } from '../../base/errors.ts';
import { isJsonObject, type Json, mapMembers, ownMember } from '../../base/json.ts';
import { adviseNearest, createNearestLookup } from '../../base/nearest-name.ts';
import type { Config, RedisOptions } from '../../base/option-types.ts';
import { readUserFile } from '../../base/read-file.ts';
import { hideWrongValue, listConflicts } from './conflicts.ts';
import { GENERATE, SERVE } from './schema.ts';

export interface Setting {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: Json;
  readonly default?: Json;
  /** `duration` becomes milliseconds, `size` bytes. A `path` is relative to the folder of its file. */
  readonly format?: string;
  readonly writeOnly?: boolean;
  readonly required?: readonly string[];
  readonly items?: Setting;
  readonly properties?: Readonly<Record<string, Setting>>;
  readonly additionalProperties?: Setting | false;
  readonly anyOf?: readonly Setting[];
}

export const SETTINGS: Readonly<Record<'serve' | 'generate', Setting>> = {
  serve: describeType(SERVE),
  generate: describeType(GENERATE),
};

function describeType(type: v.GenericSchema): Setting {
  // The library's type also allows `true` as a schema and lists of types, which settings don't use.
  return toJsonSchema(type, {
    target: 'draft-2020-12',
    errorMode: 'ignore',
    overrideSchema: ({ jsonSchema, valibotSchema }) =>
      valibotSchema.type === 'object_with_rest' ? { ...jsonSchema, additionalProperties: false } : undefined,
  }) as Setting;
}

export interface ResolvedReferences {
  /** A text with a missing variable or file is `undefined`. */
  readonly value: unknown;
  /** A sentence for each missing reference, by location, e.g. `admin.token`. */
  readonly errors: ReadonlyMap<string, string>;
}

type ReadSettings<T> =
  | { readonly ok: true; readonly value: T }
  /** Whoever reads a wrong value of `readable` gets an exception. */
  | { readonly ok: false; readonly errors: readonly string[]; readonly readable?: T };

/** Fills in defaults and converts amounts. @param root name of the whole value in messages */
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
  const wrong = (read.issues ?? []).map(({ path = [] }) => path.map(({ key }) => String(key)));
  for (const path of [...wrong, ...Array.from(missing.keys(), (place) => place.match(/[^.[\]]+/g) ?? [])])
    hideWrongValue(read.output, path);
  const sentences = errors.map(([place, message]) => `${place || root}: ${message}`);
  return { ok: false, errors: sentences, ...(isJsonObject(read.output) && { readable: read.output as T }) };
}

/** If a value fits none of several types, errors inside it say more than that. */
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
  return inner.length === 0
    ? [{ message: adviseOnKey(message, path), path }]
    : inner.flatMap((each) => selectIssues(each, path));
}

/** By path without positions in lists: `sites.name`. */
const REMOVED: Readonly<Record<string, string>> = {
  from: '"document" names the file',
  'sites.from': '"document" names the file',
  tls: 'Caddy or nginx in front of the gateway serves HTTPS (deploy/caddy, deploy/nginx); set "publicUrl" and "trust"',
  'sites.mcp.limits':
    'a rule of "limits" with "match: /mcp" (/-/mcp with passthrough) limits messages of agents',
  'cache.redisAway': 'while Redis is away, requests are forwarded (docs/operators/caching.md)',
  'sites.cache.device': 'a rule with "keyHeaders: [User-Agent, Sec-CH-UA-Mobile]" selects content by device',
  'sites.rewriteBodies':
    '"upstream.host" names the public host, so that the site writes the right addresses itself; for a trial, the hosts file leads it to the gateway (docs/operators/whole-site.md)',
  'sites.errorPages': 'middleware answers with your own pages (examples/hono/error-pages.config.ts)',
};

/** Suggests the nearest known key, or lists all known keys. */
function adviseOnKey(message: string, path: ListedSetting['path']): string {
  const [, known] = /^unknown key; known keys: (.*)$/.exec(message) ?? [];
  if (known === undefined) return message;
  const instead = ownMember(REMOVED, path.filter((name) => typeof name === 'string').join('.'));
  if (instead !== undefined) return `was removed: ${instead}`;
  const nearest = createNearestLookup(known.split(', '))(String(path.at(-1)));
  return nearest === undefined ? message : `unknown key${adviseNearest(nearest)}`;
}

/** A setting can be of several types. */
function findMembers({
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

/** `sites[0].url` */
export function writePath(path: ListedSetting['path']): string {
  return path
    .map((name, at) => (typeof name === 'number' ? `[${name}]` : `${at === 0 ? '' : '.'}${name}`))
    .join('');
}

/** A value that contains no further settings. */
export interface ListedSetting {
  readonly path: readonly (string | number)[];
  readonly setting: Setting;
  /** The stated value or the default, unconverted: `"5m"`. */
  readonly value: unknown;
}

/** Lists stated values, and the defaults of unset settings. */
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

export interface ReferenceSource {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Replaces variables and file references in a configuration, and makes its paths absolute.
 * - `${NAME}`: the environment variable; an error if it is not set. Without other text, it can stand for a number or a Boolean.
 * - `${NAME:-text}`: the same; `text` if it is not set or empty
 * - `$${NAME}`: `${NAME}`, unchanged
 * - `file:path`: the content of the file, without its final line break
 * @param input unchecked content of the file
 */
export function resolveReferences(
  input: unknown,
  setting: Setting,
  source: ReferenceSource,
): ResolvedReferences {
  const errors = new Map<string, string>();
  const value = resolveValue(input, setting, '', source, errors);
  return { value, errors };
}

function resolveValue(
  input: unknown,
  setting: Setting,
  path: string,
  source: ReferenceSource,
  errors: Map<string, string>,
): unknown {
  if (typeof input === 'string') {
    try {
      return resolveText(input, setting, source);
    } catch (error) {
      errors.set(path, messageOf(error));
      return undefined;
    }
  }
  const { additionalProperties, items = {}, properties = {} } = findMembers(setting);
  if (Array.isArray(input))
    return input.map((item, at) => resolveValue(item, items, `${path}[${at}]`, source, errors));
  if (!isJsonObject(input)) return input;
  return mapMembers(input, (name, value) => {
    const member = ownMember(properties, name) ?? (additionalProperties || {});
    return resolveValue(value, member, path === '' ? name : `${path}.${name}`, source, errors);
  });
}

/** Environment variables (`${NAME}`) or the file (`file:path`) in a text. */
export function listReferences(text: string): readonly string[] {
  if (text.startsWith('file:')) return [text];
  return (text.match(/(?<!\$)\$\{\w+/g) ?? []).map((start) => `${start}}`);
}

export function trimLineBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function resolveText(text: string, setting: Setting, source: ReferenceSource): unknown {
  const { env, folder } = source;
  if (text.startsWith('file:')) {
    return trimLineBreak(readUserFile(resolvePath(folder, text.slice('file:'.length))));
  }
  const replaced = trimLineBreak(
    text.replace(/\$(\$?)\{([^}]*\}?)/g, (reference, escaped: string, body: string) =>
      escaped === '' ? readVariable(body, env) : reference.slice(1),
    ),
  );
  if (setting.format === 'path') return replaced === '' ? replaced : resolvePath(folder, replaced);
  return /^\$\{[^}]*\}$/.test(text) ? convert(replaced, setting) : replaced;
}

function readVariable(body: string, env: ReferenceSource['env']): string {
  const [, name = '', fallback] = /^([A-Za-z_]\w*)(?::-(.*))?\}$/s.exec(body) ?? [];
  if (fallback?.includes('${') === true)
    throw new Error(`the default of \${${name}} must not contain a variable`);
  if (name === '') {
    throw new Error(`\${${body} is not a variable; write $\${${body} for the literal text`);
  }
  const value = env[name];
  if (fallback !== undefined) return value || fallback;
  if (value !== undefined) return value;
  throw new Error(`the environment variable ${name} is not set; \${${name}:-text} gives it a default`);
}

function convert(text: string, { type }: Setting): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}

type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly errors: readonly string[]; readonly readable: Config | undefined };

/** @param missing errors of references, by location @returns a sentence for each error, or the settings */
export function readConfig(input: unknown, missing: ResolvedReferences['errors'] = new Map()): ConfigResult {
  const read = readSettings({ value: input, errors: missing }, SERVE, 'the configuration');
  const readable = read.ok ? read.value : read.readable;
  const errors = [...(read.ok ? [] : read.errors), ...(readable ? listConflicts(readable) : [])];
  return read.ok && errors.length === 0 ? { ok: true, config: read.value } : { ok: false, errors, readable };
}

/** `off`, `memory`, or the server of `redis` or of `cache.store`. */
export function locateStore({ cache: { store }, redis }: Config): 'off' | 'memory' | RedisOptions {
  if (store === 'off') return 'off';
  const server = store === 'memory' ? redis : store;
  if (server === undefined) return 'memory';
  return typeof server === 'string' ? { url: server } : server;
}
