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
 * @property {string} route the site's pattern
 * @property {string} method
 * @property {Readonly<Record<string, Schema>>} args
 *
 * @typedef {object} Draw a request, as it goes out
 * @property {number} position which of the seed's requests it is
 * @property {Operation} operation
 * @property {string} method of the request line
 * @property {string} path raw, below the front of the site, without a leading slash
 * @property {readonly string[]} headers flat list name, value, name, value
 * @property {Buffer | null} body
 * @property {boolean} privileged whether it may be sent as a user who may do everything
 */

/** Every method of every endpoint of a root index; of two endpoints of a route with one method the first answers. */
/** @param {unknown} index @returns {readonly Operation[]} */
export function operationsOf(index) {
  const routes = isSchema(/** @type {Json} */ (index)) ? /** @type {any} */ (index).routes : {};
  return Object.entries(routes).flatMap(([route, { endpoints = [] }]) => {
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
 * What could end the test if it were carried out (users, their passwords, settings, plugins, themes), or takes the site
 * seconds (exports, tests of its own health, calls to other hosts), is sent without credentials: a site validates
 * parameters before permission, so the result is the same.
 */
const CAREFUL = [
  /\/(?:users|settings|plugins|themes|sidebars|widgets)(?:\/|$)/,
  /application-passwords|site-health|export|url-details|oembed|directory|batch/,
];
const SLOW = /site-health|export|url-details|oembed\/1\.0\/proxy|directory/;

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const BOUNDARY = 'fuzz-boundary';

/**
 * @param {readonly Operation[]} operations
 * @param {number} seed
 * @param {number} position
 * @param {boolean} bodyless whether what reads has no body: platforms made of `fetch` never see it
 * @returns {Draw}
 */
export function draw(operations, seed, position, bodyless) {
  const random = createRandom(seed, position);
  const operation = operations[position % operations.length];
  if (operation === undefined) throw new Error('the index has no operation');
  const parameters = random.shuffled(parametersFor(operation, random));
  const place = placeFor(operation, random);
  const writes = WRITES.has(place.sent) || (WRITES.has(operation.method) && !bodyless);
  const inBody = writes ? random.pick([0, 1, 1, 1]) : 0;
  const body = inBody === 1 ? bodyFor(parameters, random) : noBody(random, writes || !bodyless);
  const query = [
    ...place.query,
    ...(inBody === 1 ? [] : [urlencoded(parameters, random)]),
    ...globals(random),
  ].filter((part) => part !== '');
  const careful =
    operation.method === 'GET'
      ? SLOW.test(operation.route)
      : CAREFUL.some((one) => one.test(operation.route));
  return {
    position,
    operation,
    method: place.sent,
    path: withQuery(place.path, query.join('&')),
    headers: [...place.headers, ...body.headers],
    body: body.bytes,
    privileged: !careful && random.chance(0.6),
  };
}

/** What is allowed where the site's own list decides, which its index does not show: templates of its theme and so on. */
/** @type {ReadonlyMap<string, Json>} */
const ALLOWED = new Map(
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
  // A default that its own enum forbids is refused where nothing is given in its place.
  const replaced = all.filter(([, schema]) => schema['required'] !== true && isForbidden(schema));
  const optional = all.filter(([, schema]) => schema['required'] !== true && !isForbidden(schema));
  const share = Math.min(0.5, 3 / Math.max(1, optional.length));
  const chosen = [...required, ...replaced, ...random.some(optional, share)];
  const broken = kind === 'valid' ? 0 : kind === 'near' ? random.pick([1, 1, 1, 2]) : 3;
  const odd = new Set(
    random
      .shuffled(all)
      .slice(0, broken)
      .map(([name]) => name),
  );
  const others = all.filter(([name]) => odd.has(name) && !chosen.some(([taken]) => taken === name));
  return [...chosen, ...others].map(([name, schema]) => {
    if (!odd.has(name)) return [name, ALLOWED.get(name) ?? validValue(schema, random)];
    return [name, kind === 'hostile' ? anyValue(random) : nearValue(schema, random)];
  });
}

/** @param {Schema} schema */
function isForbidden({ default: usual, enum: words }) {
  return usual !== undefined && Array.isArray(words) && !words.includes(usual);
}

/** The method, the route and the ways in which both can be said. @param {Operation} operation @param {Random} random */
function placeFor({ route, method }, random) {
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
  // What must stand encoded in an address; a site reads a pretty path as it stands.
  const raw = path.replace(/[^\w/.~:@!$'()*,;=-]/g, encodeURIComponent);
  if (random.chance(0.8) && !/%|\/\.|\.\//.test(raw)) return { sent, path: `{prefix}${raw}`, query, headers };
  const spelled = random.chance(0.5) ? raw : encodeURIComponent(path);
  // A web server answers what is neither read nor posted at its front page itself.
  const front = ['GET', 'HEAD', 'POST'].includes(sent) ? random.pick(['', 'index.php']) : 'index.php';
  return { sent, path: front, query: random.shuffled([...query, `rest_route=${spelled}`]), headers };
}

/** What any route takes. @param {Random} random @returns {string[]} */
function globals(random) {
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

/** @param {Random} random @param {boolean} may whether there may be one @returns {{ headers: string[], bytes: Buffer | null }} */
function noBody(random, may) {
  return !may || random.chance(0.95)
    ? { headers: [], bytes: null }
    : {
        headers: ['Content-Type', 'application/json'],
        bytes: Buffer.from(random.pick(['', '0', '{}', '[]', 'null', '{', '"x"'])),
      };
}

/** @param {readonly [string, Json][]} parameters @param {Random} random @returns {{ headers: string[], bytes: Buffer | null }} */
function bodyFor(parameters, random) {
  const kind = random.pick(['json', 'json', 'json', 'json', 'form', 'form', 'form', 'multipart', 'lie']);
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
      bytes: random.chance(0.93) ? Buffer.from(text) : broken(text, random),
    };
  const lie = random.pick([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    '',
  ]);
  return { headers: lie === '' ? [] : ['Content-Type', lie], bytes: Buffer.from(text) };
}

/** JSON that is none, or is not what it seems. @param {string} text @param {Random} random @returns {Buffer} */
function broken(text, random) {
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
