import * as v from 'valibot';
import { isJsonObject } from '../../base/json.ts';
import type { Network, Rate } from '../../base/option-types.ts';
import { countOf } from '../../base/text.ts';
import { parseNetwork } from '../../gateway/upstream/networks.ts';

type Type<T> = v.GenericSchema<unknown, T>;

type Describe<T> = (text: TemplateStringsArray) => T;

export function setting<T>(type: Type<T>): Describe<v.OptionalSchema<Type<T>, undefined>>;
export function setting<T, const D extends Default>(
  type: Type<T>,
  initial: D,
): Describe<v.OptionalSchema<Type<T>, D>>;
export function setting<T>(type: Type<T>, initial?: Default): Describe<v.OptionalSchema<Type<T>, unknown>> {
  return (text) => v.optional(required(type)(text), initial);
}

type Default = string | number | boolean | object;

export function required<T>(type: Type<T>): Describe<Type<T>> {
  return ([text = '']) => v.pipe(type, v.description(text.trim().replace(/\s*\n\s*/g, ' ')));
}

/** @param title name of the group's TypeScript type */
export function group<const E extends v.ObjectEntries>(
  title: string,
  settings: E,
): Describe<Type<v.InferOutput<v.ObjectSchema<E, undefined>>>> {
  const known = `unknown key; known keys: ${Object.keys(settings).join(', ')}`;
  const type = v.objectWithRest(settings, v.never(known), 'is required');
  return required(v.pipe(OBJECT, type, v.title(title)));
}

/** Valibot's own object type accepts lists. */
const OBJECT: Type<Readonly<Record<string, unknown>>> = v.custom<Readonly<Record<string, unknown>>>(
  isJsonObject,
  expect('a section of settings'),
);

export function record<T>(
  type: Type<T>,
  name: v.GenericSchema<string> = v.string(),
): Type<Record<string, T>> {
  return v.pipe(OBJECT, v.record(name, type));
}

export function list<T>(type: Type<T>, least = 0, message?: string): Type<T[]> {
  const needed = `must have at least ${countOf(least, 'member')}`;
  return v.pipe(v.array(type, expect('a list')), v.minLength(least, message ?? needed));
}

export function either<A, B>(types: readonly [Type<A>, Type<B>], message: string): Type<A | B> {
  return v.union(types, message);
}

export function choice<const T extends string>(...choices: readonly T[]): Type<T> {
  return v.picklist(choices, `must be one of ${choices.map((each) => `"${each}"`).join(', ')}`);
}

const A_DURATION = 'a duration such as 250ms, 30s, 5m or 1h';
const A_SIZE = 'a size such as 500KiB, 64MiB or 1GiB';

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const BYTES = { '': 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 } as const;

export const BOOLEAN: Type<boolean> = v.boolean(expect('true or false'));
export const TEXT: Type<string> = v.string(expect('a text'));
export const NAME: Type<string> = text(1);
export const SECRET: Type<string> = secret(text(16));
/** A path, in a configuration file relative to its folder. */
export const PATH: Type<string> = v.pipe(text(1), v.metadata({ format: 'path' }));
export const WEB_URL: Type<string> = v.pipe(
  v.string('must be an http or https URL'),
  v.check(isHttpUrl, 'must be an http or https URL'),
  v.metadata({ format: 'uri' }),
);

function text(least: number): Type<string> {
  return v.pipe(
    v.string(expect('a text')),
    v.minLength(least, `must have at least ${countOf(least, 'character')}`),
  );
}

export function matching(pattern: RegExp, message: string): v.GenericSchema<string> {
  return v.pipe(v.string(message), v.regex(pattern, message));
}

export function secret<T>(type: Type<T>): Type<T> {
  return v.pipe(type, v.metadata({ writeOnly: true }));
}

export function integer(least: number, most?: number): Type<number> {
  const expected = `a whole number ${most === undefined ? `of at least ${least}` : `from ${least} to ${most}`}`;
  const message = ({ input }: v.BaseIssue<unknown>): string => `must be ${expected}, not ${input}`;
  return v.pipe(
    v.number(expect(expected)),
    v.safeInteger(message),
    v.minValue(least, message),
    v.maxValue(most ?? Number.MAX_SAFE_INTEGER, message),
  );
}

export function share(message: string): Type<number> {
  return v.pipe(v.number(message), v.minValue(0, message), v.maxValue(1, message));
}

export function duration(): Type<number> {
  return parsed('duration', A_DURATION, parseDuration);
}

export function seconds(): Type<number> {
  return v.pipe(
    parsed('seconds', A_DURATION, parseDuration),
    v.transform((milliseconds) => milliseconds / 1_000),
  );
}

export const SIZE: Type<number> = parsed('size', A_SIZE, parseSize);

export const NETWORK: Type<Network> = parsed(
  'network',
  'an IP address or a network such as 10.0.0.0/8 or fd00::/8',
  parseNetwork,
);

const RATE = /^(?:off|([1-9]\d{0,8})\/([1-9]\d{0,3})?([smhd]))$/u;

export const LIMIT: Type<Rate> = v.pipe(
  matching(
    RATE,
    'must be a number of requests per second, minute, hour or day, such as 100/m or 20/10s; or off',
  ),
  v.metadata({ format: 'rate' }),
  v.transform(parseRate),
);

function parsed<T>(format: string, noun: string, parse: (text: string) => T | undefined): Type<T> {
  return v.pipe(
    v.string(expect(noun)),
    v.metadata({ format }),
    v.rawTransform(({ addIssue, dataset: { value: text }, NEVER }) => {
      const value = parse(text);
      if (value !== undefined) return value;
      addIssue({ message: `"${text}" is not ${noun}` });
      return NEVER;
    }),
  );
}

function parseRate(text: string): Rate {
  const [, requests, factor = '1', unit] = RATE.exec(text) ?? [];
  if (requests === undefined) return null;
  return {
    ofNetwork: Number(requests),
    window: Number(factor) * MILLISECONDS[unit as keyof typeof MILLISECONDS],
  };
}

/** `250ms`, `30s`, `5m`, `1h`, `1d` in milliseconds; `undefined` for another text */
function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  const unit = match?.[2] as keyof typeof MILLISECONDS | undefined;
  if (!match?.[1] || unit === undefined) return undefined;
  const milliseconds = Number(match[1]) * MILLISECONDS[unit];
  // Node's timers hold 31 bits. A longer delay would fire at once.
  return milliseconds <= 0x7fff_ffff ? milliseconds : undefined;
}

/** `500KiB`, `64MiB`, `1GiB` or a plain number in bytes; `undefined` for another text */
function parseSize(text: string): number | undefined {
  const match = /^(\d{1,9})(kib|mib|gib|)$/i.exec(text.trim());
  if (match?.[1] === undefined) return undefined;
  return Number(match[1]) * BYTES[(match[2] ?? '').toLowerCase() as keyof typeof BYTES];
}

export const JSON_SCHEMA: Type<object> = v.pipe(
  v.custom<object>(isJsonObject, 'must be a JSON Schema: an object'),
  v.metadata({ type: 'object' }),
);

/** The message omits the value, which can be secret. */
function expect(expected: string): (issue: v.BaseIssue<unknown>) => string {
  return ({ input }) => {
    const found = Array.isArray(input) ? 'array' : input === null ? 'null' : typeof input;
    return `must be ${expected}, not ${NOUNS[found] ?? found}`;
  };
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a section of settings',
  null: 'nothing',
  undefined: 'nothing',
};

/** Refuses white space, because `URL` silently removes line breaks and tabs. */
function isHttpUrl(text: string): boolean {
  return !/[\s\p{Cc}]/u.test(text) && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
