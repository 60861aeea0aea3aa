import { expect, test } from 'vitest';
import PACKAGE from '../../package.json' with { type: 'json' };
import { GatewayClock } from '../support/gateway-clock.ts';
import {
  ADMIN,
  type Agent,
  type AgentShop,
  connectAgent,
  failed,
  insist,
  runAgentShop,
  type SiteResponder,
  type ToolOutcome,
  tagOf,
  useAgentShop,
} from './agent.ts';

/** An address that carries data of the site to another server. */
const LEAK = 'https://other.example/?d=a@b.example';
const CUT = '… [cut: 9 characters in all]';
const LONG = `${Array.from({ length: 800 }, (_, at) => `<p>Paragraph ${at} of a long page.</p>`).join('\n')}ababa`;

const RIGHTS_TO_DELETE = { writes: ['delete'], unasked: true };
const runShop = useAgentShop();
type Opened = Pick<Agent, 'call'> & { readonly shop: AgentShop };

async function open(...settings: Parameters<typeof runShop>): Promise<Opened> {
  const shop = await runShop(...settings);
  return { call: shop.call, shop };
}

/** A post whose text is what the last write made it. */
function createPost(content: string): { readonly respond: SiteResponder; read(): string } {
  let raw = content;
  return {
    read: () => raw,
    respond({ body, method, path }) {
      if (!path.startsWith('/wp/v2/posts/7')) return undefined;
      if (method === 'POST') raw = String(Object(body).content ?? raw);
      const content = { raw, rendered: raw };
      return { body: { id: 7, status: 'draft', title: { raw: 'A' }, content } };
    },
  };
}

const sent = ({ requests }: AgentShop): readonly string[] =>
  requests.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`);

test('a cut text is not written back, and one passage is changed in place', async () => {
  const post = createPost(LONG);
  const { call } = await open(post.respond, { writes: ['draft'] });
  const update = { id: 'updatePost', path: { id: 7 } };
  const refused = await call('write_operation', { ...update, body: { content: CUT } });
  expect(refused).toMatchObject(failed('"edit_text"'));
  const edit = { member: 'content', old: 'Paragraph 700 of', new: 'Section 700 of' };
  expect((await call('write_operation', { ...update, edit_text: edit })).isError).toBe(false);
  expect(post.read()).toBe(LONG.replace('Paragraph 700 of', 'Section 700 of'));
  for (const [old, problem] of [
    ['of a long page', 'occurs more than once'],
    ['nowhere', 'does not occur'],
    ['aba', 'occurs more than once'],
  ]) {
    const { text: reason } = await call('write_operation', { ...update, edit_text: { ...edit, old } });
    expect(reason).toContain(problem);
  }
});

test('two edits of one post at once are both kept', async () => {
  const post = createPost('one two three');
  const { call } = await open(post.respond, { writes: ['draft'] });
  const write = (id: unknown, old: string): Promise<{ isError: boolean }> => {
    const edit_text = { member: 'content', old, new: old.toUpperCase() };
    return call('write_operation', { id: 'updatePost', path: { id }, edit_text });
  };
  const results = await Promise.all([write(7, 'one'), write('7', 'two'), write(7, 'three')]);
  expect(results.map(({ isError }) => isError)).toEqual([false, false, false]);
  expect(post.read()).toBe('ONE TWO THREE');
});

/** What would reach another item, or not what was meant. The site would see another call, so it sees none. */
test.each([
  [{ id: 'updatePost', path: { id: 7 }, query: { id: 8 } }, '"id" in "query" would replace'],
  [{ id: 'updatePost', path: { id: 7 }, query: { ' id[]': 8 } }, '"id[]" in "query" would replace'],
  [{ id: 'createPost', query: { 'images[0][src]x': LEAK } }, 'PHP reads'],
  [{ id: 'createProduct', query: { status: 'draft', 'images[0][src]': LEAK } }, 'PHP reads'],
  [{ id: 'createPost', query: { '.envelope': 1 } }, 'form of the response'],
  [{ id: 'createPost', query: { images: [{ 'src]x[': LEAK }] } }, 'PHP reads'],
  [{ id: 'updatePost', path: { id: 7 }, query: { content: `a${CUT}` } }, 'was cut'],
  [{ id: 'updatePost', path: { id: 7 }, edit_text: { member: 'a', old: 'a', new: `b${CUT}` } }, 'was cut'],
  [{ id: 'updatePost', path: { id: 7 }, body: { id: 8, title: 'A' } }, '"id" in "body" would replace'],
  [{ id: 'updatePost', path: { id: 7, post: 8 }, body: { title: 'A' } }, '"path" takes id, and no "post"'],
  [{ id: 'updatePost', path: { id: 2 ** 53 }, body: { title: 'A' } }, 'beyond 2^53'],
  [{ id: 'updatePost', path: '{"id": 9007199254740993}', body: { title: 'A' } }, 'beyond 2^53'],
  [{ id: 'updatePost', path: { id: 7 }, body: [{ title: 'A' }] }, '"body" must be one object'],
  [{ id: 'createPost', body: { titel: 'A' } }, '"titel" (did you mean "title"?). It would be ignored.'],
  [{ id: 'createPost', data: { title: 'A' } }, 'and no "data"'],
  [{ id: 'updatePost', path: { id: 7 }, restore: 3, body: {} }, 'in place of each other'],
  [{ id: 'createPost', body: 'title' }, '"body" must be of the type object'],
])('the write %j is refused', async (args, message) => {
  const { call, shop } = await open(() => undefined, { writes: ['draft'] });
  expect(await call('write_operation', args)).toMatchObject(failed(message));
  expect(shop.requests).toEqual([]);
});

test('a place past the end is named, and an error says what of it is left out', async () => {
  const data = Object.fromEntries(Array.from({ length: 999 }, (_, at) => [`p${at}`, at]));
  const long = { code: 'x', message: 'm', data };
  const { call } = await open(({ path }) =>
    path.includes('/7') ? { status: 400, body: long } : { body: [1, 2] },
  );
  const past = await call('read_operation', { id: 'listPosts', from: 50 });
  expect(past.text).toContain('"from" is past the end: there are 2 items');
  const failed = await call('read_operation', { id: 'getPost', path: { id: 7 } });
  expect(failed.text).toMatch(/^HTTP 400.*members are left out/);
});

test('the text of a member is read on, and what the response lacks is named', async () => {
  const text = 'word '.repeat(2_000);
  const { call } = await open(() => ({ body: { id: 7, content: { rendered: text } } }));
  const read = { id: 'getPost', path: { id: 7 } };
  const part = await call('read_operation', { ...read, fields: ['content'], from: 5_000 });
  expect(part.content).toContain('[continued from 5000] …');
  const raw = await call('read_operation', { ...read, fields: ['content.raw'] });
  expect(raw.text).toContain(
    'The response has no "content.raw": "query": {"context": "edit"} shows texts as stored',
  );
});

test('advice by a code is given for its status only', async () => {
  const body = { code: 'rest_forbidden', message: 'Invalid refund amount.' };
  let status = 500;
  const { call } = await open(() => ({ status, body }));
  const first = await call('read_operation', { id: 'listPosts' });
  expect(first).toMatchObject({
    text: 'HTTP 500',
    content: expect.stringContaining('Invalid refund amount.'),
  });
  status = 403;
  expect((await call('read_operation', { id: 'listPosts' })).text).toContain('Sign in as a user');
});

test('the site is asked for first members, and the rest is selected here', async () => {
  const { call, shop } = await open(() => ({
    body: [{ id: 1, line_items: [{ name: 'Cup', sku: 'c' }], total: '9' }],
  }));
  const fields = ['line_items.name', 'total'];
  const { content, text } = await call('read_operation', { id: 'listOrders', fields });
  expect(JSON.parse(content)).toEqual([{ line_items: [{ name: 'Cup' }], total: '9' }]);
  expect(text).toBe('HTTP 200');
  expect(sent(shop)).toEqual(['GET /wc/v3/orders?_fields=line_items,total']);
});

test.each([
  [{ onsale: true }, '"onsale" (did you mean "on_sale"?). The site ignores it.'],
  [{ zzz: 1 }, 'describe_operation lists'],
])('a read with the query %j is sent, and says what is wrong with it', async (query, message) => {
  const { call, shop } = await open();
  expect((await call('read_operation', { id: 'listProducts', query })).text).toContain(message);
  expect(sent(shop).length).toBe(1);
});

test('arguments that a client writes as texts are read, what it adds itself is left out, and null of a body is sent', async () => {
  const { call, shop } = await open(createPost('A').respond, { writes: ['draft'] });
  const written = { id: 'listPosts', query: '{"per_page":2}', fields: ' id,, title ', from: '0', path: null };
  expect((await call('read_operation', { ...written, toolCallId: 'x' })).isError).toBe(false);
  await call('read_operation', { id: 'listPosts', path: [], fields: '' });
  await call('read_operation', { id: 'listPosts', query: { search: null, per_page: 1 } });
  await call('write_operation', { id: 'createPost', body: '{"title":"A","date":null}' });
  expect(shop.requests.at(-1)?.body).toEqual({ title: 'A', date: null });
  expect(sent(shop).map((line) => line.replace(/\?_fields=id,status.*/, ''))).toEqual([
    'GET /wp/v2/posts?per_page=2&_fields=id,title',
    'GET /wp/v2/posts',
    'GET /wp/v2/posts?per_page=1',
    'POST /wp/v2/posts',
  ]);
});

/** Items by their paths, as an administrator reads them. */
const ITEMS: Readonly<Record<string, object>> = {
  '/wp/v2/posts/1': { id: 1, status: 'draft', title: { raw: 'A' }, content: { raw: 'One' } },
  '/wp/v2/posts/2': { id: 2, status: 'publish', title: { raw: 'B' }, content: { raw: 'Two' } },
  '/wp/v2/posts/3': { id: 3, status: 'inherit' },
  '/wp/v2/posts/4': { id: 4, status: 'archived' },
  '/wp/v2/posts/5': { id: 5 },
  '/wp/v2/posts/6': { id: 6, status: 'auto-draft', slug: '' },
  '/wp/v2/pages/9': { id: 9, status: 'draft', slug: 'a', parent: 0, title: { raw: 'P' } },
  '/wp/v2/media/8': { id: 8, status: 'inherit', alt_text: 'Sun' },
  '/wc/v3/products/2': { id: 2, status: 'publish', type: 'variable', name: 'Hats' },
  '/wc/v3/products/6': { id: 6, status: 'private', type: 'simple', name: 'Cup' },
};
const respondWithItems: SiteResponder = ({ method, path }) => {
  const item = ITEMS[path.replace(/\?.*/, '').replace('/autosaves', '')];
  return item === undefined && method === 'GET'
    ? { status: 404, body: { code: 'x' } }
    : { body: item ?? { id: 99 } };
};
const HTML =
  '<script>a()</script><img src="https://other.example/?d=1"><!-- wp:unknown/block /-->[insert_php]';

/** What a value contains is never looked at: who sees its effect decides. */
test.each<[id: string, path: number | null, body: object, isSent: boolean]>([
  ['createPost', null, { content: HTML, meta: { footnotes: HTML } }, true],
  ['createPost', null, { content: HTML, status: 'pending' }, true],
  ['createPost', null, { content: 'x', status: 'Publish' }, false],
  ['updatePost', 1, { content: HTML }, true],
  ['updatePost', 1, { status: 'private' }, true],
  ['updatePost', 3, { content: 'x' }, false],
  ['updatePost', 4, { content: 'x' }, false],
  ['updatePost', 5, { content: 'x' }, false],
  ['updatePost', 404, { content: 'x' }, false],
  // A page of the same slug hides a public post, and public pages are found below their parent.
  ['createPost', null, { title: 'x', slug: 'news' }, true],
  ['updatePost', 1, { slug: 'news' }, true],
  ['updatePost', 6, { slug: 'news' }, false],
  ['createPage', null, { title: 'x', parent: 2 }, true],
  ['updatePage', 9, { slug: 'a', parent: 0, title: 'Q' }, true],
  ['updatePage', 9, { slug: 'news' }, false],
  ['updatePage', 9, { parent: 2 }, false],
  ['createProduct', null, { name: 'x', status: 'draft', slug: 'cup' }, false],
  // The site would fetch it.
  ['createProduct', null, { name: 'x', status: 'draft', images: [{ src: LEAK }] }, false],
  ['createPostAutosave', 1, { content: 'x' }, true],
  ['createProduct', null, { name: 'Free', downloads: [{ file: '/etc/passwd' }], regular_price: '0' }, false],
  ['createProduct', null, { name: 'Free', status: 'draft', downloads: [{ file: '/etc/passwd' }] }, true],
  ['updateProduct', 6, { meta_data: [{ key: '_encloseme', value: '1' }] }, true],
  ['updateProduct', 6, { images: [{ id: 8, alt: 'x' }] }, false],
  ['createCoupon', null, { code: 'all', amount: '100', discount_type: 'percent' }, false],
])('at draft, %s of %j with %j is sent: %s', async (id, item, body, isSent) => {
  const { call, shop } = await open(respondWithItems, { writes: ['draft'], unasked: true });
  const args = { id, ...(item !== null && { path: { id: item } }), body };
  const last = await insist({ call }, 'write_operation', args);
  expect(last).toMatchObject(
    isSent
      ? { text: expect.stringMatching(/^HTTP 200/) }
      : failed(/^(?:create|update)P/.test(id) ? 'a person publishes it in wp-admin' : 'its level is publish'),
  );
  expect(sent(shop).filter((line) => line.startsWith('POST')).length).toBe(isSent ? 1 : 0);
});

const TRASH = { status: 'trash' };
test.each<[writes: string, tool: string, id: string, body: object, end: RegExp]>([
  ['delete', 'delete', 'updatePost', TRASH, /level is draft and delete: .*--writes draft/],
  ['draft delete', 'delete', 'updatePost', TRASH, /^HTTP 200/],
  ['draft delete', 'write', 'updatePost', TRASH, /call it with delete_operation/],
  ['draft delete', 'write', 'updatePost', { status: 'tr.ash' }, /call it with delete_operation/],
  ['delete', 'delete', 'updateOrder', { ...TRASH, set_paid: true }, /is publish and delete/],
  // The rest of what it changes is public.
  ['draft delete', 'delete', 'updatePost', { ...TRASH, title: 'C' }, /is publish and delete/],
  // A variable product loses its variations by another type, for good.
  ['draft delete', 'delete', 'updateProduct', { type: 'simple' }, /is publish and delete/],
  ['publish', 'write', 'updateProduct', { type: 'simple' }, /and delete: /],
  ['publish delete', 'delete', 'updateProduct', { type: 'simple' }, /^HTTP 200/],
  ['publish', 'write', 'updateProduct', { type: 'variable' }, /^HTTP 200/],
  // The site deletes it after days.
  ['publish', 'write', 'updatePost', { status: 'auto-draft' }, /and delete: /],
  ['publish', 'write', 'updateOrder', { status: 'wc-checkout-draft' }, /and delete: /],
  ['publish', 'write', 'updatePost', { title: 'C' }, /^HTTP 200/],
  ['*Post', 'delete', 'updatePost', TRASH, /^HTTP 200/],
  ['wp/v2/posts*', 'write', 'updatePost', { title: 'C' }, /^HTTP 200/],
  ['wp/v2/tags*', 'write', 'updatePost', { title: 'C' }, /its level is publish/],
  ['manage', 'write', 'updatePost', { title: 'C' }, /its level is publish/],
])('with writes %s, the %s %s %j ends with %s', async (writes, tool, id, body, end) => {
  const { call, shop } = await open(respondWithItems, { writes: writes.split(' '), unasked: true });
  const args = { id, path: { id: 2 }, body };
  expect((await insist({ call }, `${tool}_operation`, args)).text).toMatch(end);
  const written = sent(shop).filter((line) => !line.startsWith('GET'));
  expect(written).toHaveLength(String(end) === '/^HTTP 200/' ? 1 : 0);
});

test('two statuses in one call are of no level that an operator gives without the other', async () => {
  const { call, shop } = await open(respondWithItems, { writes: ['delete'], unasked: true });
  const args = { id: 'updatePost', path: { id: 2 }, query: TRASH, body: { status: 'publish' } };
  expect((await call('delete_operation', args)).isError).toBe(true);
  expect(sent(shop).filter((line) => line.startsWith('POST'))).toEqual([]);
});

test('a write that is managed stays so, whatever it sends, and patterns of nothing name nothing', async () => {
  const user = { username: 'x', email: 'a@example.com', password: 'x', status: 'trash' };
  for (const name of ['delete', '**', '*/*']) {
    const { call } = await open(respondWithItems, { writes: [name], unasked: true });
    const args = { id: 'createUser', query: { status: 'trash' }, body: user };
    expect(await call('delete_operation', args)).toMatchObject(failed('its level is manage'));
  }
});

test('what cannot be read is not replaced, and what the operator hides is compared but not shown', async () => {
  const shown = createStore({ id: 7, status: 'publish', title: { raw: 'Secret plans' } });
  const hidden = await open(shown.respond, { writes: ['publish'], reads: ['wc/v3'], unasked: true });
  const args = { id: 'updatePost', path: { id: 7 }, body: { title: 'B' } };
  const first = await hidden.call('write_operation', args);
  expect(first).toMatchObject({ ...failed('it would replace'), content: '{}' });
  const edit_text = { member: 'title', old: 'Secret', new: 'x' };
  const edited = await hidden.call('write_operation', { ...args, body: null, edit_text });
  expect(edited).toMatchObject(failed('cannot be read'));
  const if_match = tagOf(first);
  expect((await hidden.call('write_operation', { ...args, if_match })).isError).toBe(false);
  const broken = await open(
    ({ method }) => (method === 'GET' ? { status: 500, body: {} } : { body: shown.item }),
    { writes: ['publish'], unasked: true },
  );
  expect(await broken.call('write_operation', args)).toMatchObject(failed('cannot be read with getPost'));
  expect(sent(broken.shop).filter((line) => !line.startsWith('GET'))).toEqual([]);
});

test('an item that is not there is 404', async () => {
  const { call } = await open(() => ({ status: 404, body: { code: 'rest_term_invalid' } }), RIGHTS_TO_DELETE);
  const deleted = await call('delete_operation', { id: 'deleteTag', path: { id: 9 } });
  expect(deleted).toMatchObject(failed('HTTP 404'));
});

test('no comparison makes the site render a text', async () => {
  const { call, shop } = await open(respondWithItems, { writes: ['draft'] });
  const args = { id: 'updatePost', path: { id: 1 }, body: { title: 'B', excerpt: '', content: 'x' } };
  expect((await insist({ call }, 'write_operation', args)).text).toMatch(/^HTTP 200/);
  const asked = shop.requests.map(({ path }) => new URL(path, 'http://a').searchParams.get('_fields'));
  expect(asked.length).toBe(3);
  for (const fields of asked)
    expect(
      fields
        ?.split(',')
        .filter((name) => /^(?:title|content|excerpt)/.test(name))
        .toSorted(),
    ).toEqual(['content.raw', 'title.raw']);
});

/** A site whose items are changed by writes, and by a person. */
function createStore(item: Record<string, unknown>): {
  readonly respond: SiteResponder;
  readonly item: Record<string, unknown>;
} {
  return {
    item,
    respond({ body, method }) {
      for (const [name, value] of method === 'GET' ? [] : Object.entries(Object(body)))
        item[name] =
          typeof item[name] === 'object' && item[name] !== null && !Array.isArray(item[name])
            ? { raw: value }
            : value;
      return { body: item };
    },
  };
}

test('a write names what was read, and is refused with what has changed since', async () => {
  const { item, respond } = createStore({
    id: 7,
    status: 'draft',
    title: { raw: 'A' },
    content: { raw: 'One.' },
  });
  const { call } = await open(respond, { writes: ['draft'] });
  const args = { id: 'updatePost', path: { id: 7 } };
  const read = await call('read_operation', { id: 'getPost', path: { id: 7 } });
  const if_match = tagOf(read);
  item['content'] = { raw: 'One, and a paragraph of a person.' };
  const late = await call('write_operation', { ...args, body: { content: 'Two.' }, if_match });
  expect(late).toMatchObject(failed('changed since it was read: content.'));
  expect(late.content).toContain('a paragraph of a person');
  const unread = await call('write_operation', { ...args, body: { title: 'B' } });
  expect(unread).toMatchObject({
    ...failed('it would replace what the site has now'),
    content: '{"title":{"raw":"A"}}',
  });
  const again = { ...args, body: { title: 'B' }, if_match: tagOf(unread) };
  expect((await call('write_operation', again)).isError).toBe(false);
  expect(item['title']).toEqual({ raw: 'B' });
});

const WORDS = 'слово '.repeat(1_900);
const TABLE = '<table><tr><td>Size guide</td></tr><tr><td>S36</td></tr></table>';

/** What a reader has not seen as it is stored is not replaced by what it has seen. */
test.each([
  ['the beginning of a long text', { description: WORDS }, { description: `${WORDS.slice(0, 600)}!` }],
  [
    'the beginning of a long text in a list',
    { meta_data: [{ key: 'a', value: WORDS }] },
    { meta_data: [{ key: 'a', value: `${WORDS.slice(0, 600)}!` }] },
  ],
  ['a table that was read as lines', { description: TABLE }, { description: 'Size guide\nS37' }],
  [
    'a masked secret',
    { meta_data: [{ key: 'api_key', value: 'of the owner' }] },
    { meta_data: [{ key: 'api_key', value: '[secret]' }] },
  ],
  [
    'a text in a list that was read as a line',
    { attributes: [{ name: 'A', text: '<b>x</b>' }] },
    { attributes: [{ name: 'A', text: 'x' }] },
  ],
])('%s is not written back', async (_, present, body) => {
  const { respond } = createStore({ id: 6, status: 'draft', ...present });
  const { call, shop } = await open(respond, { writes: ['draft'] });
  const read = await call('read_operation', { id: 'getProduct', path: { id: 6 } });
  const if_match = tagOf(read);
  const args = { id: 'updateProduct', path: { id: 6 }, body, if_match };
  expect(await call('write_operation', args)).toMatchObject(failed('was'));
  expect(sent(shop).filter((line) => line.startsWith('P'))).toEqual([]);
});

test('a text that was read whole, as it is stored, is replaced, and what the site stored otherwise is told', async () => {
  const { item, respond } = createStore({ id: 6, status: 'draft', description: TABLE, name: 'Cup' });
  const { call } = await open(
    (request) => {
      const answer = respond(request);
      item['description'] = String(item['description']).replace(/<iframe.*<\/iframe>/, '');
      return answer;
    },
    { writes: ['draft'] },
  );
  const description = `${TABLE.replace('S36', 'S37')}<iframe src="/x"></iframe>`;
  const readAndWrite = async (more: object): Promise<ToolOutcome> => {
    const item = { id: 'getProduct', path: { id: 6 }, raw: true, fields: ['description'], ...more };
    const read = await call('read_operation', item);
    const if_match = tagOf(read);
    const write = { id: 'updateProduct', path: { id: 6 }, body: { description }, if_match };
    return call('write_operation', write);
  };
  const edit = { query: { context: 'edit' } };
  for (const other of [{ raw: false }, { from: 9 }, { fields: ['a.rendered'] }, { fields: ['name'] }])
    expect(await readAndWrite({ ...edit, ...other })).toMatchObject(failed('description was not seen whole'));
  const { content, text } = await readAndWrite(edit);
  expect(text).toBe('HTTP 200. The site has stored description without <iframe>');
  expect(JSON.parse(content)).toEqual({ id: 6, status: 'draft' });
  expect(item['description']).toBe(TABLE.replace('S36', 'S37'));
});

test.each([
  [504, true],
  [502, true],
  [500, false],
])(
  'of a write that the site answers with %d, it is said that it may have been carried out: %s',
  async (status, isUncertain) => {
    const { call } = await open(
      ({ method }) => (method === 'POST' ? { status, body: { code: 'x' } } : undefined),
      { writes: ['draft'] },
    );
    const { text } = await call('write_operation', { id: 'createPost', body: { title: 'A' } });
    expect(text.includes('may have been carried out: read before')).toBe(isUncertain);
  },
);

test('the site sees which program and client call', async () => {
  const { version } = PACKAGE;
  const shop = await runShop();
  for (const era of ['auto', 'legacy'] as const) {
    const { call, client } = await connectAgent(shop.url, ADMIN, era);
    expect(client.getServerVersion()).toMatchObject({ name: 'waygate', title: 'waygate: shop', version });
    await call('read_operation', { id: 'listPosts' });
  }
  const agents = shop.requests.map(({ headers }) => headers['user-agent']);
  expect(agents[0]).toBe(`waygate-mcp/${version} (test 1)`);
  // It introduced itself in another message, which leaves no state.
  expect(agents[1]).toMatch(/^waygate-mcp\/\S+ \(.+\)$/);
});

test('a stored response says how old it is, and can be asked for again', async () => {
  const clock = new GatewayClock();
  const shop = await runAgentShop(() => ({ body: { id: 7 } }), true, { cache: {}, gateway: { clock } });
  const { call } = await connectAgent(shop.url);
  const args = { id: 'getPost', path: { id: 7 } };
  expect((await call('read_operation', args)).text).toBe('HTTP 200');
  clock.pass(5_000);
  expect((await call('read_operation', args)).text).toMatch(
    /^HTTP 200\. Stored [5-9] s ago: "fresh": true asks the site again$/,
  );
  expect((await call('read_operation', { ...args, fresh: true })).text).toBe('HTTP 200');
  expect(shop.requests.length).toBe(2);
});

const HIDDEN = 'hidden-text';

/** Members of a response, and what of them is secret. */
const SECRETS = {
  id: 1,
  consumer_secret: HIDDEN,
  settings: [
    { api_key: [HIDDEN], client_secret: { a: HIDDEN } },
    { smtp_password: HIDDEN },
    { next_page_token: 'a' },
    { type: 'password', value: HIDDEN },
    { key: 'stripe_secret_key', value: HIDDEN },
    { id: 'consumer-secret', value: HIDDEN },
    { name: 'clientSecret', value: HIDDEN },
    { name: 'smtp-password', publishable_key: 'a' },
    { key: 'aws_secret_access_key', value: HIDDEN },
    { access_key: HIDDEN, token: HIDDEN },
    { user: 'a', pass: HIDDEN, password: HIDDEN },
    { license_key: HIDDEN, smtp_pwd: HIDDEN, slack_webhook: { url: HIDDEN }, user_activation_key: HIDDEN },
    { session_tokens: { a: { ip: HIDDEN, ua: 'A browser' } }, order_key: HIDDEN, live_sk: HIDDEN },
    {
      meta_key: 'a-long-name',
      sort_key: 'a-long-name',
      webhook_topic: 'saved',
      cookie_text: 'We use cookies',
    },
    { slug: 'a', date_gmt: '2030-01-01T00:00:00', password: 'of a post' },
  ],
};

test('secrets of the site are in no result, and a password is not created', async () => {
  const { call } = await open(() => ({ body: { ...SECRETS, api_key: 12_345_678 } }), {
    ...{ writes: ['createUserApplicationPassword'], reads: ['*', 'getWebhook'], unasked: true },
  });
  const read = await call('read_operation', { id: 'getWebhook', path: { id: 1 } });
  const shown = JSON.parse(JSON.stringify(SECRETS).replaceAll(HIDDEN, '[secret]'));
  expect(JSON.parse(read.content)).toEqual({ ...shown, api_key: '[secret]' });
  const creation = { id: 'createUserApplicationPassword', path: { user_id: 1 }, body: { name: 'x' } };
  const created = await call('write_operation', creation);
  expect(created.text).toContain('A person creates it in wp-admin');
});

const creation = { id: 'createPost', body: { status: 'draft' } };

test('a notice before the JSON is shown, and the JSON is read', async () => {
  const text = '<b>Notice</b>: Undefined index in acme.php\n{"id":7,"status":"draft"}';
  const { call } = await open(() => ({ text, headers: { 'content-type': 'text/html' } }), {
    writes: ['draft'],
  });
  expect(await call('write_operation', creation)).toEqual({
    isError: false,
    text: 'HTTP 200. The site has printed a text before the JSON',
    content: 'Notice: Undefined index in acme.php\n{"id":7,"status":"draft"}',
  });
});

test.each(['{"id":7', 'Fatal error'])(
  'a write that was answered with %s may have been carried out',
  async (text) => {
    const { call } = await open(() => ({ text }), { writes: ['draft'] });
    const created = await call('write_operation', creation);
    expect(created.text).toContain('It may have been carried out');
    expect(JSON.parse(created.content)).toBe(text);
  },
);

test('embedded items are left out where the operator has narrowed what is read', async () => {
  const post = { id: 7, _embedded: { author: [{ name: 'Ada' }] } };
  const args = { id: 'listPosts', query: { _embed: 1 } };
  const { call } = await open(() => ({ body: [post] }), { reads: ['listPosts', 'getPost'] });
  const { content, text } = await call('read_operation', args);
  expect(JSON.parse(content)).toEqual([{ id: 7 }]);
  expect(text).toContain('"_embedded" is left out');
  const whole = await open(() => ({ body: [post] }));
  expect(JSON.parse((await whole.call('read_operation', args)).content)).toEqual([post]);
});

/** Thirty posts, of which each write adds tags. */
function createPosts(status: string, refused?: number): SiteResponder {
  const tags = new Map<string, unknown>();
  return ({ body, method, path }) => {
    const id = /^\/wp\/v2\/posts\/0*(\d+)/.exec(path)?.[1];
    if (id === undefined) return undefined;
    if (method === 'POST' && Number(id) === refused)
      return { status: 403, body: { code: 'x', message: 'Not yours.' } };
    if (method === 'POST') tags.set(id, Object(body).tags);
    return { body: { id: Number(id), status, title: { raw: `Post ${id}` }, tags: tags.get(id) ?? [] } };
  };
}

const THIRTY = Array.from({ length: 30 }, (_, at) => at + 1);

test('thirty posts are tagged by one list, whose refusal names the hash of each', async () => {
  const { call, shop } = await open(createPosts('draft', 7), { writes: ['draft'] });
  const tag = (calls: unknown[]): Promise<ToolOutcome> =>
    call('write_operation', { id: 'updatePost', body: { tags: [5] }, calls });
  const first = await tag(THIRTY.map((id) => ({ path: { id } })));
  expect(first).toMatchObject(failed('it would replace what the site has now'));
  expect(JSON.parse(first.content)[29]).toEqual({ tags: [] });
  const hashes = Array.from(first.text.matchAll(/"if_match": "([^"]+)"/g), ([, hash]) => hash);
  const calls = THIRTY.map((id, at) => ({ path: { id }, if_match: hashes[at] }));
  const isWrite = (line: string): boolean => line.startsWith('POST');
  for (const wrong of [
    [...calls.slice(1), { path: { id: 1 }, if_match: 'unread' }],
    [...calls, { path: { id: '01' }, if_match: hashes[0] }],
    [{ ...calls[0], id: 'deletePost' }],
    [],
    Array.from({ length: 51 }, () => calls[0] ?? {}),
  ])
    expect((await tag(wrong)).isError).toBe(true);
  const create = { id: 'createPost', body: { title: 'A' } };
  expect((await call('write_operation', { ...create, calls: [5, null] })).isError).toBe(true);
  expect(sent(shop).filter(isWrite)).toEqual([]);
  const { content, text } = await tag(calls);
  expect(text).toMatch(/^calls 0, 1, .*, 29: HTTP 200\ncalls 6: HTTP 403/s);
  expect(JSON.parse(content)[29]).toEqual({ id: 30, status: 'draft' });
  expect(JSON.parse(content)[6]).toMatchObject({ message: 'Not yours.' });
  expect(sent(shop).filter(isWrite).length).toBe(30);
});

test('a list whose content is too long says which calls it leaves out', async () => {
  const title = { raw: 'Some words of a title. '.repeat(40) };
  const { call } = await open(
    ({ path }) => ({ body: { id: Number(/posts\/(\d+)/.exec(path)?.[1]), status: 'draft', title } }),
    { writes: ['draft'] },
  );
  const calls = THIRTY.map((id) => ({ path: { id } }));
  const { content, text } = await call('write_operation', { id: 'updatePost', body: { title: 'A' }, calls });
  const empty: number[] = JSON.parse(content).flatMap((each: unknown, at: number) =>
    each === null ? [at] : [],
  );
  expect(empty.length).toBeGreaterThan(0);
  expect(text).toContain(`calls ${empty.join(', ')} is left out`);
});
