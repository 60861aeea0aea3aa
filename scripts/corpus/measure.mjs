// @ts-check
import { importerOf } from '../build/modules.mjs';
import { operationsOf } from '../fuzz/draw.mjs';
import { startReplay } from '../fuzz/replay.mjs';
import { fuzz } from '../fuzz/run.mjs';
import { readContent } from '../mix/oracle.mjs';
import { drawPlausible } from './plausible.mjs';

/**
 * @typedef {import('../../src/openapi/index.ts').Operation} Operation
 * @typedef {import('../wordpress/start.d.mts').WordPress} WordPress
 * @typedef {import('../fuzz/draw.mjs').DrawnRequest & { readonly source: Operation }} Request
 * @typedef {import('../fuzz/run.d.mts').SiteResponse} SiteResponse
 */

const MODULES =
  'index node/index openapi/index steps validation/request/validator validation/response/validator reconcile/document-operations';
const OTHERS = 'reconcile/path-expander example-values/example-value validation/response/finding';
/**
 * @typedef {typeof import('../../src/index.ts') & typeof import('../../src/node/index.ts') & typeof import('../../src/openapi/index.ts')
 *   & typeof import('../../src/steps.ts') & typeof import('../../src/validation/request/validator.ts')
 *   & typeof import('../../src/validation/response/validator.ts') & typeof import('../../src/reconcile/document-operations.ts')
 *   & typeof import('../../src/reconcile/path-expander.ts') & typeof import('../../src/example-values/example-value.ts')
 *   & typeof import('../../src/validation/response/finding.ts')} Waygate
 */
const importModule = await importerOf();
/** @type {Waygate} */
const waygate = Object.assign(
  {},
  ...(await Promise.all(`${MODULES} ${OTHERS}`.split(' ').map(importModule))),
);

/** @param {WordPress} site */
export function authorizationOf({ users: { administrator } }) {
  return `Basic ${Buffer.from(`${administrator.user}:${administrator.password}`).toString('base64')}`;
}

/** @param {WordPress} site @returns {Promise<any>} */
export async function readIndex(site) {
  const headers = { authorization: authorizationOf(site) };
  const response = await fetch(`${site.url}wp-json/`, { headers });
  return response.json();
}

/**
 * Measures what waygate makes of the routes that a site has beside those of WordPress.
 *
 * @param {WordPress} site
 * @param {any} bare index of a site without plugins
 * @param {{ readonly requests: number, readonly seed: number, readonly note: (text: string) => void }} options
 * @returns counts, and lists that name what is missing, different, invalid, refused wrongly (although the site takes it), or stale
 */
export async function measure(site, bare, { note, requests, seed }) {
  const index = await readIndex(site);
  const known = new Set(Object.keys(bare.routes));
  const routes = Object.fromEntries(
    Object.entries(index.routes).filter(
      ([route, { namespace }]) => !known.has(route) && route !== `/${namespace}`,
    ),
  );
  const own = operationsOf({ routes });
  note(`${own.length} operations`);
  const { administrator } = site.users;
  const auth = { user: administrator.user, password: administrator.password };
  const document = clone(waygate.toOpenApi(await waygate.discover(site.url, { auth })).document);
  const served = readOperations(document, routes);
  const missing = compareArguments(document, served, own);

  note('routes');
  const gateway = await startGateway(site.url);
  const read = createReader(site, gateway.origin);
  const drawn = {
    operations: served,
    examples: createFactories(document),
    items: new waygate.PathExpander(),
  };
  const answered = await compareReads(drawn, seed, read);

  note('requests');
  /** @type {Map<number, SiteResponse>} */
  const responses = new Map();
  const draw = (/** @type {number} */ position) => drawPlausible(drawn, seed, position);
  const replay = await startReplay(new URL(site.url).origin);
  const replayed = await startGateway(`${replay.origin}/`);
  const send = {
    index: { routes },
    site: site.url,
    gateway: `${replayed.origin}/`,
    replay,
    prefix: 'wp-json',
    authorization: authorizationOf(site),
    seed,
    parallel: 3,
  };
  const count = served.length === 0 ? 0 : Math.max(requests, served.length);
  const findings = [...(await fuzz({ ...send, count, draw, responses }))];
  const others = await fuzz({ ...send, count: own.length === 0 ? 0 : requests });

  note('reconcile');
  const { overlay, report } = await waygate.reconcile(site.url, {
    auth,
    maxRequests: 200 + 4 * own.length,
    timeout: 900_000,
  });
  if (report.stopped) note(`reconcile stopped: ${report.stopped}`);
  const completed = clone(waygate.applyOverlay(document, overlay).document);
  const after = readOperations(completed, routes);
  // Responses that `reconcile` has not seen.
  const unseen = new Map();
  findings.push(...(await fuzz({ ...send, from: count, count, draw, responses: unseen })));
  await replayed.stop();
  await replay.close();
  const all = [...findings, ...others];
  const exchanges = [...unseen].map(([at, response]) => ({ request: draw(at), response }));
  const [validBefore, validAfter] = [validate(document, exchanges), validate(completed, exchanges)];

  note('writes');
  const writes = [...responses].flatMap(([position, { status }]) => {
    const { method, source } = draw(position);
    return method !== 'GET' && status < 300 ? [{ position, source }] : [];
  });
  const stale = await compareAfterWrites(answered.addresses, writes, draw, read, served.length);
  await gateway.stop();
  return {
    operations: own.length,
    args: own.reduce((sum, { args }) => sum + Object.keys(args).length, 0),
    ...missing,
    typed: [served.filter(waygate.isTyped).length, after.filter(waygate.isTyped).length],
    valid: /** @type {const} */ ([validBefore.counts, validAfter.counts]),
    invalid: [...new Set(validAfter.findings)],
    untyped: after
      .filter((each) => !waygate.isTyped(each))
      .map(({ method, pattern }) => `${method} ${pattern}`),
    reads: answered.reads,
    different: answered.different,
    plausible: findings.length,
    drawn: others.length,
    // A plugin's own 401 comes before WordPress validates parameters, so it does not say that the site takes them.
    wrong: all
      .filter(({ site: { code, status } }) => status !== 401 || code.startsWith('rest_'))
      .filter(({ verdict }) => verdict === 'wrong' || verdict === 'changed')
      .map(
        ({ gateway: { rules, status }, request, site: answer }) =>
          `${request} site ${answer.status} ${answer.code}, gateway ${status} ${rules.join()}`,
      ),
    ...stale,
  };
}

/** @template T @param {T} value @returns {T} */
const clone = (value) => JSON.parse(JSON.stringify(value));

/** @param {any} document @param {object} [routes] @returns {readonly Operation[]} of these routes, or of all */
function readOperations(document, routes) {
  return waygate
    .runSteps(waygate.readServedApi(document))
    .routes.flatMap(({ operations, pattern }) =>
      routes === undefined || pattern in routes ? [...operations.values()] : [],
    );
}

/** @param {any} document */
function createFactories(document) {
  const choices = {
    /** @param {any} schema */
    chooseMembers: (schema) => Object.keys(schema.properties ?? {}).slice(0, 12),
    isUsable: () => true,
  };
  return waygate.createExampleFactory(document, choices);
}

/**
 * @param {any} document
 * @param {readonly Operation[]} served
 * @param {ReturnType<typeof operationsOf>} own
 */
function compareArguments(document, served, own) {
  const byName = new Map(served.map((operation) => [`${operation.method} ${operation.pattern}`, operation]));
  const resolve = (/** @type {string} */ reference) =>
    /** @type {any} */ (waygate.resolveReference(document, reference));
  const missingOperations = [];
  const missingArguments = [];
  for (const { args, method, route } of own) {
    const operation = byName.get(`${method} ${route}`);
    if (operation === undefined) {
      missingOperations.push(`${method} ${route}`);
      continue;
    }
    const listed = waygate.listArguments(operation, resolve);
    // A batch takes lists of items with these arguments.
    if (listed.has('create') && listed.has('delete') && !('create' in args)) continue;
    const names = new Set([...listed.keys(), ...operation.parameters.map(({ name }) => name)]);
    for (const name of Object.keys(args))
      if (!names.has(name)) missingArguments.push(`${method} ${route} ${name}`);
  }
  return { missingOperations, missingArguments };
}

/** Starts a gateway with `enforce`, which stores what it may. @param {string} url of the site */
async function startGateway(url) {
  const gateway = waygate.createGateway({
    sites: [{ url, passthrough: true, validation: { mode: 'enforce' }, cache: { pages: 600 } }],
    cache: 'memory',
    transport: waygate.nodeTransport,
  });
  await gateway.rediscover();
  const server = await waygate.serve(gateway, { port: 0 });
  return { origin: server.url.replace(/\/$/, ''), stop: () => server.stop() };
}

/** @typedef {{ readonly status: number, readonly text: string, readonly isHit: boolean }} Answer */
/** @typedef {ReturnType<typeof createReader>} Reader */

/** @param {WordPress} site @param {string} gateway origin */
function createReader(site, gateway) {
  const origin = site.url.replace(/\/$/, '');
  const authorization = authorizationOf(site);
  const hosts = [origin, gateway].map((url) => new URL(url).host);
  /** @param {string} text */
  const withoutHost = (text) =>
    hosts.reduce(
      (rest, host) => rest.replaceAll(host, 'host').replaceAll(host.replace(':', '%3A'), 'host'),
      text,
    );
  /** @param {string} target @param {string} address @param {boolean} privileged */
  const read = async (target, address, privileged) => {
    const credentials = privileged ? { authorization } : {};
    const { headers, status, text } = await readContent(target + address, credentials);
    return { status, text: withoutHost(text), isHit: /; ?hit/.test(headers.get('cache-status') ?? '') };
  };
  return {
    fromSite: (/** @type {string} */ address, privileged = false) => read(origin, address, privileged),
    fromGateway: (/** @type {string} */ address, privileged = false) => read(gateway, address, privileged),
    /** @param {Pick<Request, 'method' | 'path' | 'headers' | 'body'>} request @returns {Promise<boolean>} whether the site took it */
    async write({ body, headers: [name, type], method, path }) {
      const headers = { authorization, ...(name !== undefined && type !== undefined && { [name]: type }) };
      const target = `${gateway}/${path.replace('{prefix}', 'wp-json')}`;
      const response = await fetch(target, {
        method,
        body: /** @type {Buffer<ArrayBuffer>} */ (body),
        headers,
      });
      await response.arrayBuffer();
      return response.ok;
    },
  };
}

/**
 * Reads each route without credentials and as administrator, from the site and through the gateway. What is read fills the paths of
 * later routes.
 *
 * @param {import('./plausible.mjs').Known} known
 * @param {number} seed
 * @param {Reader} read
 */
async function compareReads(known, seed, read) {
  const operations = known.operations
    .filter(({ method }) => method === 'GET')
    .sort((one, other) => one.path.split('{').length - other.path.split('{').length);
  const addresses = new Set();
  const different = [];
  for (let at = 0; at < 2 * operations.length; at += 1) {
    const { path } = drawPlausible({ ...known, operations }, seed, at, 0);
    const address = `/${path.replace('{prefix}', 'wp-json')}`;
    for (const privileged of [true, false]) {
      const before = await read.fromSite(address, privileged);
      const through = await read.fromGateway(address, privileged);
      const direct = await read.fromSite(address, privileged);
      const isJson = direct.status === 200 && /^[[{]/.test(direct.text.trim());
      if (isJson && privileged)
        known.items.addResponse(path.slice(8).split('?', 1)[0] ?? '', parseJson(direct.text));
      // What varies by itself cannot be compared, but for its status.
      const varies = before.text !== direct.text;
      if (through.status !== direct.status || !(varies || contentOf(through) === contentOf(direct)))
        different.push(
          `${address}${privileged ? ' as administrator' : ''}: ${describeDifference(direct, through)}`,
        );
      if (!privileged && direct.status === 200 && !varies) addresses.add(address);
    }
  }
  return { reads: 4 * operations.length, different, addresses: [...addresses] };
}

/** A response as it is; of an error its code, as the gateway's own errors have more members. @param {Answer} answer */
const contentOf = ({ status, text }) => (status < 400 ? text : (parseJson(text)?.code ?? ''));

/** @param {Answer} direct @param {Answer} through */
function describeDifference(direct, through) {
  const at = [...direct.text].findIndex((character, index) => character !== through.text[index]);
  const excerpt = (/** @type {Answer} */ { status, text }) =>
    `${status} ${text.slice(Math.max(0, at - 60), at + 100)}`;
  return `site ${excerpt(direct)}, gateway ${excerpt(through)}`;
}

/** @param {string} text @returns {any} */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Validates the successful JSON responses by a document.
 *
 * @param {any} document
 * @param {readonly { readonly request: Request, readonly response: SiteResponse }[]} exchanges
 */
function validate(document, exchanges) {
  const validator = new waygate.ResponseValidator(document);
  const byName = new Map(readOperations(document).map((each) => [`${each.method} ${each.pattern}`, each]));
  const counts = { responses: 0, described: 0, valid: 0 };
  /** @type {string[]} */
  const findings = [];
  for (const { request, response } of exchanges) {
    const operation = byName.get(`${request.method} ${request.operation.route}`);
    if (response.status >= 300 || operation === undefined) continue;
    if (parseJson(response.body.toString()) === undefined) continue;
    counts.responses += 1;
    const context = new URLSearchParams(request.path.split('?')[1]).get('context');
    const result = validator.validate({ ...response, operation, context });
    if (result.kind === 'validated') counts.described += 1;
    const wrong =
      result.kind === 'skipped'
        ? [result.reason]
        : result.findings.filter(({ kind }) => waygate.FINDING_SEVERITIES[kind] === 'wrong');
    if (wrong.length === 0) counts.valid += 1;
    else findings.push(`${operation.id} ${JSON.stringify(wrong.slice(0, 3))}`);
  }
  return { counts, findings };
}

/**
 * Writes through the gateway, and compares what it sends for each address with what the site sends.
 *
 * @param {readonly string[]} own addresses of the plugin
 * @param {readonly { readonly position: number, readonly source: Operation }[]} taken writes that the site has taken
 * @param {(position: number) => Request} draw
 * @param {Reader} read
 * @param {number} step between two requests of one operation
 */
async function compareAfterWrites(own, taken, draw, read, step) {
  const posts = parseJson((await read.fromSite('/wp-json/wp/v2/posts?per_page=3')).text) ?? [];
  const [post, other] = posts;
  const routes = `posts posts?_embed posts/${post.id} pages categories comments users types search`;
  const pages = ['/', '/feed/', '/comments/feed/', post.link.replace(/^.*?host/, '')];
  const core = routes.split(' ').map((route) => `/wp-json/wp/v2/${route}`);
  const addresses = [...own.slice(0, 20), ...core, ...pages];
  /** @type {(method: string, path: string, body: object) => [string, () => Promise<boolean>]} */
  const toCore = (method, path, fields) => {
    const body = Buffer.from(JSON.stringify(fields));
    const headers = ['Content-Type', 'application/json'];
    return [`${method} ${path}`, () => read.write({ method, path: `{prefix}/wp/v2${path}`, headers, body })];
  };
  const writes = [
    toCore('POST', `/posts/${post.id}`, { title: 'Another title' }),
    toCore('POST', '/comments', { post: post.id, content: 'Another comment' }),
    ...[...new Map(taken.map(({ position, source }) => [source.id, position]))].slice(0, 8).map(
      ([id, position]) =>
        /** @type {[string, () => Promise<boolean>]} */ ([
          id,
          // The operation with other values; the request again, which may have no effect, if the site refuses them.
          async () => (await read.write(draw(position + 100 * step))) || read.write(draw(position)),
        ]),
    ),
    toCore('POST', '/posts', { title: 'New', content: 'A new post', status: 'publish' }),
    toCore('POST', '/users/me', { description: 'Another text' }),
    toCore('POST', '/settings', { title: 'Another site' }),
    toCore('DELETE', `/posts/${other.id}`, {}),
  ];
  /** @type {{ readonly address: string, readonly text: string }[]} */
  const stale = [];
  // A page can vary by itself and be the same twice: random numbers of ten digits are left out as times are.
  const varying = new Set();
  let hits = 0;
  for (const address of addresses) await read.fromGateway(address);
  for (const [name, write] of writes) {
    await write();
    for (const address of addresses) {
      const [through, direct] = [await read.fromGateway(address), await read.fromSite(address)];
      const [later, again] = [await read.fromGateway(address), await read.fromSite(address)];
      hits += Number(through.isHit) + Number(later.isHit);
      if (direct.text !== again.text) varying.add(address);
      const differing = [through, later].find(({ text }) => text !== direct.text);
      if (differing !== undefined) {
        const from = differing.isHit ? '' : ', not from the store';
        const text = `${address} after ${name}${from}: ${describeDifference(direct, differing)}`;
        stale.push({ address, text });
      }
    }
  }
  return {
    writes: writes.length,
    stored: 2 * writes.length * addresses.length,
    hits,
    stale: stale.filter(({ address }) => !varying.has(address)).map(({ text }) => text),
  };
}
