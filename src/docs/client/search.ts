import MiniSearch from 'minisearch';
import { searchIndex } from '../search/query-index.ts';
import { SEARCH_OPTIONS } from '../search/search-options.ts';
import { createElement, mountUrl } from './dom.ts';

const MAX_RESULTS = 20;

/** Adds the search: a button, `/` and Ctrl-K open it. Its index is loaded on the first use. */
export function installSearch(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-search]');
  if (button === null) return;
  let dialog: SearchDialog | undefined;
  const open = (): void => {
    dialog ??= createSearchDialog();
    dialog.open();
  };
  button.hidden = false;
  button.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    const isShortcut =
      (event.key === 'k' && (event.ctrlKey || event.metaKey)) ||
      (event.key === '/' && !isTyping(event.target));
    if (!isShortcut) return;
    event.preventDefault();
    open();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

interface SearchDialog {
  open(): void;
}

function createSearchDialog(): SearchDialog {
  const list = createElement('ul', { role: 'listbox', id: 'search-results', 'aria-label': 'Results' });
  const state = createElement('p', { role: 'status' }, 'Loading the index…');
  const input = createElement('input', {
    type: 'search',
    placeholder: 'Search operations, paths, parameters',
    'aria-label': 'Search',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'search-results',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const dialog = createElement('dialog', { class: 'search', 'aria-label': 'Search' }, input, state, list);
  document.body.append(dialog);
  let index: MiniSearch | undefined;
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
  const update = (): void => {
    if (index === undefined) return;
    const found = input.value.trim() === '' ? [] : searchIndex(index, input.value);
    list.replaceChildren(
      ...found.slice(0, MAX_RESULTS).map((result, at) => {
        const url = new URL(`docs/${String(result['url'])}`, mountUrl());
        return createElement(
          'li',
          { role: 'presentation' },
          createElement(
            'a',
            { href: url.href, role: 'option', id: `search-${at}`, onclick: () => dialog.close() },
            String(result['title']),
            createElement('span', {}, describeResult(result)),
          ),
        );
      }),
    );
    state.textContent =
      input.value.trim() === ''
        ? 'Type a word: an operation, a path, a parameter.'
        : found.length === 0
          ? 'Nothing found.'
          : found.length === 1
            ? '1 result'
            : `${found.length} results`;
    select(0);
  };
  input.addEventListener('input', update);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      select(selected + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Escape') {
      // A browser would empty the field first.
      event.preventDefault();
      dialog.close();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      list.querySelectorAll('a')[selected]?.click();
    }
  });
  return {
    open() {
      if (!dialog.open) dialog.showModal();
      input.focus();
      input.select();
      if (index !== undefined) return;
      loadIndex().then(
        (loaded) => {
          index = loaded;
          update();
        },
        () => {
          state.textContent = 'The index cannot be loaded. Reload the page.';
        },
      );
    },
  };
}

function describeResult(result: Readonly<Record<string, unknown>>): string {
  return [`${String(result['method'])} ${String(result['path'])}`.trim(), String(result['place'])]
    .filter((text) => text !== '')
    .join(' · ');
}

async function loadIndex(): Promise<MiniSearch> {
  const response = await fetch(new URL('docs/search.json', mountUrl()));
  if (!response.ok) throw new Error(`status ${response.status}`);
  // Asynchronous, so that a large index does not block the page.
  return MiniSearch.loadJSONAsync(await response.text(), SEARCH_OPTIONS);
}
