import { groupBy } from '../../../base/group-by.ts';
import { isJsonObject } from '../../../base/json.ts';
import { createElement, requestUrl } from './dom.ts';
import type { FirstItem, Login } from './login.ts';

/** Paths of a page that the site is asked about. */
const MAX_PATHS = 8;

/** Marks operations that the site refuses to the user: `Allow` of WordPress lists what a request can call. */
export function installRights(login: Login): void {
  const show = () => void markRefused(login);
  login.onChange(show);
  show();
}

async function markRefused(login: Login): Promise<void> {
  for (const note of document.querySelectorAll('.refused')) note.remove();
  const { credentials } = login;
  if (credentials.kind === 'none') return;
  const sections = [...document.querySelectorAll<HTMLElement>('[data-operation]')];
  const byPath = groupBy(sections, ({ dataset }) => dataset['path'] ?? '');
  for (const [path, operations] of [...byPath].slice(0, MAX_PATHS)) {
    const item = await findFirstItem(path, login);
    const url = requestUrl() + path.replace(/\{[^{}]+\}$/, (all) => item?.id ?? all);
    if (url.includes('{')) continue;
    const response = await login.fetch(url, { method: 'OPTIONS' }).catch(() => null);
    // Others were chosen meanwhile.
    if (login.credentials !== credentials) return;
    const allowed = response?.ok === true ? response.headers.get('allow')?.split(/\s*,\s*/) : undefined;
    if (allowed === undefined) continue;
    const place = item === undefined ? '' : `, e.g. with ${item.parameter} ${item.id}`;
    const text = `The site does not allow this to requests ${login.describe()}${place}.`;
    for (const operation of operations) {
      if (allowed.includes(operation.dataset['method'] ?? '')) continue;
      operation.querySelector('.endpoint')?.after(createElement('p', { class: 'note refused' }, text));
    }
  }
}

/** Finds the first item of the list that a path such as `/wp/v2/posts/{id}` selects from. */
export function findFirstItem(path: string, login: Login): Promise<FirstItem | undefined> {
  const found = login.firstItems.get(path) ?? requestFirstItem(path, login);
  login.firstItems.set(path, found);
  return found;
}

async function requestFirstItem(path: string, login: Login): Promise<FirstItem | undefined> {
  const [, list, parameter] = /^([^{}]+)\/\{([^{}]+)\}$/.exec(path) ?? [];
  if (parameter === undefined) return undefined;
  const items: unknown = await login
    .fetch(`${requestUrl()}${list}?per_page=1&_fields=id`)
    .then((response) => (response.ok ? response.json() : null))
    .catch(() => null);
  const [item]: unknown[] = Array.isArray(items) ? items : [];
  const id = isJsonObject(item) ? item['id'] : undefined;
  return typeof id === 'number' ? { parameter, id: String(id) } : undefined;
}
