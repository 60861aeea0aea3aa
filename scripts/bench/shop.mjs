/** Arguments of most collections. */
const LIST = {
  page: { description: 'Current page of the collection.', type: 'integer', default: 1, minimum: 1 },
  per_page: {
    description: 'Maximum number of items.',
    type: 'integer',
    default: 10,
    minimum: 1,
    maximum: 100,
  },
  search: { description: 'Limit results to those matching a string.', type: 'string' },
  after: { description: 'Limit response to posts after a date.', type: 'string', format: 'date-time' },
  exclude: { type: 'array', items: { type: 'integer' }, default: [] },
  include: { type: 'array', items: { type: 'integer' }, default: [] },
  offset: { type: 'integer' },
  order: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
  orderby: { type: 'string', enum: ['date', 'id', 'title'], default: 'date' },
};

/**
 * Creates the root index of a shop. Each resource has a list and an item with together seven operations of about ten
 * arguments each, and a schema.
 *
 * @param {number} operations
 */
export function shop(operations) {
  /** @type {Record<string, object>} */
  const routes = {};
  const namespaces = ['shop/v1', 'shop/v2', 'boards/v1', 'wp/v2'];
  for (let number = 0; number * 7 < operations; number++) {
    const namespace = namespaces[number % namespaces.length] ?? 'shop/v1';
    const noun = `thing${number}`;
    const fields = fieldsOf(number);
    const id = { description: 'Unique identifier for the resource.', type: 'integer', required: false };
    const context = { type: 'string', enum: ['view', 'embed', 'edit'], default: 'view', required: false };
    const schema = { title: noun, type: 'object', properties: propertiesOf(number) };
    routes[`/${namespace}/${noun}s`] = {
      namespace,
      methods: ['GET', 'POST'],
      schema,
      endpoints: [
        { methods: ['GET'], args: { context, ...LIST }, allow_batch: { v1: true } },
        { methods: ['POST'], args: fields },
      ],
    };
    routes[`/${namespace}/${noun}s/(?P<id>[\\d]+)`] = {
      namespace,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      schema,
      endpoints: [
        { methods: ['GET'], args: { id, context } },
        { methods: ['POST', 'PUT', 'PATCH'], args: { id, ...fields } },
        { methods: ['DELETE'], args: { id, force: { type: 'boolean', default: false } } },
      ],
    };
  }
  return { name: 'Shop', description: '', url: '', home: '', namespaces, authentication: [], routes };
}

/** @param {number} number */
function fieldsOf(number) {
  return Object.fromEntries(
    Array.from({ length: 10 }, (_, field) => [
      `field_${field}`,
      [
        { description: `Field ${field} of thing ${number}.`, type: 'string', required: field === 0 },
        { description: 'A whole number.', type: 'integer', minimum: 0, exclusiveMinimum: true },
        { type: 'array', items: { type: 'object', properties: { key: { type: 'string', required: true } } } },
        { type: 'object', properties: [], default: [] },
        { type: ['string', 'null'], format: 'date-time', readonly: false },
      ][field % 5] ?? {},
    ]),
  );
}

/** @param {number} number */
function propertiesOf(number) {
  const context = ['view', 'edit', 'embed'];
  return Object.fromEntries(
    Array.from({ length: 20 }, (_, field) => [
      `property_${field}`,
      {
        description: `Property ${field} of thing ${number}.`,
        type: field % 4 === 0 ? 'object' : 'string',
        context: context.slice(0, 1 + (field % 3)),
        readonly: true,
        ...(field % 4 === 0
          ? {
              properties: {
                rendered: { type: 'string', context },
                raw: { type: 'string', context: ['edit'] },
              },
            }
          : {}),
      },
    ]),
  );
}
