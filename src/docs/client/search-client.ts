import type { SearchMessage, SearchReply } from '../search/search-messages.ts';
import { mountUrl } from './dom.ts';

/** The results of a query. */
export type SearchResults = Extract<SearchReply, { kind: 'results' }>;

/** What the search tells the page. */
export interface SearchListener {
  /** Is not called for a query that a later one replaced. */
  onResults(results: SearchResults): void;
  onFailure(): void;
}

/**
 * Starts the worker that searches.
 *
 * @returns the function that searches. Of the queries that arrive while the worker is busy, only the last is searched for.
 */
export function startSearch({ onFailure, onResults }: SearchListener): (query: string) => void {
  const name = document.body.dataset['searchWorker'] ?? '';
  const worker = new Worker(new URL(`docs/assets/${name}`, mountUrl()), { type: 'module' });
  const send = (message: SearchMessage): void => worker.postMessage(message);
  let isBusy = true;
  let waiting: string | undefined;

  const search = (query: string): void => {
    if (isBusy) waiting = query;
    else {
      isBusy = true;
      send({ kind: 'query', query });
    }
  };
  worker.addEventListener('error', onFailure);
  worker.addEventListener('message', ({ data }: MessageEvent<SearchReply>) => {
    if (data.kind === 'failed') return onFailure();
    isBusy = false;
    if (data.kind === 'results' && waiting === undefined) onResults(data);
    if (waiting === undefined) return;
    const query = waiting;
    waiting = undefined;
    search(query);
  });
  send({ kind: 'load', url: new URL('docs/search.json', mountUrl()).href });
  return search;
}
