// @ts-check

/** From the lowest right to the highest. Each can do what those before it can. */
const ROLES = ['nobody', 'subscriber', 'contributor', 'author', 'editor', 'administrator'];

/**
 * @typedef {{ readonly method: string, readonly path: string, readonly query: readonly string[], readonly fields: readonly string[],
 *   readonly body: (names: readonly string[]) => object, readonly label: (name: string) => string }} ProbedOperation
 * `body`: an example with these fields, and all required ones; `label`: a field with the value that is sent, if others need a lower right
 * @typedef {{ role: string, permission?: string, own?: string, fields?: Record<string, string> }} Right `role`: the lowest that may run it
 * with its required fields, for an item of the administrator; `own`: for an item of itself; `fields`: what needs a higher one; `none`: nobody
 */

/**
 * Sends each operation as each role, from the lowest to the first that is not refused.
 *
 * @param {string} url of a site with `mu-plugins/denied.php`, ending in a slash
 * @param {{ readonly user: string, readonly password: string }} administrator
 * @param {readonly ProbedOperation[]} operations
 * @returns {Promise<readonly (Right & { operations: readonly string[] })[]>} the table: equal rights are one row
 */
export async function runRights(url, administrator, operations) {
  const credentials = new Map([['administrator', basicAuth(administrator)]]);
  const ids = new Map();
  /** @param {string} role @param {string} method @param {string} path @param {object} [body] */
  const send = async (role, method, path, body) => {
    const authorization = credentials.get(role);
    const response = await fetch(`${url}wp-json${path}`, {
      method,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const denied = (response.headers.get('x-denied') ?? '').split(' ').filter((name) => name !== '');
    const text = await response.text();
    const start = text.search(/[[{]/);
    const json = start < 0 ? {} : JSON.parse(text.slice(start));
    return { status: response.status, denied, json };
  };
  /** @param {string} path @param {object} body */
  const create = async (path, body) => {
    const { json, status } = await send('administrator', 'POST', path, body);
    if (status > 201) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`);
    return json;
  };
  let names = 0;
  /** @param {string} role @param {number} id */
  const signIn = async (role, id) => {
    names += 1;
    const path = `/wp/v2/users/${id}/application-passwords`;
    const { password } = await create(path, { name: `rights ${names}` });
    credentials.set(role, basicAuth({ user: `right-${role}`, password }));
  };
  /** @param {string} user @param {string} role @returns {Promise<{ id: number }>} */
  const createUser = (user, role) =>
    create('/wp/v2/users', { username: user, email: `${user}@example.com`, password: user, roles: [role] });
  for (const role of ROLES.slice(1, -1)) {
    const { id } = await createUser(`right-${role}`, role);
    ids.set(role, id);
    await signIn(role, id);
  }
  ids.set('administrator', (await send('administrator', 'GET', '/wp/v2/users/me')).json.id);

  /** An item of each collection that has authors: by `author`, or 0 for the administrator's published one.
   * @type {Record<string, (author: number) => Promise<{ id: number }>>} */
  const authored = {
    posts: (author) => create('/wp/v2/posts', ownPost(author)),
    pages: (author) => create('/wp/v2/pages', ownPost(author)),
    media: async (author) => {
      const headers = { 'content-disposition': 'attachment; filename="a.txt"', 'content-type': 'text/plain' };
      const authorization = credentials.get('administrator') ?? '';
      const request = { method: 'POST', headers: { ...headers, authorization }, body: 'A text.' };
      const { id } = await (await fetch(`${url}wp-json/wp/v2/media`, request)).json();
      return author === 0 ? { id } : create(`/wp/v2/media/${id}`, { author });
    },
    comments: async (author) => {
      const { id } = await create('/wp/v2/posts', ownPost(0));
      return create('/wp/v2/comments', {
        post: id,
        content: `By ${author}, ${id}`,
        ...(author ? { author } : {}),
      });
    },
    users: async (author) => {
      if (author !== 0) return { id: author };
      names += 1;
      const { id } = await createUser(`other-${names}`, 'subscriber');
      await create(`/wp/v2/users/${id}/application-passwords`, { name: 'A' });
      // Everybody can read the authors of posts.
      await create('/wp/v2/posts', { ...ownPost(0), author: id });
      return { id };
    },
  };
  /** @param {number} author */
  function ownPost(author) {
    return author === 0
      ? { title: 'A', content: 'a', status: 'publish' }
      : { title: 'B', content: 'b', status: 'draft', author };
  }
  /** @type {Map<string, Promise<{ id: number }>>} */
  const items = new Map();
  /** @param {string} collection @param {number} author @param {boolean} isKept */
  const provide = (collection, author, isKept) => {
    const key = `${collection} ${author}`;
    const item = (isKept ? items.get(key) : undefined) ?? authored[collection]?.(author);
    if (item === undefined) throw new Error(`${collection} has no authors`);
    if (isKept) items.set(key, item);
    return item;
  };
  /** @type {Map<string, Promise<string>>} */
  const firstItems = new Map();
  /** @param {string} collection path without parameters left @param {boolean} isKept */
  const findFirst = (collection, isKept) => {
    let found = isKept ? firstItems.get(collection) : undefined;
    if (found === undefined) {
      found = send('administrator', 'GET', collection).then(({ json }) => {
        const [first] = Array.isArray(json) ? json : Object.values(json);
        const { id, name, plugin, slug, stylesheet, uuid } = Object(first);
        return String(uuid ?? plugin ?? id ?? stylesheet ?? slug ?? name ?? 1);
      });
      firstItems.set(collection, found);
    }
    return found;
  };
  /** @param {string} template @param {number} author @param {boolean} isKept */
  const fill = async (template, author, isKept) => {
    let path = '';
    for (const segment of template.split('/').slice(1)) {
      const [, collection = '', item] = /^\/wp\/v2\/(\w+)(\/\d+)?$/.exec(path) ?? [];
      if (item !== undefined && segment === 'revisions') await create(path, { content: 'c' });
      if (item !== undefined && segment === 'autosaves') await create(`${path}/autosaves`, { content: 'd' });
      if (!segment.includes('{')) path += `/${segment}`;
      else if (Object.hasOwn(authored, collection) && item === undefined)
        path += `/${(await provide(collection, author, isKept)).id}`;
      // The first one can be of the role that has tried to create one.
      else if (path === '/wp/v2/blocks' && !isKept) path += `/${(await create(path, ownPost(0))).id}`;
      else path += `/${await findFirst(path, isKept)}`;
    }
    return path;
  };

  /** @param {ProbedOperation} operation @param {readonly string[]} names @param {boolean} [isOwn] */
  const findRole = async ({ body, method, path }, names, isOwn = false, from = 'nobody') => {
    const [query] = names.filter((name) => name.includes('='));
    /** @type {string[]} */
    let lacking = [];
    let last = 0;
    for (const role of ROLES.slice(Math.max(ROLES.indexOf(from), isOwn ? 1 : 0))) {
      const target = await fill(path, isOwn ? ids.get(role) : 0, method !== 'DELETE');
      const { denied, json, status } = await send(
        role,
        method,
        method === 'DELETE'
          ? `${target}?force=false&reassign=1`
          : query === undefined
            ? target
            : `${target}?${query}`,
        method === 'POST' ? body(names) : undefined,
      );
      if (method === 'DELETE' && isOwn && role !== 'administrator') await signIn(role, ids.get(role));
      const details = Object.values(Object(json.data?.details));
      const isForbidden = details.some(({ code }) => /forbidden/.test(code));
      // WordPress validates arguments before it asks for the right.
      if (/^rest_(?:invalid_param|missing_callback_param)$/.test(json.code) && !isForbidden)
        return { role: 'unknown' };
      last = status;
      if (status === 404 || isForbidden) continue;
      if (status !== 401 && status !== 403)
        return { role, permission: lacking.find((name) => !denied.includes(name)) };
      lacking = denied;
    }
    return { role: last === 404 ? 'unknown' : 'none' };
  };

  for (const name of ['navigation', 'blocks', 'menus'])
    await create(`/wp/v2/${name}`, { title: 'A', name: 'A', content: 'a', status: 'publish' });
  await create('/wp/v2/menu-items', { title: 'A', url: 'https://example.com/', status: 'publish' });
  /** @type {Record<string, Right>} */
  const rights = {};
  const ordered = [...operations].sort((one, other) => rank(one) - rank(other));
  for (const operation of ordered) {
    const { fields, label, method, path, query } = operation;
    const { permission, role } = await findRole(operation, []);
    if (role === 'unknown') continue;
    const [, collection = ''] = /^\/wp\/v2\/(\w+)\/\{/.exec(path) ?? [];
    const isOwnable = Object.hasOwn(authored, collection) && role !== 'nobody';
    const own = isOwnable ? (await findRole(operation, [], true)).role : role;
    /** @type {Record<string, string>} */
    const restricted = {};
    const lowest = own === 'none' || own === 'unknown' ? 'administrator' : own;
    const probes =
      method === 'POST'
        ? fields
        : query.flatMap((name) => QUERY_PROBES[`${name} ${path}`] ?? QUERY_PROBES[name] ?? []);
    for (const name of lowest === 'administrator' ? [] : probes) {
      const ownRole = (await findRole(operation, [name], own !== role, lowest)).role;
      // Nobody changes its own roles.
      const needed = ownRole === 'none' ? (await findRole(operation, [name], false, lowest)).role : ownRole;
      if (needed !== lowest && needed !== 'unknown') restricted[label(name)] = needed;
    }
    rights[`${method} ${path}`] = {
      role,
      ...(permission === undefined ? {} : { permission }),
      ...(own === role ? {} : { own }),
      ...(Object.keys(restricted).length === 0 ? {} : { fields: restricted }),
    };
  }
  /** @type {Map<string, string[]>} */
  const rows = new Map();
  for (const [name, right] of Object.entries(rights)) {
    const key = JSON.stringify(right);
    rows.set(key, [...(rows.get(key) ?? []), name].sort());
  }
  const table = Array.from(rows, ([key, names]) => ({
    operations: names,
    .../** @type {Right} */ (JSON.parse(key)),
  }));
  return table.sort((one, other) => ((one.operations[0] ?? '') < (other.operations[0] ?? '') ? -1 : 1));
}

/** @type {Record<string, readonly string[]>} */
const QUERY_PROBES = {
  context: ['context=edit'],
  status: ['status=draft'],
  'status /wp/v2/comments': ['status=hold'],
};

/** Reads come first, before items of other users are made; deletions come last, those of the innermost items first. @param {ProbedOperation} operation */
function rank({ method, path }) {
  return method === 'GET' ? 0 : method === 'POST' ? 1 : 100 - path.split('/').length;
}

/** @param {{ readonly user: string, readonly password: string }} user */
function basicAuth({ password, user }) {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
