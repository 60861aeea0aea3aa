import { countOf } from '../count-of.ts';
import { isJsonObject, mapMembers, ownMember } from '../json.ts';
import OPTIONS from '../options.json' with { type: 'json' };
import REMOVED from '../removed.json' with { type: 'json' };
import { expandSetting, type Setting, type StatedSetting } from './setting-notation.ts';

const SECTIONS: Readonly<Record<string, Setting>> = {
  serve: expandSetting(OPTIONS.serve),
  generate: expandSetting(OPTIONS.generate),
};
const DEFINITIONS = mapMembers<StatedSetting, Setting>(OPTIONS.$defs, (_, stated) => expandSetting(stated));

/** Finds a setting by the names that lead to it, those of members of lists included: `serve.sites.upstream.host`. */
export function findSetting(path: string): Setting {
  const [root = '', ...names] = path.split('.');
  const start = root === '$defs' ? { properties: DEFINITIONS } : SECTIONS[root];
  return names.reduce(
    (setting, name) => resolve((setting.items ?? setting).properties?.[name] ?? {}),
    start ?? {},
  );
}

/** A setting with what it refers to. Its own keywords have precedence. */
export function resolve({ $ref, ...own }: Setting): Setting {
  return $ref === undefined ? own : { ...resolve(DEFINITIONS[$ref.replace('#/$defs/', '')] ?? {}), ...own };
}

export function describeSetting({ description = '', env, unset }: Setting): string {
  const sentences = [
    ...(description === '' ? [] : [description]),
    ...(unset === undefined ? [] : [`Unset: ${unset}.`]),
    ...(env === undefined ? [] : [`Prefer the environment: ${env}.`]),
  ];
  return sentences.join(' ');
}

/** Keywords that are not of JSON Schema, or that the schema has in another form. */
const OWN_KEYWORDS =
  /^(?:atLeast|atMost|env|inPrograms|internal|isPath|items|keyword|message|properties|title|tooFew|unit|unset)$/;

/** Returns the JSON Schema of a setting and those below it, without our own keywords. */
export function toJsonSchema(stated: Setting): object {
  const setting = resolve(stated);
  const { anyOf, items, properties } = setting;
  const description = describeSetting(setting);
  return {
    ...Object.fromEntries(Object.entries(setting).filter(([name]) => !OWN_KEYWORDS.test(name))),
    ...(description === '' ? {} : { description }),
    ...(items && { items: toJsonSchema(items) }),
    ...(anyOf && { anyOf: anyOf.map(toJsonSchema) }),
    ...(properties && {
      properties: mapMembers(properties, (_, member) => toJsonSchema(member)),
      additionalProperties: false,
    }),
  };
}

/**
 * Validates a value and fills in the defaults. Durations become milliseconds or seconds, and sizes bytes.
 *
 * @param input parsed JSON or YAML, or the export of a module; unchecked, with the errors of what its texts refer to
 * @param root name of the whole value, for the messages
 * @returns the value, and one sentence for each error that begins with its location: `sites[0].url: …`
 */
export function readSettings(
  { errors: missing, value: input }: ResolvedReferences,
  setting: Setting,
  root: string,
): { readonly value: unknown; readonly errors: readonly string[] } {
  const errors = Array.from(missing, ([path, message]) => `${path}: ${message}`);
  const value = read(input, setting, '', (path, message) => {
    if (!missing.has(path)) errors.push(`${path || root}: ${message}`);
  });
  return { value, errors };
}

/** A configuration whose texts refer to nothing any more. */
export interface ResolvedReferences {
  /** A text that refers to what is missing is `undefined`. */
  readonly value: unknown;
  /** One sentence for each missing reference, by its location: `admin.token`. */
  readonly errors: ReadonlyMap<string, string>;
}

type Report = (path: string, message: string) => void;

function read(input: unknown, stated: Setting, path: string, report: Report): unknown {
  const setting = resolve(stated);
  const value = input === undefined ? setting.default : input;
  const { anyOf, enum: choices, message } = setting;
  const alternatives = setting.type === undefined ? (anyOf ?? []) : [];
  if (alternatives.length > 0) {
    const fits = (one: Setting): boolean => {
      let isValid = true;
      read(value, one, path, () => {
        isValid = false;
      });
      return isValid;
    };
    // Of an object and of a list, the errors say more than that it fits nothing.
    const isStructure = typeof value === 'object' && value !== null;
    const chosen =
      alternatives.find(fits) ??
      (isStructure ? alternatives.find((one) => resolve(one).type === typeOf(value)) : undefined);
    if (chosen !== undefined) return read(value, chosen, path, report);
    report(path, message ?? `must be ${alternatives.map(describeExpected).join(', or ')}`);
    return undefined;
  }
  const type = typeOf(value);
  const isOfType = type === setting.type || (type === 'integer' && setting.type === 'number');
  const isTyped = setting.const === undefined ? isOfType : value === setting.const;
  if (choices !== undefined && !(isTyped && choices.includes(String(value)))) {
    report(path, message ?? `must be ${describeExpected(setting)}`);
  } else if (!isTyped) {
    report(path, message ?? `must be ${describeExpected(setting)}, not ${NOUNS[type] ?? type}`);
  } else if (Array.isArray(value)) return readList(value, setting, path, report);
  else if (isJsonObject(value)) return readObject(value, setting, path, report);
  else if (typeof value === 'string') return readText(value, setting, path, report);
  else if (typeof value === 'number') checkNumber(value, setting, path, report);
  return value;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isSafeInteger(value) ? 'integer' : typeof value;
}

/** Says what to write: `a whole number from 0 to 65535`, `one of "json", "text"`. */
function describeExpected(stated: Setting): string {
  const setting = resolve(stated);
  const { const: only, enum: choices, maximum, minimum, type = '', unit } = setting;
  if (only !== undefined) return JSON.stringify(only);
  if (choices !== undefined) return `one of ${choices.map((each) => `"${each}"`).join(', ')}`;
  const noun = NOUNS[unit ?? type] ?? type;
  if (minimum === undefined) return maximum === undefined ? noun : `${noun} of at most ${maximum}`;
  return maximum === undefined ? `${noun} of at least ${minimum}` : `${noun} from ${minimum} to ${maximum}`;
}

function readList(values: readonly unknown[], setting: Setting, path: string, report: Report): unknown {
  const { items = {}, minItems = 0, tooFew } = setting;
  if (values.length < minItems) {
    report(path, tooFew ?? `must have at least ${countOf(minItems, 'member')}`);
  }
  return values.map((value, at) => read(value, items, `${path}[${at}]`, report));
}

function readObject(
  value: Readonly<Record<string, unknown>>,
  { additionalProperties, anyOf, message, properties = {}, required = [] }: Setting,
  path: string,
  report: Report,
): unknown {
  const names = Object.keys(properties);
  if (additionalProperties === undefined && names.length === 0) {
    checkSchema(value, path, report);
    return value;
  }
  const present = Object.keys(value).filter((name) => value[name] !== undefined);
  const unknown = present.filter((name) => !Object.hasOwn(properties, name));
  const members: [string, unknown][] = [];
  const readMember = (name: string, setting: Setting): void => {
    const place = path === '' ? name : `${path}.${name}`;
    members.push([name, read(value[name], setting, place, report)]);
  };
  if (additionalProperties !== undefined) for (const name of unknown) readMember(name, additionalProperties);
  else {
    for (const name of unknown) {
      const place = path === '' ? name : `${path}.${name}`;
      const replacement = ownMember(REMOVED.settings, place.replace(/\[\d+\]/g, ''));
      report(
        place,
        replacement === undefined
          ? `unknown key; known keys: ${names.join(', ')}`
          : `was removed: ${replacement}`,
      );
    }
  }
  for (const name of names) {
    const setting = resolve(properties[name] ?? {});
    const isNeeded = required.includes(name) || setting.default !== undefined;
    if (isNeeded || present.includes(name)) readMember(name, setting);
  }
  const isComplete = (one: Setting): boolean => one.required?.every((name) => present.includes(name)) ?? true;
  if (anyOf?.some(isComplete) === false)
    report(
      path,
      message ?? `must have ${anyOf.map((one) => (one.required ?? []).join(' and ')).join(', or ')}`,
    );
  return Object.fromEntries(members);
}

const SCHEMA_TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** Reports what would make a JSON Schema, or one within it, mean any value without a word. */
function checkSchema(schema: unknown, path: string, report: Report): void {
  if (typeof schema === 'boolean') return;
  if (!isJsonObject(schema)) {
    report(path, 'must be a JSON Schema: an object');
    return;
  }
  const { type, enum: values, properties, items, additionalProperties } = schema;
  const known = SCHEMA_TYPES.map((name) => `"${name}"`).join(', ');
  for (const name of type === undefined ? [] : [type].flat()) {
    if (SCHEMA_TYPES.includes(String(name))) continue;
    report(`${path}.type`, `must be one of ${known}`);
  }
  if (values !== undefined && !Array.isArray(values)) report(`${path}.enum`, 'must be a list of values');
  for (const [name, member] of Object.entries(isJsonObject(properties) ? properties : {})) {
    checkSchema(member, `${path}.properties.${name}`, report);
  }
  if (items !== undefined) checkSchema(items, `${path}.items`, report);
  if (additionalProperties !== undefined) {
    checkSchema(additionalProperties, `${path}.additionalProperties`, report);
  }
}

function readText(text: string, setting: Setting, path: string, report: Report): unknown {
  const { atLeast = '', atMost = '', format, message, minLength = 0, pattern, unit } = setting;
  if (unit !== undefined) {
    const amount = unit === 'bytes' ? parseSize(text) : parseDuration(text);
    if (amount === undefined) report(path, `"${text}" is not ${NOUNS[unit]}`);
    else if (amount < (parseDuration(atLeast) ?? 0)) report(path, `must be at least ${atLeast}`);
    else if (amount > (parseDuration(atMost) ?? Number.POSITIVE_INFINITY)) {
      report(path, `must be at most ${atMost}`);
    }
    return unit === 's' && amount !== undefined ? amount / 1_000 : amount;
  }
  if (text.length < minLength) {
    report(path, message ?? `must have at least ${countOf(minLength, 'character')}`);
  } else if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) {
    report(path, message ?? `must match the pattern ${pattern}`);
  } else if (format === 'uri' && !isHttpUrl(text))
    report(path, message ?? 'must be a URL such as https://example.com');
  return text;
}

/** `URL` removes line breaks and tabs, of which nobody means one. */
function isHttpUrl(text: string): boolean {
  return !/[\s\p{Cc}]/u.test(text) && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function checkNumber(value: number, setting: Setting, path: string, report: Report): void {
  const { maximum = value, minimum = value, message } = setting;
  if (value >= minimum && value <= maximum) return;
  report(path, message ?? `must be ${describeExpected(setting)}, not ${value}`);
}

const DURATION = 'a duration such as 250ms, 30s, 5m or 1h';
/** What a text of each kind is, for messages: by units, and `integer` of options. */
export const NOUNS: Readonly<Record<string, string>> = {
  ms: DURATION,
  s: DURATION,
  bytes: 'a size such as 500KiB, 64MiB or 1GiB',
  rate: 'a rate such as 10/s or 0.5/s',
  integer: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a section of settings',
  null: 'nothing',
  undefined: 'nothing',
};

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const BYTES = { '': 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 } as const;

/**
 * Parses a duration such as `250ms`, `30s`, `5m`, `1h` or `1d`.
 *
 * @returns milliseconds; `undefined` if the text is not a duration or has no unit
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  const unit = match?.[2] as keyof typeof MILLISECONDS | undefined;
  if (!match?.[1] || unit === undefined) return undefined;
  const milliseconds = Number(match[1]) * MILLISECONDS[unit];
  // Node's timers hold 31 bits. A longer delay would fire at once.
  return milliseconds <= 0x7fff_ffff ? milliseconds : undefined;
}

/**
 * Parses a size such as `500KiB`, `64MiB`, `1GiB`, or a plain number of bytes.
 *
 * @returns bytes; `undefined` if the text is not a size
 */
export function parseSize(text: string): number | undefined {
  const match = /^(\d{1,9})(kib|mib|gib|)$/i.exec(text.trim());
  if (match?.[1] === undefined) return undefined;
  return Number(match[1]) * BYTES[(match[2] ?? '').toLowerCase() as keyof typeof BYTES];
}
