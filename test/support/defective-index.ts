import type { Json, JsonObject } from '../../src/json.ts';

/**
 * Creates the root index of a shop with every defect that real sites were seen to have. Deterministic.
 *
 * @param resources The number of resources of the shop.
 */
export function createDefectiveIndex(resources = 60): JsonObject {
  const routes: [string, JsonObject][] = [
    ['/', route('', [endpoint(['GET'], { context: { default: 'view' } })])],
  ];
  for (const namespace of NAMESPACES) {
    routes.push([
      `/${namespace}`,
      route(namespace, [endpoint(['GET'], { namespace: { default: namespace } })]),
    ]);
  }
  for (let number = 0; number < resources; number += 1) routes.push(...resourceRoutes(number));
  routes.push(...COLLISIONS.map(([pattern, methods]): [string, JsonObject] => [pattern, plain(methods)]));
  routes.push(...UNUSUAL_ROUTES);
  return {
    name: 'A <shop> & "more"\u2028',
    description: '\u0000 \u0085 tabs\tand: colons #',
    url: 'https://example.com/shop',
    home: 'https://example.com/shop',
    namespaces: [...NAMESPACES],
    authentication: {
      'application-passwords': {
        endpoints: { authorization: 'https://example.com/shop/wp-admin/authorize.php' },
      },
      oauth1: { request: 'https://example.com/oauth1/request', version: '0.1' },
    },
    routes: Object.fromEntries(routes),
  };
}

const NAMESPACES = ['wp/v2', 'shop/v3', 'shop/v2', 'shop', 'boards/v2', 'a.b-c/v1'];

const NOUNS = 'product order coupon customer tax-class shipping_zone category status box'.split(' ');

function resourceRoutes(number: number): [string, JsonObject][] {
  const namespace = NAMESPACES[number % 3] ?? 'shop/v3';
  const noun = NOUNS[number % NOUNS.length] ?? 'thing';
  const base = `/${namespace}/${noun}s${number < NOUNS.length ? '' : number}`;
  const schema = resourceSchema(noun, number);
  const item = `${base}/(?P<id>[\\d]+)`;
  const fields = Object.fromEntries(
    Object.entries(ARGUMENTS).filter((_, index) => (index + number) % 3 !== 0),
  );
  return [
    [
      base,
      route(
        namespace,
        [endpoint(['GET'], { ...COLLECTION, ...fields }, true), endpoint(['POST'], fields)],
        schema,
      ),
    ],
    [
      item,
      route(
        namespace,
        [
          endpoint(['GET'], { id: { type: 'integer' }, context: COLLECTION['context'] ?? null }),
          endpoint(
            ['POST', 'PUT', 'PATCH'],
            { id: { description: 'Its id.', type: 'integer' }, ...fields },
            true,
          ),
          endpoint(['DELETE'], { id: { type: 'integer' }, force: { type: 'boolean', default: 'no' } }),
          // Unreachable: another plugin extends the route, and WordPress calls the first endpoint.
          endpoint(['GET'], { shadow: { type: 'string' } }),
        ],
        schema,
      ),
    ],
    [`${base}/batch`, route(namespace, [endpoint('POST, PUT, PATCH', {})], batchSchema(noun))],
    [
      `${base}/(?P<${noun.replaceAll('-', '_')}_id>[\\d]+)/notes(?:/(?P<id>\\d+))?`,
      route(namespace, [endpoint(['GET', 'DELETE'], { id: { type: 'integer', required: true } })]),
    ],
    [`${base}/(?P<slug>[\\w-]+)/upload`, route(namespace, [endpoint(['POST', 'PUT'], [])])],
  ];
}

const COLLECTION: { readonly [name: string]: Json } = {
  context: { type: 'string', enum: ['view', 'edit'], default: 'view', required: false },
  page: { type: 'integer', default: 1, minimum: 1, required: false },
  per_page: { type: 'integer', default: 10, minimum: 1, maximum: 100, exclusiveMinimum: false },
  include: { type: 'array', items: { type: 'integer' }, default: [] },
  meta_query: {
    type: 'array',
    items: { type: 'object', properties: { key: { type: 'string', required: true } } },
  },
  filter: { type: 'object', additionalProperties: { type: ['string', 'array'], items: [] } },
  terms: {
    type: ['object', 'array'],
    oneOf: [
      { title: 'List', type: 'array', items: { type: 'integer' } },
      {
        title: 'Query',
        type: 'object',
        properties: { terms: { type: 'array', items: { type: 'integer' } } },
      },
    ],
  },
};

/** Arguments with one defect each, most of them seen in plugins. */
const ARGUMENTS: { readonly [name: string]: Json } = {
  name: { type: 'string', required: true, minLength: '3' },
  price: { type: 'number', minimum: 0, exclusiveMinimum: true, default: '' },
  active: { type: 'bool', default: 'yes' },
  count: { type: 'int', default: null, required: 'yes' },
  anything: [],
  nothing: null,
  word: 'string',
  kind: { enum: { 0: 'a', 2: 'b', 5: 'c' }, default: 'z' },
  twice: { type: 'string', enum: ['a', 'a', 'b'] },
  empty: { type: 'string', enum: [] },
  meta: { type: 'object', properties: [], default: [], additionalProperties: false },
  address: {
    type: 'object',
    required: ['city', 7],
    properties: {
      city: { type: 'string', required: true, readonly: true, context: ['view'] },
      context: { type: 'string' },
      readonly: { type: 'boolean', default: false },
      required: { type: 'array', items: { type: 'string', required: true } },
      default: {
        type: 'object',
        properties: { type: { type: 'string' }, items: { type: 'array', items: [] } },
      },
      $ref: { type: 'string' },
    },
  },
  images: {
    type: 'array',
    items: { type: 'object', properties: { src: { type: 'string', format: 'uri', default: null } } },
  },
  union: { oneOf: [{ enum: ['auto'] }, { type: 'integer' }, { properties: { a: { type: 'mixed' } } }] },
  nullable: { type: ['string', 'null'], format: 'date-time' },
  single: { type: ['array'], items: { type: ['integer'] }, uniqueItems: 'true' },
  pattern: { type: 'string', pattern: '^(?P<a>\\p{L}+)\\z' },
  broken: { type: 'string', pattern: '[a-' },
  slow: { type: 'string', pattern: '^(a+)+$' },
  possessive: { type: 'string', pattern: '^[\\s\\w]++$' },
  file: { type: 'file', description: ['a', 'list'] },
  referred: { $ref: '#/definitions/Missing' },
  default_of_object: { type: 'object', default: [], properties: { a: { type: 'string', default: 5 } } },
  tuple: { type: 'array', items: [{ type: 'string' }, { type: 'integer' }], additionalItems: false },
  keyed: {
    type: 'object',
    patternProperties: { '^\\w+$': { type: 'string' }, '(?<!x)y++': { type: 'integer' } },
  },
  dotted: { type: 'string', format: 'hex-color', default: '#FFF', sanitize_callback: 'absint' },
  'a[b]': { type: 'string' },
  'with space': { type: 'string' },
  名前: { type: 'string', description: 'Ünïcode' },
  constructor: { type: 'string' },
  _fields: { type: 'string', description: 'Its own.' },
};

function resourceSchema(noun: string, number: number): JsonObject {
  const title = number % 7 === 3 ? '' : number % 5 === 1 ? `${noun} (v${number % 3})!` : noun;
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title,
    type: 'object',
    required: number % 2 === 0 ? ['id', 'secret'] : [],
    properties: {
      id: { type: 'integer', readonly: true, context: ['view', 'edit', 'embed'] },
      name: { type: 'string', required: true, context: ['view', 'edit'] },
      secret: { type: 'string', context: [] },
      status: { type: 'string', enum: ['a', 'b'], default: 'c', context: ['edit'] },
      date: { type: ['null', 'date-time'], format: 'date-time', context: ['view', 'edit'] },
      dimensions: {
        type: 'object',
        context: ['view', 'edit'],
        additionalProperties: false,
        properties: { width: { type: 'string', context: ['view'] }, height: { type: 'mixed' } },
      },
      links: { type: 'array', items: { type: 'object', properties: [] } },
      [`own_${number % 4}`]: { type: 'string' },
    },
    links: [{ rel: 'self', href: '…' }],
  };
}

function batchSchema(noun: string): JsonObject {
  return {
    title: 'batch',
    type: 'object',
    properties: { create: { type: 'array', items: { type: 'object', title: noun } } },
  };
}

/** Routes with equal templates, with one method or several. */
const COLLISIONS: readonly (readonly [string, readonly string[]])[] = [
  ['/boards/v2/projects/(?P<board_id>\\d+)/tasks', ['GET']],
  ['/boards/v2/projects/(?P<board_id>[^\\s(?!/)]+)/tasks', ['POST']],
  ['/shop/v3/attributes/(?P<id>[\\d]+)', ['GET', 'DELETE']],
  ['/shop/v3/attributes/(?P<slug>[a-z0-9_\\-]+)', ['GET']],
  ['/shop/v3/attributes/(?P<any>.*)', ['GET', 'PURGE']],
  ['/wp/v2/icons/(?P<collection>[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)', ['GET']],
  [
    '/wp/v2/icons/(?P<name>[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?/[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)',
    ['GET', 'POST'],
  ],
  ['/wp/v2/icons/(?P<set>[a-z]+)/(?P<icon>[a-z]+)', ['GET']],
  ['/shop/v3/twins/(?P<a>\\d+)', ['GET']],
  ['/shop/v3/twins/(?P<b>\\d+)', ['GET', 'POST']],
  ['/shop/v3/pairs/(?P<id>\\d+)/(?P<parent>\\d+)', ['GET']],
  ['/shop/v3/pairs/(?P<parent>\\d+)/(?P<id>\\d+)', ['PUT']],
  ['/shop/v3/pairs/(?P<parent>[a-z]+)/(?P<id>[a-z]+)', ['GET']],
  ['/shop/v3/either/(?:(?P<id>\\d+)|(?P<slug>[a-z]+))', ['GET', 'POST']],
  ['/shop/v3/optional(?:/(?P<a>\\d+)(?:/(?P<b>\\d+))?)?', ['GET', 'PATCH']],
  ['/shop/v3/optional/(?P<c>[a-z]+)', ['GET']],
];

/** Patterns that few sites have. */
const PLAIN_PATTERNS: readonly string[] = [
  ...['/shop/v3/slow/(?P<id>(?:a+)+)', '/shop/v3/look/(?P<id>(?!me)[a-z]+)'],
  ...['/shop/v3/back/(?P<id>([a-z])\\2)', '/shop/v3/broken/(?P<id>[a-z'],
  ...['/shop/v3/same/(?P<id>\\d+)/(?P<id>\\d+)', '/shop/v3/literal/{braces}/per%20cent/ü/a.b/q?uery\\#x'],
  ...['/shop/v3/trailing/', '/shop/v3//double', '/shop/v3/Case', '/shop/v3/case'],
  ...['/shop/v3/prefix-(?P<a>\\d+)-(?P<b>\\w+)\\.(?P<ext>json|xml)'],
  ...['/shop/v3/adjacent/(?P<a>\\d+)(?P<b>[a-z]+)', 'shop/v3/no-slash', '/shop/v3/.*'],
  ...['/shop/v3/unnamed/([a-z]+)/(\\d+)', '/shop/v3/(?:alpha|beta)/(?P<id>me|\\d+)'],
];

const UNUSUAL_ROUTES: readonly [string, JsonObject][] = [
  [
    '/batch/v1',
    route('', [endpoint(['POST'], { requests: { type: 'array', maxItems: 25, required: true } })]),
  ],
  [
    '/wp/v2/media',
    route('wp/v2', [endpoint(['GET', 'POST'], { alt_text: { type: 'string' } })], mediaSchema()),
  ],
  ['/wp/v2/media/(?P<id>[\\d]+)', route('wp/v2', [endpoint(['GET'], { id: {} })], mediaSchema())],
  [
    '/shop/v3/rendered/(?P<name>[a-z0-9-]+/[a-z0-9-]+)',
    route('shop/v3', [endpoint(['GET', 'POST'], { name: { type: 'string', pattern: '^core/' } })]),
  ],
  [
    '/shop/v3/methods',
    route('shop/v3', [
      endpoint(['GET', 'OPTIONS', 'TRACE', 'PURGE', 'M-SEARCH', 'QUERY'], { a: { type: 'string' } }),
      endpoint(['HEAD'], { b: {} }),
    ]),
  ],
  ['/shop/v3/head', route('shop/v3', [endpoint(['HEAD'], { a: { type: 'string' } }), endpoint(['GET'], {})])],
  ...PLAIN_PATTERNS.map((pattern): [string, JsonObject] => [pattern, plain(['GET', 'POST'])]),
  ['/unlisted/v9/thing/(?P<id>\\d+)', route('unlisted/v9', [endpoint(['GET'], { id: { type: 'string' } })])],
  [`/shop/v3/long/${'x'.repeat(1200)}`, plain(['GET'])],
];

function mediaSchema(): JsonObject {
  return {
    title: 'attachment',
    type: 'object',
    properties: { source_url: { type: 'string', format: 'uri' }, media_details: { type: 'object' } },
  };
}

function plain(methods: readonly string[]): JsonObject {
  return route('', [endpoint(methods, { some: { type: 'string' } })]);
}

function route(namespace: string, endpoints: readonly JsonObject[], schema?: JsonObject): JsonObject {
  return { namespace, methods: [], endpoints, ...(schema === undefined ? {} : { schema }) };
}

function endpoint(methods: readonly string[] | string, args: Json, batch = false): JsonObject {
  return { methods, args, ...(batch ? { allow_batch: { v1: true } } : {}) };
}
