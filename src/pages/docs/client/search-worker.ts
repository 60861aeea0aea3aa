import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS, type SearchResults, searchIndex } from '../../../generator/reference/search.ts';

// In a worker, because loading an index of 10,000 operations would block the page.
const MAX_RESULTS = 20;

/** Answers the last query that arrived, when the index is loaded and the worker is idle. */
function answerQueries(): void {
  const index = loadIndex();
  let latest = '';
  addEventListener('message', ({ data: query }: MessageEvent<string>) => {
    latest = query;
    index.then(
      (loaded) => setTimeout(() => query === latest && postMessage(search(loaded, query))),
      () => postMessage(null),
    );
  });
}

answerQueries();

async function loadIndex(): Promise<MiniSearch> {
  const response = await fetch(new URL('../search.json', location.href));
  if (!response.ok) throw new Error(`status ${response.status}`);
  return MiniSearch.loadJSON(await response.text(), SEARCH_OPTIONS);
}

function search(loaded: MiniSearch, query: string): SearchResults {
  const found = query.trim() === '' ? [] : searchIndex(loaded, query);
  const results = found.slice(0, MAX_RESULTS).map(({ method, path, place, title, url }) => {
    return { method, path, place, title, url };
  });
  return { query, total: found.length, results };
}
