import type { SearchResult } from 'minisearch';
import MiniSearch from 'minisearch';
import {
  SEARCH_OPTIONS,
  type SearchHit,
  type SearchMessage,
  type SearchReply,
  searchIndex,
} from '../search.ts';

// Runs in a worker: an index of 10,000 operations takes longer to load than a page may be blocked.
const MAX_RESULTS = 20;

/** Answers messages. The first has the URL of the index, and queries follow after the reply to it. */
function answerMessages(): void {
  let index: MiniSearch | undefined;
  addEventListener('message', ({ data }: MessageEvent<SearchMessage>) => {
    if (data.kind === 'query') {
      if (index !== undefined) reply(search(index, data.query));
      return;
    }
    load(data.url).then(
      (loaded) => {
        index = loaded;
        reply({ kind: 'ready' });
      },
      () => reply({ kind: 'failed' }),
    );
  });
}

answerMessages();

function reply(message: SearchReply): void {
  postMessage(message);
}

async function load(url: string): Promise<MiniSearch> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return MiniSearch.loadJSON(await response.text(), SEARCH_OPTIONS);
}

function search(index: MiniSearch, query: string): SearchReply {
  const found = query.trim() === '' ? [] : searchIndex(index, query);
  return { kind: 'results', query, total: found.length, results: found.slice(0, MAX_RESULTS).map(toHit) };
}

function toHit(result: SearchResult): SearchHit {
  const textOf = (name: string): string => String(result[name]);
  const detail = [textOf('path'), textOf('place')];
  return {
    title: textOf('title'),
    method: textOf('method'),
    detail: detail.filter((text) => text !== '').join(' · '),
    url: textOf('url'),
    terms: result.terms,
  };
}
