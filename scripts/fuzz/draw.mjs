// @ts-check
import { textFor } from './patterns.mjs';
import { createRandom } from './random.mjs';
import { json, multipart, urlencoded } from './spelling.mjs';
import { anyValue, isSchema, nearValue, validValue } from './values.mjs';

/**
 * @typedef {import('./random.mjs').Random} Random
 * @typedef {import('./values.mjs').Json} Json
 * @typedef {import('./values.mjs').Schema} Schema
 *
 * @typedef {object} Operation one method of one endpoint of the index
 * @property {string} route pattern of the route
 * @property {string} method
 * @property {Readonly<Record<string, Schema>>} args
 *
 * @typedef {object} DrawnRequest a generated request, in its encoded form
 * @property {number} position number of the request in the sequence of the seed
 * @property {Operation} operation
 * @property {string} method of the request line
 * @property {string} path encoded, relative to the home URL, without a leading slash
 * @property {readonly string[]} headers flat list name, value, name, value
 * @property {Buffer | null} body
 * @property {boolean} privileged whether to send it with the administrator's credentials
 */

/**
 * Lists every method of every endpoint of a root index. The first of two endpoints with the same route and method wins.
 *
 * @param {unknown} index
 * @param {readonly string[]} namespaces those whose routes are listed; empty for all
 * @returns {readonly Operation[]}
 */
export function operationsOf(index, namespaces = []) {
  const routes = isSchema(/** @type {Json} */ (index)) ? /** @type {any} */ (index).routes : {};
  const isListed = (/** @type {string} */ route) =>
    namespaces.length === 0 || namespaces.some((namespace) => route.startsWith(`/${namespace}/`));
  return Object.entries(routes).flatMap(([route, { endpoints = [] }]) => {
    if (!isListed(route)) return [];
    /** @type {Map<string, Operation>} */
    const byMethod = new Map();
    for (const { methods, args } of endpoints) {
      for (const method of methods) {
        if (!byMethod.has(method))
          byMethod.set(method, { route, method, args: Array.isArray(args) ? {} : args });
      }
    }
    return [...byMethod.values()];
  });
}

/**
 * Writes that could break the test (users, passwords, settings, plugins, themes) and slow operations (exports, site
 * health, calls to other hosts) are sent without credentials. WordPress validates parameters before it checks
 * permissions, so the validation result is the same.
 */
const UNPRIVILEGED_WRITES = [
  /\/(?:users|settings|plugins|themes|sidebars|widgets)(?:\/|$)/,
  /application-passwords|site-health|export|url-details|oembed|directory|batch/,
];
const SLOW_READS = /site-health|export|url-details|oembed\/1\.0\/proxy|directory/;

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const BOUNDARY = 'fuzz-boundary';

/**
 * @param {readonly Operation[]} operations
 * @param {number} seed
 * @param {number} position
 * @param {readonly string[]} aim names of parameters that most requests to their operations set to a list of ids
 * @returns {DrawnRequest}
 */
export function drawRequest(operations, seed, position, aim) {
  const random = createRandom(seed, position);
  const operation = operations[position % operations.length];
  if (operation === undefined) throw new Error('the index has no operation');
  const parameters = random.shuffled(aimAt(aim, operation, parametersFor(operation, random), random));
  const target = drawTarget(operation, random);
  const writes = WRITES.has(target.sent) || WRITES.has(operation.method);
  const parametersInBody = (writes ? random.pick([0, 1, 1, 1]) : 0) === 1;
  const body = parametersInBody ? encodeBody(parameters, random) : emptyBody(random);
  const query = [
    ...target.query,
    ...(parametersInBody ? [] : [urlencoded(parameters, random)]),
    ...globalParameters(random),
  ].filter((part) => part !== '');
  const unprivileged =
    operation.method === 'GET'
      ? SLOW_READS.test(operation.route)
      : UNPRIVILEGED_WRITES.some((pattern) => pattern.test(operation.route));
  return {
    position,
    operation,
    method: target.sent,
    path: withQuery(target.path, query.join('&')),
    headers: [...target.headers, ...body.headers],
    body: body.bytes,
    privileged: !unprivileged && random.chance(0.6),
  };
}

/** Values for parameters whose allowed values depend on the site and are not in its index, such as theme templates. */
/** @type {ReadonlyMap<string, Json>} */
const SITE_VALUES = new Map(
  /** @type {[string, Json][]} */ ([
    ['template', ''],
    ['locations', []],
    ['username', 'somebody'],
  ]),
);

/** @param {Operation} operation @param {Random} random @returns {[string, Json][]} */
function parametersFor({ args, route }, random) {
  const kind = random.pick(['valid', 'valid', 'near', 'near', 'near', 'hostile']);
  const all = Object.entries(args).filter(([name]) => !route.includes(`(?P<${name}>`) || random.chance(0.03));
  const required = all.filter(([, { required }]) => required === true && random.chance(0.93));
  // WordPress refuses a default outside the parameter's enum, so such a parameter always gets a value.
  const badDefaults = all.filter(([, schema]) => schema['required'] !== true && isDefaultOutsideEnum(schema));
  const optional = all.filter(([, schema]) => schema['required'] !== true && !isDefaultOutsideEnum(schema));
  const share = Math.min(0.5, 3 / Math.max(1, optional.length));
  const chosen = [...required, ...badDefaults, ...random.some(optional, share)];
  const invalidCount = kind === 'valid' ? 0 : kind === 'near' ? random.pick([1, 1, 1, 2]) : 3;
  const invalidNames = new Set(
    random
      .shuffled(all)
      .slice(0, invalidCount)
      .map(([name]) => name),
  );
  const added = all.filter(
    ([name]) => invalidNames.has(name) && !chosen.some(([chosenName]) => chosenName === name),
  );
  return [...chosen, ...added].map(([name, schema]) => {
    if (!invalidNames.has(name)) return [name, SITE_VALUES.get(name) ?? validValue(schema, random)];
    return [name, kind === 'hostile' ? anyValue(random) : nearValue(schema, random)];
  });
}

/** Lists of ids, and what plugins take for lists of ids. @type {readonly Json[]} */
const ID_LISTS = [
  ...[
    '1',
    '1,2',
    '1, 2',
    '1 2',
    '1,abc',
    'abc',
    'abc,1',
    '1,,2',
    ',',
    '1,',
    '-1',
    '1.5',
    '1,2.5',
    '0',
    '1;2',
    'all',
    '1|2',
  ],
  ...[
    [1],
    [1, 2],
    ['1', 'abc'],
    ['abc'],
    [[1]],
    { a: 1 },
    1,
    '[1,2]',
    ' 1',
    '',
    '99999999999999999999',
    '1,1',
    'null',
  ],
];

/** @param {readonly string[]} names @param {Operation} operation @param {readonly [string, Json][]} parameters @param {Random} random @returns {[string, Json][]} */
function aimAt(names, { args }, parameters, random) {
  const aimed = names.filter((name) => name in args && random.chance(0.7));
  const others = parameters.filter(([name]) => !aimed.includes(name));
  return [...others, ...aimed.map((name) => /** @type {[string, Json]} */ ([name, random.pick(ID_LISTS)]))];
}

/** @param {Schema} schema */
function isDefaultOutsideEnum({ default: defaultValue, enum: allowed }) {
  return defaultValue !== undefined && Array.isArray(allowed) && !allowed.includes(defaultValue);
}

/** Chooses method, path and query, including method overrides and alternative route encodings. @param {Operation} operation @param {Random} random */
function drawTarget({ route, method }, random) {
  let path = textFor(route, random);
  if (random.chance(0.03))
    path = random.pick([`${path}/x`, path.toUpperCase(), `${path}x`, path.slice(0, -1), `${path}/`]);
  /** @type {string[]} */
  const query = [];
  /** @type {string[]} */
  const headers = [];
  let sent = method;
  if (method === 'GET' && random.chance(0.06)) sent = 'HEAD';
  else if (random.chance(0.02)) sent = 'OPTIONS';
  else if (random.chance(0.03)) sent = random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
  else if (method !== 'GET' && random.chance(0.15)) {
    sent = 'POST';
    if (random.chance(0.5)) query.push(`_method=${random.pick([method, method.toLowerCase()])}`);
    else headers.push('X-HTTP-Method-Override', method);
  }
  // Characters that a URL requires encoded. A site matches a pretty path without decoding it.
  const encodedPath = path.replace(/[^\w/.~:@!$'()*,;=-]/g, encodeURIComponent);
  if (random.chance(0.8) && !/%|\/\.|\.\//.test(encodedPath))
    return { sent, path: `{prefix}${encodedPath}`, query, headers };
  const routeParameter = random.chance(0.5) ? encodedPath : encodeURIComponent(path);
  // The web server itself answers other methods at the home URL.
  const front = ['GET', 'HEAD', 'POST'].includes(sent) ? random.pick(['', 'index.php']) : 'index.php';
  return { sent, path: front, query: random.shuffled([...query, `rest_route=${routeParameter}`]), headers };
}

/** Returns query parameters that every route accepts. @param {Random} random @returns {string[]} */
function globalParameters(random) {
  if (random.chance(0.85)) return [];
  return [
    random.pick([
      '_fields=id',
      '_locale=user',
      '_embed',
      '_embed=author',
      '_fields[]=id',
      'utm_source=x',
      '_envelope',
      '&',
      'x[y][z]=1',
      '_fields[a][b]=c',
    ]),
  ];
}

/** @param {Random} random @returns {{ headers: string[], bytes: Buffer | null }} */
function emptyBody(random) {
  return random.chance(0.95)
    ? { headers: [], bytes: null }
    : {
        headers: ['Content-Type', 'application/json'],
        bytes: Buffer.from(random.pick(['', '0', '{}', '[]', 'null', '{', '"x"'])),
      };
}

/** @param {readonly [string, Json][]} parameters @param {Random} random @returns {{ headers: string[], bytes: Buffer | null }} */
function encodeBody(parameters, random) {
  const kind = random.pick([
    'json',
    'json',
    'json',
    'json',
    'form',
    'form',
    'form',
    'multipart',
    'mislabelled',
  ]);
  if (kind === 'form') {
    const type = random.pick([
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded; charset=UTF-8',
    ]);
    return { headers: ['Content-Type', type], bytes: Buffer.from(urlencoded(parameters, random)) };
  }
  if (kind === 'multipart') {
    const type = `multipart/form-data; boundary=${BOUNDARY}`;
    return { headers: ['Content-Type', type], bytes: Buffer.from(multipart(parameters, random, BOUNDARY)) };
  }
  const text = json(parameters, random);
  const type = random.pick([
    'application/json',
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/vnd.api+json',
  ]);
  if (kind === 'json')
    return {
      headers: ['Content-Type', type],
      bytes: random.chance(0.93) ? Buffer.from(text) : invalidJson(text, random),
    };
  const wrongType = random.pick([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    '',
  ]);
  return { headers: wrongType === '' ? [] : ['Content-Type', wrongType], bytes: Buffer.from(text) };
}

/** Returns invalid or unexpected JSON. @param {string} text @param {Random} random @returns {Buffer} */
function invalidJson(text, random) {
  const kinds = [
    () => Buffer.from(text.slice(0, -1)),
    () => Buffer.from(text.replace(/\}\s*$/, ',}')),
    () => Buffer.from(text.replaceAll('"', "'")),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(`${text}x`),
    () => Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    () => Buffer.from('{"a":"\\ud800"}'),
    () => Buffer.from(`${'['.repeat(511)}${']'.repeat(511)}`),
    () => Buffer.from(`${'['.repeat(513)}${']'.repeat(513)}`),
    () =>
      Buffer.from(
        random.pick([
          '5',
          '"x"',
          'null',
          'true',
          '[1,2]',
          'nul',
          '-',
          '01',
          '1.',
          '{"a":1e400}',
          '{"a":12345678901234567890}',
          '\u0000',
        ]),
      ),
  ];
  return random.pick(kinds)();
}

/** @param {string} path @param {string} query */
function withQuery(path, query) {
  return query === '' ? path : `${path}?${query}`;
}
