import type { ResponseHead, UpstreamFailure } from '../../../base/http/exchange.ts';
import { fieldValue, firstFieldValue } from '../../../base/http/fields.ts';
import { outcomeOfFailure } from '../../upstream/site-circuits.ts';

/** Answers of a site without a good one between them. */
interface BadRun {
  readonly since: number;
  last: number;
  /** What they have in common: {@link FAULT}, or e.g. `302 https://example.com/login`. */
  readonly mark: string;
  answers: number;
  /** Routes and folders that were asked. */
  readonly places: Set<string>;
  /** Clients' requests meanwhile, and those of them that the store answered. */
  requests: number;
  served: number;
}

const FAULT = 'fault';
const MIN_ANSWERS = 5;
const MIN_PLACES = 2;
/** Milliseconds that a run of bad answers has to last at a site that has answered well before. */
const MIN_TIME = 10_000;
/** Milliseconds after which an answer says nothing of today. */
const MAX_AGE = 300_000;
const FILE = /\.(?!php$)[a-z\d]{2,5}$/i;

/** Whether a site answers, by what it has answered and nothing else. */
export class Availability {
  readonly #now: () => number;
  run: BadRun | null = null;
  /** Since when no connection could be opened, and when the last one failed. */
  #unreachable: { readonly since: number; last: number } | null = null;
  #wasGood = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  noteFailure(failure: UpstreamFailure): void {
    const last = this.#now();
    const since = this.#unreachable?.since ?? last;
    this.#unreachable = outcomeOfFailure(failure) === 'unreachable' ? { since, last } : null;
  }

  /** @param place route or folder; files say nothing of PHP @param head `null` without a response */
  note(place: string, head: ResponseHead | null, isRoute: boolean): void {
    if (head !== null) this.#unreachable = null;
    if (FILE.test(place)) return;
    const now = this.#now();
    const mark = readMark(head, isRoute);
    if (mark === '' || (mark !== FAULT && this.run !== null && this.run.mark !== mark)) {
      this.#wasGood = true;
      this.run = null;
      return;
    }
    if (this.run === null || this.run.mark !== mark)
      this.run = {
        ...{ since: now, last: now, mark, answers: 0, requests: 0, served: 0 },
        places: new Set(),
      };
    this.run.last = now;
    this.run.answers += 1;
    if (this.run.places.size < MIN_PLACES) this.run.places.add(place);
  }

  /** Since when no connection could be opened; `null` if the last one could. @param readAt when the site's index was read last */
  findUnreachableSince(readAt: number | null): number | null {
    const unreachable = this.#unreachable;
    return unreachable === null || unreachable.last < (readAt ?? 0) ? null : unreachable.since;
  }

  /** Since when the site is down: no request reaches it, or it gives none a good answer; `null` if it isn't. */
  findDownSince(readAt: number | null): number | null {
    const { run } = this;
    if (this.#unreachable !== null || run === null) return this.findUnreachableSince(readAt);
    const now = this.#now();
    const isProven = run.answers >= MIN_ANSWERS && run.places.size >= MIN_PLACES;
    const isLasting = !this.#wasGood || now - run.since >= MIN_TIME;
    return isProven && isLasting && now - run.last <= MAX_AGE ? run.since : null;
  }
}

/** What is wrong with an answer, or would be if all others were the same; empty if it is the site's own below 500. */
function readMark(head: ResponseHead | null, isRoute: boolean): string {
  if (head === null || head.status >= 500) return FAULT;
  const { headers, status } = head;
  if (status === 401 || status === 403 || status === 429) return String(status);
  const location = status >= 300 && status < 400 ? fieldValue(headers, 'location') : undefined;
  if (location !== undefined) return `${status} ${location.slice(0, 200).replace(/[?#].*/s, '')}`;
  const type = firstFieldValue(headers, 'content-type') ?? '';
  if (status !== 200 || !/^text\/html\b/i.test(type)) return '';
  const length = firstFieldValue(headers, 'content-length');
  // WordPress's own pages have no length.
  return length === undefined && !isRoute ? '' : `page ${length ?? ''}`;
}
