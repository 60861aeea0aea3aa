// @ts-check

/** An address of a guest. */
export const ADDRESS = {
  first_name: 'Peter',
  last_name: 'Venkman',
  company: '',
  address_1: '550 Central Park West',
  address_2: '',
  city: 'New York',
  state: 'NY',
  postcode: '10023',
  country: 'US',
  email: 'peter@example.com',
  phone: '555-2368',
};

/**
 * Fills the shop of a new site: three products, one with variations, ways to pay and to ship, a coupon, a customer with an order.
 *
 * @param {import('../wordpress/start.d.mts').WordPressInfo} site
 * @returns {Promise<{ ids: Record<string, number>, customer: { username: string, password: string } }>}
 */
export async function fillShop(site) {
  const send = sender(site);
  const post = async (/** @type {string} */ path, /** @type {object} */ body) =>
    (await send('POST', path, body)).id;
  const first = async (/** @type {string} */ path) => (await send('GET', path))[0].id;

  const clothing = await post('/wc/v3/products/categories', { name: 'Clothing' });
  const hats = await post('/wc/v3/products/categories', { name: 'Hats', parent: clothing });
  const kitchen = await post('/wc/v3/products/categories', { name: 'Kitchen' });
  const summer = await post('/wc/v3/products/tags', { name: 'Summer' });
  const color = await post('/wc/v3/products/attributes', { name: 'Color', slug: 'pa_color' });
  for (const name of ['Red', 'Blue']) await post(`/wc/v3/products/attributes/${color}/terms`, { name });
  const cap = await post('/wc/v3/products', {
    name: 'Cap',
    sku: 'cap',
    regular_price: '15.00',
    sale_price: '12.50',
    categories: [{ id: hats }],
    tags: [{ id: summer }],
  });
  const mug = await post('/wc/v3/products', {
    name: 'Mug',
    regular_price: '8.00',
    categories: [{ id: kitchen }],
  });
  const hoodie = await post('/wc/v3/products', {
    name: 'Hoodie',
    type: 'variable',
    categories: [{ id: clothing }],
    attributes: [
      { id: color, variation: true, visible: true, options: ['Red', 'Blue'] },
      { name: 'Logo', variation: true, visible: true, options: ['Yes', 'No'] },
    ],
  });
  const variation = (/** @type {string} */ option) =>
    post(`/wc/v3/products/${hoodie}/variations`, {
      sku: `hoodie-${option.toLowerCase()}`,
      regular_price: '40.00',
      attributes: [{ id: color, option }],
    });
  const red = await variation('Red');
  await variation('Blue');
  for (const rating of [5, 4]) {
    const author = { reviewer: 'Winston', reviewer_email: `winston${rating}@example.com` };
    await post('/wc/v3/products/reviews', { product_id: cap, review: `${rating} stars`, rating, ...author });
  }
  await post('/wc/v3/coupons', { code: 'ten', discount_type: 'percent', amount: '10' });
  for (const gateway of ['cod', 'bacs'])
    await send('PUT', `/wc/v3/payment_gateways/${gateway}`, { enabled: true });
  const { id: rate } = await send('POST', '/wc/v3/shipping/zones/0/methods', { method_id: 'flat_rate' });
  await send('PUT', `/wc/v3/shipping/zones/0/methods/${rate}`, { settings: { cost: '5.00' } });
  await send('POST', '/wc/v3/shipping/zones/0/methods', { method_id: 'local_pickup' });

  const customer = await post('/wc/v3/customers', {
    email: 'ray@example.com',
    username: 'ray',
    password: 'firehouse',
    first_name: 'Ray',
    last_name: 'Stantz',
    billing: { ...ADDRESS, first_name: 'Ray', last_name: 'Stantz', email: 'ray@example.com' },
  });
  await send('POST', `/wp/v2/users/${customer}`, { name: 'Ray Stantz' });
  const application = await send('POST', `/wp/v2/users/${customer}/application-passwords`, {
    name: 'programs',
  });
  const order = await post('/wc/v3/orders', {
    customer_id: customer,
    status: 'processing',
    line_items: [{ product_id: cap, quantity: 2 }],
  });
  const ids = {
    ...{ cap, mug, hoodie, red, clothing, customer, order },
    post: await first('/wp/v2/posts?slug=post-1'),
    category: await first('/wp/v2/categories?slug=local'),
    image: await first('/wp/v2/media?media_type=image'),
  };
  return { ids, customer: { username: 'ray', password: application.password } };
}

/**
 * Creates a board of Fluent Boards with its stages, three tasks, and a comment, a label and an assignee on the first.
 *
 * @param {import('../wordpress/start.d.mts').WordPressInfo} site
 * @returns {Promise<Record<string, number>>} ids
 */
export async function fillBoards(site) {
  const send = sender(site);
  const { board } = await send('POST', '/fluent-boards/v2/projects', {
    board: { title: 'Launch', type: 'to-do' },
  });
  const path = `/fluent-boards/v2/projects/${board.id}`;
  const { board: read } = await send('GET', path);
  const [backlog, doing] = read.stages.map((/** @type {{ id: number }} */ stage) => stage.id);
  const { updatedStages } = await send('POST', `${path}/stage-create`, { title: 'Old' });
  await send('PUT', `${path}/archive-stage/${updatedStages.at(-1).id}`);
  const [task] = await Promise.all(
    ['urgent', 'low', 'low'].map(async (priority, at) => {
      const given = { title: `Task ${at}`, board_id: board.id, stage_id: backlog, priority };
      return (await send('POST', `${path}/tasks`, { task: given })).task.id;
    }),
  );
  const { label } = await send('POST', `${path}/labels`, {
    label: 'Press',
    color: '#FFFFFF',
    bg_color: '#D32F2F',
  });
  await send('POST', `${path}/labels/task`, { taskId: task, labelId: label.id });
  await send('POST', `${path}/tasks/${task}/assign-yourself`);
  await send('POST', `${path}/tasks/${task}/comments`, { comment: 'First.', comment_type: 'comment' });
  await send('POST', '/fluent-boards/v2/webhooks', { name: 'Form', board: board.id, stage: backlog });
  return { board: board.id, backlog, doing, task };
}

/**
 * Sends requests of an administrator. A response with an error is thrown.
 *
 * @param {import('../wordpress/start.d.mts').WordPressInfo} site
 * @returns {(method: string, path: string, body?: object) => Promise<any>}
 */
function sender(site) {
  const { user, password } = site.users.administrator;
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return async (method, path, body) => {
    const response = await fetch(`${site.url}wp-json${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}
