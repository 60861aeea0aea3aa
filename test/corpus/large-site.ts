import type { JsonObject } from '../../src/json.ts';
import { type Kind, NAMESPACES } from './large-resources.ts';
import { describeItem, ITEMS, itemSchema } from './large-schemas.ts';

type Endpoint = readonly [methods: readonly string[], args: JsonObject];

const EDITABLE = ['POST', 'PUT', 'PATCH'];
const CONTEXT: JsonObject = {
  description: 'Scope under which the request is made; determines fields present in response.',
  type: 'string',
  enum: ['view', 'embed', 'edit'],
  default: 'view',
  required: false,
};
const FORCE: JsonObject = {
  description: 'Whether to bypass the trash and force deletion.',
  type: 'boolean',
  default: false,
  required: false,
};
const ID: JsonObject = {
  description: 'Unique identifier for the resource.',
  type: 'integer',
  required: false,
};

/**
 * The root index of a site with a blog, a shop, boards and more: about 1,200 operations, with `schema` as for
 * `context=help`. Two calls give the same.
 *
 * @param base the address of the site, without a slash at its end
 */
export function createLargeIndex(base: string): JsonObject {
  const routes: [string, JsonObject][] = [];
  const add = (namespace: string, pattern: string, endpoints: readonly Endpoint[], item?: string): void => {
    routes.push([pattern, describeRoute(base, namespace, pattern, endpoints, item)]);
  };
  add('', '/', [[['GET'], { context: { default: 'view', required: false } }]]);
  for (const [namespace, resources] of Object.entries(NAMESPACES)) {
    const context = { default: 'view', required: false };
    add(namespace, `/${namespace}`, [
      [['GET'], { namespace: { default: namespace, required: false }, context }],
    ]);
    for (const [kind, item, paths] of resources) {
      for (const path of paths.split(' ')) {
        const pattern = `/${namespace}/${path}`.replace(/\{(\w+)\}/g, '(?P<$1>[\\d]+)');
        for (const [tail, names, shown = item] of ROUTES[kind]) {
          const endpoints = names.split(' ').map((name): Endpoint => ENDPOINTS[name]?.(item) ?? [[], {}]);
          add(namespace, pattern + tail, endpoints, shown);
        }
      }
    }
  }
  return {
    name: 'Harbour Stores',
    description: 'A shop, a blog, boards and more',
    url: base,
    home: base,
    gmt_offset: '0',
    timezone_string: 'UTC',
    page_for_posts: 0,
    page_on_front: 0,
    show_on_front: 'posts',
    namespaces: Object.keys(NAMESPACES),
    authentication: {},
    routes: Object.fromEntries(routes),
  };
}

const ONE = '/(?P<id>[\\d]+)';
const REVISIONS = '/(?P<parent>[\\d]+)/revisions';
const PARENT: JsonObject = { ...ID, description: 'The ID for the parent of the revision.' };

/** The endpoints of a route, by name, for an item. */
const ENDPOINTS: Readonly<Record<string, (item: string) => Endpoint>> = {
  list: (item) => [['GET'], listArgs(item)],
  create: (item) => [['POST'], itemArgs(item, true)],
  read: () => [['GET'], { id: ID, context: CONTEXT }],
  update: (item) => [EDITABLE, { id: ID, ...itemArgs(item, false) }],
  remove: () => [['DELETE'], { id: ID, force: FORCE }],
  show: () => [['GET'], { context: CONTEXT }],
  edit: (item) => [EDITABLE, itemArgs(item, false)],
  listRevisions: () => [['GET'], { parent: PARENT, ...listArgs('revision') }],
  readRevision: () => [['GET'], { parent: PARENT, id: ID, context: CONTEXT }],
  removeRevision: () => [['DELETE'], { parent: PARENT, id: ID, force: FORCE }],
  readAutosave: () => [['GET'], { parent: PARENT, context: CONTEXT }],
  autosave: (item) => [['POST'], { parent: PARENT, ...itemArgs(item, false) }],
};

type Route = readonly [tail: string, endpoints: string, shown?: string];

const FULL: readonly Route[] = [
  ['', 'list create'],
  [ONE, 'read update remove'],
];

/** The routes of a resource: what follows its path, the endpoints, and their item where it is another one. */
const ROUTES: Readonly<Record<Kind, readonly Route[]>> = {
  report: [['', 'list']],
  readonly: [
    ['', 'list'],
    [ONE, 'read'],
  ],
  settings: [['', 'show edit']],
  children: [
    ['', 'list create'],
    [ONE, 'read remove'],
  ],
  full: FULL,
  bulk: [...FULL, ['/batch', 'edit', 'batch']],
  history: [
    ...FULL,
    [REVISIONS, 'listRevisions', 'revision'],
    [REVISIONS + ONE, 'readRevision removeRevision', 'revision'],
    [`${ONE}/autosaves`, 'readAutosave autosave', 'revision'],
    [`/(?P<parent>[\\d]+)/autosaves${ONE}`, 'readRevision', 'revision'],
  ],
};

function listArgs(item: string): JsonObject {
  const number = (description: string, keywords: JsonObject = {}): JsonObject => ({
    description,
    type: 'integer',
    ...keywords,
    required: false,
  });
  const ids = (description: string): JsonObject => ({
    description,
    type: 'array',
    items: { type: 'integer' },
    default: [],
    required: false,
  });
  const date = (description: string): JsonObject => ({
    description,
    type: 'string',
    format: 'date-time',
    required: false,
  });
  const properties = Object.entries(describeItem(item));
  const filters = properties.filter(
    ([, { enum: values, type }]) => values !== undefined || type === 'boolean',
  );
  const sortable = properties.filter(([, { type }]) => type === 'string').map(([name]) => name);
  return {
    context: CONTEXT,
    page: number('Current page of the collection.', { default: 1, minimum: 1 }),
    per_page: number('Maximum number of items to be returned in result set.', {
      default: 10,
      minimum: 1,
      maximum: 100,
    }),
    search: { description: 'Limit results to those matching a string.', type: 'string', required: false },
    after: date('Limit response to items after a date.'),
    before: date('Limit response to items before a date.'),
    exclude: ids('Ensure result set excludes specific IDs.'),
    include: ids('Limit result set to specific IDs.'),
    offset: number('Offset the result set by a specific number of items.'),
    order: { description: 'Order.', type: 'string', enum: ['asc', 'desc'], default: 'desc', required: false },
    orderby: {
      description: 'Sort collection by an attribute.',
      type: 'string',
      enum: [...new Set(['date', 'id', 'include', ...sortable])].slice(0, 9),
      default: 'date',
      required: false,
    },
    ...Object.fromEntries(
      filters
        .filter(([name], at) => at < 8 || name === 'stock_status')
        .map(([name, { description = '', type = 'string', enum: values }]) => [
          name,
          { description, type, ...(values === undefined ? {} : { enum: values }), required: false },
        ]),
    ),
  };
}

/** The arguments of an item: its properties that can be written, required ones on creation only. */
function itemArgs(item: string, isCreation: boolean): JsonObject {
  const writable = Object.entries(describeItem(item)).filter(
    ([, { readonly: isReadOnly }]) => isReadOnly !== true,
  );
  return Object.fromEntries(
    writable.map(([name, { context: _, required = false, ...property }]) => [
      name,
      { ...property, required: isCreation && required },
    ]),
  );
}

function describeRoute(
  base: string,
  namespace: string,
  pattern: string,
  endpoints: readonly Endpoint[],
  item?: string,
): JsonObject {
  const groups = [...pattern.matchAll(/\(\?P<(\w+)>/g)].map(([, name = '']): [string, JsonObject] => [
    name,
    ID,
  ]);
  return {
    namespace,
    methods: [...new Set(endpoints.flatMap(([methods]) => methods))],
    endpoints: endpoints.map(([methods, args]) => ({
      methods,
      args: { ...Object.fromEntries(groups), ...args },
    })),
    ...(item === undefined || !(item in ITEMS) ? {} : { schema: itemSchema(namespace, item) }),
    ...(groups.length === 0 ? { _links: { self: [{ href: `${base}/wp-json${pattern}` }] } } : {}),
  };
}
