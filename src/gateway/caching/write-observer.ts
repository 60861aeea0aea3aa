import type { SiteWrite } from '../../cache/wordpress/write-invalidation.ts';
import { concatChunks } from '../../http/chunks.ts';
import type { FailureKind, ResponseHead, UpstreamFailure } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import { isJsonObject, type Json } from '../../json.ts';
import {
  type BodyParameters,
  NO_BODY_PARAMETERS,
  parseQueryParameters,
  planBody,
} from '../../validation/request/index.ts';
import type { BodyInspection } from '../plan/body-inspection.ts';
import type { ResponseObserver } from '../plan/plan.ts';

/** What is held of a request's body, and of an answer's, to see what a write changed: more is not looked at. */
const MOST_BYTES = 256 * 1024;

/** Failures after which the site cannot have run the request. */
const NEVER_SENT: ReadonlySet<FailureKind> = new Set([
  ...(['refused', 'dns', 'tls', 'invalid-request', 'circuit-open', 'not-stored'] as const),
]);

/** A write as its answer is awaited. */
export interface PendingWrite {
  /** As the site runs it. */
  readonly method: string;
  readonly head: IncomingRequestHead;
  readonly query: string;
  /** Purges what it changed, by what came back. */
  readonly purge: (outcome: WriteOutcome) => void | Promise<void>;
}

export type WriteOutcome = Pick<SiteWrite, 'status' | 'sentFields' | 'responseBody'> & {
  /** The answer's fields, a flat list. */
  readonly headers: readonly string[];
};

/** Purges what a write changed, before its caller has the end of the answer. */
export class WriteObserver implements ResponseObserver {
  /** The site goes on with what it was sent, and what was read until it is done may be from before. */
  readonly outlives = true;
  readonly #write: PendingWrite;
  #sent: ReadonlyMap<string, Json> | null = null;
  #head: ResponseHead | null = null;
  #chunks: Uint8Array[] | null = [];
  #length = 0;

  constructor(write: PendingWrite) {
    this.#write = write;
  }

  /** Sees the body beside whoever judges it, where it is one that parameters stand in. */
  inspect(hasBody: boolean, judging: BodyInspection | undefined): BodyInspection | undefined {
    const { head, method, query } = this.#write;
    const contentType = fieldValue(head.headers, 'content-type') ?? null;
    const reading = planBody({ requestMethod: head.method, method, contentType });
    if (!hasBody || reading.kind === 'none') {
      this.#sent = fieldsOf(NO_BODY_PARAMETERS, query);
      return judging;
    }
    if (reading.kind === 'parts' || judging?.kind === 'parts') return judging;
    return {
      kind: 'whole',
      limit: judging?.limit ?? MOST_BYTES,
      tooLong: judging?.tooLong ?? null,
      judge: (body) => {
        this.#sent = fieldsOf(reading.parse(body), query);
        return judging?.judge(body) ?? null;
      },
    };
  }

  head(head: ResponseHead): void {
    this.#head = head;
  }

  write(chunk: Uint8Array): void {
    this.#length += chunk.byteLength;
    if (this.#length > MOST_BYTES) this.#chunks = null;
    this.#chunks?.push(chunk);
  }

  end(): void | Promise<void> {
    return this.#settle(this.#head?.status ?? null);
  }

  fail({ kind }: UpstreamFailure): void {
    if (!NEVER_SENT.has(kind)) void this.#settle(null);
  }

  #settle(status: number | null): void | Promise<void> {
    const headers = this.#head?.headers ?? [];
    return this.#write.purge({ status, headers, sentFields: this.#sent, responseBody: this.#answer() });
  }

  #answer(): Json | undefined {
    if (this.#chunks === null || this.#length === 0) return undefined;
    const text = new TextDecoder().decode(concatChunks(this.#chunks, this.#length));
    try {
      const answer: Json = JSON.parse(text);
      // `_envelope` wraps what would have been the body.
      return isJsonObject(answer) && this.#write.query.includes('_envelope')
        ? (answer['body'] ?? undefined)
        : answer;
    } catch {
      return undefined;
    }
  }
}

/** All that was sent, by name; null where it cannot be told. */
function fieldsOf(body: BodyParameters, query: string): ReadonlyMap<string, Json> | null {
  const asked = parseQueryParameters(query);
  if (asked === null || body.kind !== 'values') return null;
  return new Map([...asked, ...body.form, ...body.json]);
}

/** The writes that a batch is made of, each with its own outcome. */
export interface SubWrite {
  readonly method: string;
  /** As the site sees it. */
  readonly route: string;
  readonly outcome: Pick<SiteWrite, 'status' | 'sentFields' | 'responseBody'>;
}

/**
 * `POST /batch/v1`: `{"requests":[{method,path,body}]}` was answered `{"responses":[{status,body}|null]}`.
 *
 * @returns null where it cannot be told what was run
 */
export function subWritesOf({ status, sentFields, responseBody }: WriteOutcome): readonly SubWrite[] | null {
  const requests = sentFields?.get('requests');
  if (!Array.isArray(requests)) return null;
  const responses =
    isJsonObject(responseBody) && Array.isArray(responseBody['responses']) ? responseBody['responses'] : [];
  return requests.flatMap((request: Json, at): readonly SubWrite[] => {
    if (!isJsonObject(request)) return [];
    const { body, method, path } = request;
    if (typeof path !== 'string') return [];
    const mark = path.indexOf('?');
    const response: Json = responses[at] ?? null;
    // None was run where all were validated first and one was refused.
    if (response === null && status === 207) return [];
    const fields = parseQueryParameters(mark < 0 ? '' : path.slice(mark + 1));
    return [
      {
        method: typeof method === 'string' ? method.toUpperCase() : 'POST',
        route: mark < 0 ? path : path.slice(0, mark),
        outcome: {
          status:
            isJsonObject(response) && typeof response['status'] === 'number' ? response['status'] : null,
          sentFields: fields === null ? null : new Map([...fields, ...entriesOf(body)]),
          responseBody: isJsonObject(response) ? (response['body'] ?? undefined) : undefined,
        },
      },
    ];
  });
}

function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}
