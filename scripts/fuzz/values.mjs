// @ts-check
import { textFor } from './patterns.mjs';

/**
 * @typedef {import('./random.mjs').Random} Random
 * @typedef {null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }} Json
 * @typedef {{ readonly [keyword: string]: Json }} Schema in WordPress's mix of JSON Schema drafts 3 and 4
 */

/** Edge cases of numbers, booleans, lists, dates, addresses and names in PHP. */
const EDGE_CASES = [
  ...['', ' ', '0', '1', '-1', '00', '-0', '+5', '1.0', '1.', '.5', '1e2', '1e', '1E400', ' 7', '7 ', '7 8'],
  ...['0x1A', '0b1', 'INF', 'NaN', '9223372036854775808', '1_000', '٣', 'true', 'TRUE', 'False', 'yes'],
  ...['on', 'null', 'NULL', 'undefined', 'Array', '[object Object]', '{}', '[]', '{"raw":"x"}', 'a', 'a,b'],
  ...[' a , b ', ',', ',,', '1,2', '1,x', 'a b', '2020-01-01', '2020-01-01T00:00:00', '2020-13-01 00:00:00'],
  ...['2020-02-30T10:00:00Z', 'yesterday', '#fff', '#ffff', 'a@b.co', 'a@b', '::1', '1.2.3', 'http://a/b'],
  ...['javascript:alert(1)', '../../etc/passwd', "' OR 1=1 --", '<script>x</script>', '%41', 'a%00b', 'ä'],
  ...[
    '😀',
    'e\u0301',
    '\u00a0',
    '\u200b',
    '\t',
    '\n',
    'x\ny',
    '\u0000',
    '__proto__',
    'constructor',
    'publish',
  ],
  ...['any', 'inherit', 'trash', 'private', 'x'.repeat(300)],
];

/** Values that are valid for one type and invalid for most others. */
/** @type {readonly Json[]} */
const TYPED_VALUES = [
  ...[0, 1, -1, 2, 0.5, 1.5, 1e20, 9007199254740992, true, false, null],
  ...[[], {}, [[]], [{}], ['a'], [1, 'x', null], { a: 1 }, { 0: 'a', 1: 'b' }, { 1: 'a' }, [1, 1]],
  ...[{ raw: 'x' }, { raw: 5 }, { rendered: 'x' }, [null], { a: { b: { c: [1, { d: null }] } } }],
];

/** @param {Random} random @returns {Json} */
export function anyValue(random) {
  return random.chance(0.6) ? random.pick(EDGE_CASES) : random.pick(TYPED_VALUES);
}

/** Returns a value that is meant to conform to the schema. @param {Schema} schema @param {Random} random @returns {Json} */
export function validValue(schema, random) {
  const allowed = listOf(schema['enum']);
  if (allowed.length > 0) return random.pick(allowed);
  const members = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])].filter(isSchema);
  if (members.length > 0) {
    const { oneOf: _, anyOf: __, ...rest } = schema;
    return validValue({ ...rest, ...random.pick(members) }, random);
  }
  const types = typeof schema['type'] === 'string' ? [schema['type']] : listOf(schema['type']);
  const type = types.length === 0 ? 'string' : random.pick(types);
  const generate = typeof type === 'string' ? new Map(Object.entries(VALID)).get(type) : undefined;
  return generate === undefined ? random.pick(['a', '1', 'b c']) : generate(schema, random);
}

/** @type {Record<string, (schema: Schema, random: Random) => Json>} */
const VALID = {
  integer(schema, random) {
    const minimum = numberOf(schema['minimum']) ?? 0;
    const maximum = Math.min(numberOf(schema['maximum']) ?? minimum + 60, minimum + 60);
    const value = random.integer(Math.ceil(minimum), Math.floor(maximum));
    return random.pick([value, value, String(value), ` ${value}`, `${value}.0`]);
  },
  number(schema, random) {
    const minimum = numberOf(schema['minimum']) ?? 0;
    return random.pick([minimum + 1, minimum + 0.5, String(minimum + 0.25), `${minimum + 1} `]);
  },
  boolean: (_, random) => random.pick([true, false, 'true', 'false', '1', '0', 1, 0, 'TRUE']),
  null: () => null,
  string(schema, random) {
    const formats = new Map(Object.entries(FORMATS)).get(String(schema['format']));
    if (formats !== undefined) return random.pick(formats);
    if (typeof schema['pattern'] === 'string') return textFor(schema['pattern'], random);
    const minimum = numberOf(schema['minLength']) ?? 0;
    const maximum = numberOf(schema['maxLength']) ?? Number.POSITIVE_INFINITY;
    return random.pick(['hello', 'a', 'b c', 'ünï', 'en_US', 'x-1']).padEnd(minimum, 'x').slice(0, maximum);
  },
  array(schema, random) {
    const items = isSchema(schema['items']) ? schema['items'] : {};
    const minimum = numberOf(schema['minItems']) ?? 0;
    const maximum = Math.min(numberOf(schema['maxItems']) ?? minimum + 3, minimum + 3);
    const list = Array.from({ length: random.integer(minimum, maximum) }, () => validValue(items, random));
    const scalars = list.every((item) => typeof item === 'string' || typeof item === 'number');
    return scalars && random.chance(0.3) ? list.join(random.pick([',', ', ', ' '])) : list;
  },
  object(schema, random) {
    const properties = isSchema(schema['properties']) ? Object.entries(schema['properties']) : [];
    const required = new Set(listOf(schema['required']));
    const chosen = properties.filter(
      ([name, member]) =>
        required.has(name) || (isSchema(member) && member['required'] === true) || random.chance(0.4),
    );
    return Object.fromEntries(
      chosen.map(([name, member]) => [name, validValue(isSchema(member) ? member : {}, random)]),
    );
  },
};

/** @type {Record<string, readonly string[]>} */
const FORMATS = {
  'date-time': [
    '2020-01-02T03:04:05',
    '2020-01-02 03:04:05',
    '2024-06-30T10:00:00Z',
    '2020-01-02T03:04:05+02:00',
  ],
  email: ['a@example.com', "o'x+y@sub.example.com"],
  uri: ['https://example.com/x?y=1', 'http://example.com'],
  ip: ['127.0.0.1', '::1', 'fe80::1:2'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000'],
  'hex-color': ['#fff', '#A1b2C3'],
};

/** Returns a value close to the boundary between valid and invalid. @param {Schema} schema @param {Random} random @returns {Json} */
export function nearValue(schema, random) {
  const candidates = BOUNDARY_VALUES.flatMap((generate) => generate(schema, random));
  return candidates.length === 0 || random.chance(0.15) ? anyValue(random) : random.pick(candidates);
}

/** Generators of boundary values; each returns an empty list for schemas that it does not apply to. */
/** @type {readonly ((schema: Schema, random: Random) => readonly Json[])[]} */
const BOUNDARY_VALUES = [
  ({ minimum, maximum }) =>
    [numberOf(minimum), numberOf(maximum)].flatMap((bound) =>
      bound === undefined ? [] : [bound - 1, bound, bound + 1, String(bound + 0.5), `${bound - 1} `],
    ),
  (schema, random) => {
    const words = listOf(schema['enum']).filter((word) => typeof word === 'string');
    if (words.length === 0) return [];
    const word = String(random.pick(words));
    return [word.toUpperCase(), ` ${word}`, `${word}s`, `${word},${word}`, [word], word.slice(1)];
  },
  ({ minLength, maxLength }) =>
    // The web server refuses longer values in a URL.
    [numberOf(minLength), numberOf(maxLength)].flatMap((length) =>
      length === undefined || length > 500
        ? []
        : ['x'.repeat(Math.max(0, length - 1)), 'ä'.repeat(length + 1)],
    ),
  ({ format }) => {
    if (format === 'date-time')
      return ['2020-01-02', '2020-1-02T03:04:05', '2020-01-02T24:00:00', '2020-01-02T03:04'];
    if (format === 'email') return ['a@b', 'a@@example.com', 'a b@example.com', 'a@example..com', ''];
    if (format === 'ip') return ['127.0.0.256', '1::2::3', '127.0.0.1/8', ''];
    if (format === 'uuid') return ['123E4567-E89B-12D3-A456-426614174000', '123e4567'];
    return format === 'hex-color' ? ['#ffff', 'fff', '#ggg', ''] : [];
  },
  (schema, random) => {
    const items = schema['items'];
    if (!isSchema(items)) return [];
    const [valid, invalid] = [validValue(items, random), anyValue(random)];
    return [
      [valid, invalid],
      [invalid],
      { 0: valid, 2: valid },
      { a: valid },
      [valid, valid],
      [[valid]],
      `${valid},${invalid}`,
    ];
  },
  (schema, random) => {
    const properties = isSchema(schema['properties']) ? Object.entries(schema['properties']) : [];
    if (properties.length === 0) return [];
    const [name, member] = random.pick(properties);
    const value = validValue(schema['type'] === undefined ? { ...schema, type: 'object' } : schema, random);
    const base = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
    const boundary = isSchema(member) ? nearValue(member, random) : anyValue(random);
    return [
      { ...base, [name]: boundary },
      { ...base, unknown: 1 },
      { [name]: null },
      Object.values(base),
      'x',
    ];
  },
  (schema, random) => {
    const value = validValue(schema, random);
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return [`${text}x`, ` ${text}`, [value], { a: value }, text, Number(text) || 0];
  },
];

/** @param {Json | undefined} value @returns {value is Schema} */
export function isSchema(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the items of a list or the values of an object: PHP encodes a list with gaps as an object. */
/** @param {Json | undefined} value @returns {readonly Json[]} */
function listOf(value) {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

/** @param {Json | undefined} value @returns {number | undefined} */
function numberOf(value) {
  return typeof value === 'number' ? value : undefined;
}
