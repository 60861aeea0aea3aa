import MiniSearch, { type SearchResult } from 'minisearch';
import { searchIndex } from '../search/query-index.ts';
import type { SearchHit, SearchMessage, SearchReply } from '../search/search-messages.ts';
import { SEARCH_OPTIONS } from '../search/search-options.ts';

// Runs in a worker: an index of 10,000 operations takes longer to load than a page may be blocked.
const MAX_RESULTS = 20;

let index: MiniSearch | undefined;

addEventListener('message', ({ data }: MessageEvent<SearchMessage>) => {
  if (data.kind === 'query') search(data.query);
  else {
    load(data.url).then(
      () => reply({ kind: 'ready' }),
      () => reply({ kind: 'failed' }),
    );
  }
});

function reply(message: SearchReply): void {
  postMessage(message);
}

async function load(url: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`status ${response.status}`);
  index = MiniSearch.loadJSON(await response.text(), SEARCH_OPTIONS);
}

function search(query: string): void {
  const found = index === undefined || query.trim() === '' ? [] : searchIndex(index, query);
  const results = found.slice(0, MAX_RESULTS).map(toHit);
  reply({ kind: 'results', query, total: found.length, results });
}

function toHit(result: SearchResult): SearchHit {
  const textOf = (name: string): string => String(result[name]);
  const detail = [`${textOf('method')} ${textOf('path')}`.trim(), textOf('place')];
  return {
    title: textOf('title'),
    detail: detail.filter((text) => text !== '').join(' · '),
    url: textOf('url'),
  };
}
