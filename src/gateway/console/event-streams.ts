import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Clock } from '../../ports.ts';

/** Open streams of one gateway. Each renders its page's live sections at every step. */
const MAX_STREAMS = 20;
/** Open streams of one session. Browsers open six connections to a host over HTTP/1.1, and a stream keeps one. */
const MAX_OWN_STREAMS = 4;
/** Milliseconds between two steps of a stream. */
const STEP = 3_000;
/** Steps after which an idle stream gets a comment, so that proxies keep it open. */
const HEARTBEAT_STEPS = 5;
/** Milliseconds after which a client that does not read is gone: a phone without network closes no connection. */
const MAX_UNREAD = 60_000;

/** What one stream sends. */
interface EventSource {
  /** Identifies the session. */
  readonly owner: string;
  /** Renders the live sections of the page, by id; `null` once the page no longer exists. */
  render(): Promise<ReadonlyMap<string, string> | null>;
  /** Whether the client may still see the page. */
  isAllowed(): boolean;
}

interface EventStream {
  readonly owner: string;
  /** @param isFinal whether the browser is told not to open it again */
  end(isFinal: boolean): void;
}

/** The streams of server-sent events (HTML Standard, 9.2) that keep open pages up to date. */
export class EventStreams {
  readonly #open = new Set<EventStream>();
  readonly #clock: Clock;
  readonly #stopping: AbortSignal;

  /** @param stopping ends all streams, and refuses new ones */
  constructor(clock: Clock, stopping: AbortSignal) {
    this.#clock = clock;
    this.#stopping = stopping;
    stopping.addEventListener('abort', () => {
      for (const stream of this.#open) stream.end(false);
    });
  }

  /** Opens a stream, and ends the oldest one of the session if it has too many; `null` if all sessions have too many. */
  open(call: Context, source: EventSource): Response | null {
    if (this.#stopping.aborted) return null;
    const own = [...this.#open].filter(({ owner }) => owner === source.owner);
    if (own.length >= MAX_OWN_STREAMS) own[0]?.end(true);
    if (this.#open.size >= MAX_STREAMS) return null;
    const response = streamSSE(call, (stream) => this.#run(stream, source));
    const { headers } = response;
    // Neither exists in HTTP/2.
    headers.delete('connection');
    headers.delete('transfer-encoding');
    headers.set('cache-control', 'no-store');
    // nginx would buffer the stream.
    headers.set('x-accel-buffering', 'no');
    return response;
  }

  /**
   * Sends the sections of a page, until its client has gone. One that reads slowly skips steps: the next is rendered after the last was
   * read. One that reads nothing loses its stream, because it would keep others from theirs.
   */
  async #run(stream: SSEStreamingApi, { isAllowed, owner, render }: EventSource): Promise<void> {
    let isOpen = true;
    let wake = (): void => {};
    const entry: EventStream = {
      owner,
      end: (isFinal) => {
        isOpen = false;
        this.#open.delete(entry);
        if (!isFinal) stream.abort();
        wake();
      },
    };
    this.#open.add(entry);
    stream.onAbort(() => entry.end(false));
    const whileRead = async (writing: Promise<unknown>): Promise<void> => {
      const cancel = this.#clock.after(MAX_UNREAD, () => stream.abort());
      await writing;
      cancel();
    };
    /** The HTML that the client has, by section. */
    const sent = new Map<string, string>();
    for (let idleSteps = 0; isOpen; idleSteps += 1) {
      const sections = isAllowed() ? await render().catch(() => null) : null;
      if (sections === null) break;
      for (const [id, html] of sections) {
        if (sent.get(id) === html) continue;
        sent.set(id, html);
        idleSteps = 0;
        await whileRead(stream.writeSSE({ event: 'section', data: JSON.stringify({ id, html }) }));
      }
      if (idleSteps === HEARTBEAT_STEPS) {
        idleSteps = 0;
        await whileRead(stream.write(': alive\n\n'));
      }
      if (!isOpen) break;
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(STEP, resolve);
        wake = () => {
          cancel();
          resolve();
        };
      });
    }
    this.#open.delete(entry);
    if (!stream.aborted) await whileRead(stream.writeSSE({ event: 'end', data: '' }));
  }
}
