import { countOf, toMethodClass } from '../../../base/text.ts';
import type { SearchResults } from '../../../generator/reference/search.ts';
import { createElement, docsUrl } from './dom.ts';

export function installSearch(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-search]');
  if (button === null) return;
  let openDialog: (() => void) | undefined;
  const open = (): void => {
    openDialog ??= createSearchDialog();
    openDialog();
  };
  button.hidden = false;
  button.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    const { ctrlKey, key, metaKey, target } = event;
    const isTyping =
      target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
    const isShortcut = (key === 'k' && (ctrlKey || metaKey)) || (key === '/' && !isTyping);
    if (!isShortcut) return;
    event.preventDefault();
    open();
  });
}

function createSearchDialog(): () => void {
  const list = createElement('ul', { role: 'listbox', id: 'search-results', 'aria-label': 'Results' });
  const state = createElement('p', { role: 'status' }, 'Loading the index…');
  const input = createElement('input', {
    type: 'search',
    placeholder: 'Words, a path, a URL, a line of a log, an error code',
    'aria-label': 'Search',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'search-results',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const dialog = createElement('dialog', { class: 'search', 'aria-label': 'Search' }, input, state, list);
  document.body.append(dialog);
  let search: ((query: string) => void) | undefined;
  let selected = 0;

  const select = (next: number): void => {
    const links = [...list.querySelectorAll('a')];
    selected = Math.max(0, Math.min(next, links.length - 1));
    for (const [at, link] of links.entries()) link.setAttribute('aria-selected', String(at === selected));
    const link = links[selected];
    if (link === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', link.id);
    link?.scrollIntoView({ block: 'nearest' });
  };
  const show = ({ query, results, total }: SearchResults): void => {
    list.replaceChildren(...results.map((hit, at) => createOption(hit, at, () => dialog.close())));
    state.textContent = describeTotal(query, total);
    select(0);
  };
  const update = (): void => search?.(input.value);
  input.addEventListener('input', update);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      select(selected + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Escape') {
      event.preventDefault();
      dialog.close();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      list.querySelectorAll('a')[selected]?.click();
    }
  });
  const fail = (): void => {
    state.textContent = 'The search cannot be loaded. Reload the page.';
  };
  return () => {
    if (!dialog.open) dialog.showModal();
    input.focus();
    input.select();
    search ??= startSearch(show, fail);
    update();
  };
}

function createOption(hit: SearchResults['results'][number], at: number, onclick: () => void): HTMLElement {
  const { method, path, place, title, url } = hit;
  const { href } = docsUrl(url);
  const label = method === '' ? [] : [createElement('b', { class: toMethodClass(method) }, method), ' '];
  const link = createElement(
    'a',
    { href, role: 'option', id: `search-${at}`, onclick },
    title,
    createElement('span', {}, ...label, path, method === '' ? '' : ' · ', place),
  );
  return createElement('li', { role: 'presentation' }, link);
}

function describeTotal(query: string, total: number): string {
  if (query.trim() === '') return 'Type words, or paste an address, a line of a log or an error code.';
  return total === 0 ? 'Nothing found.' : countOf(total, 'result');
}

function startSearch(
  onResults: (results: SearchResults) => void,
  onFailure: () => void,
): (query: string) => void {
  const name = document.body.dataset['searchWorker'] ?? '';
  const worker = new Worker(docsUrl(`assets/${name}`), { type: 'module' });
  let latest = '';
  worker.addEventListener('error', onFailure);
  worker.addEventListener('message', ({ data }: MessageEvent<SearchResults | null>) => {
    if (data === null) onFailure();
    else if (data.query === latest) onResults(data);
  });
  return (query) => {
    latest = query;
    worker.postMessage(query);
  };
}
