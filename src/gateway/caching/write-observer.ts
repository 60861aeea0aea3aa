import type { StoreEligibility } from '../../cache/wordpress/shared-requests.ts';
import type { SiteWrite } from '../../cache/wordpress/write-invalidation.ts';
import { concatChunks } from '../../http/chunks.ts';
import type { ResponseHead, UpstreamFailure, UpstreamFailureKind } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import { isJsonObject, type Json } from '../../json.ts';
import {
  type BodyParameters,
  NO_BODY_PARAMETERS,
  parseQueryParameters,
  planBody,
} from '../../validation/request/parameters.ts';
import type { BodyInspection } from '../exchange/inspected-exchange.ts';
import type { ResponseObserver } from '../exchange/response-relay.ts';

/** Bytes of a request body, and of a response body, that are read to find what a write changed. */
const MAX_BODY_BYTES = 256 * 1024;

/** Failures after which the site cannot have run the request. */
const NOT_DELIVERED: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'refused',
  'dns',
  'tls',
  'invalid-request',
  'circuit-open',
  'not-stored',
]);

/** A write that is about to be forwarded. */
export interface PendingWrite {
  /** The method that the site runs. */
  readonly method: string;
  /** Whether a page and not a REST route receives it. */
  readonly isPage: boolean;
  readonly head: IncomingRequestHead;
  readonly queryString: string;
  /** Knows which fields and parameters may identify the client. */
  readonly eligibility: StoreEligibility;
  /** Logs the end of the write if there is nothing that it could invalidate. Returns false if there is. */
  readonly skip: () => boolean;
  /** Invalidates what the write changed. */
  readonly invalidate: (outcome: WriteOutcome) => void | Promise<void>;
  /** Invalidates all that the write may change, while the site may still run it. */
  readonly invalidateUnfinished: (outcome: WriteOutcome) => void;
  /** Called instead if the site did not receive the write. */
  readonly cancel: () => void;
}

/** The result of a write at the site. */
export type WriteOutcome = Pick<SiteWrite, 'status' | 'sentParameters' | 'responseBody'> & {
  /** Whether nothing in the request may identify the client. */
  readonly isAnonymous: boolean;
  /** Whether it identifies the client, if at all, by something other than the credentials of WordPress. */
  readonly hasUnknownIdentity: boolean;
  /** Whether the request has a body that WordPress does not parse. A handler may read it. */
  readonly hasUnreadBody: boolean;
  /** The body of the response as text, unless it is too long. */
  readonly responseText: string | null;
  /** Header fields of the response, a flat list. */
  readonly headers: readonly string[];
};

/** Observes a write, and invalidates what it changed before the client has the end of the response. */
export class WriteObserver implements ResponseObserver {
  /** The site completes a write after its client disconnects, so the write must be invalidated then too. */
  readonly outlivesClient = true;
  readonly #write: PendingWrite;
  #sentParameters: ReadonlyMap<string, Json> | null = null;
  #hasUnreadBody = false;
  #head: ResponseHead | null = null;
  #chunks: Uint8Array[] | null = [];
  #length = 0;

  constructor(write: PendingWrite) {
    this.#write = write;
  }

  /** Reads the parameters from the request body, within the validation's inspection or with a new one. */
  createBodyInspection(hasBody: boolean, validation: BodyInspection | undefined): BodyInspection | undefined {
    const { head, method } = this.#write;
    const contentType = fieldValue(head.headers, 'content-type') ?? null;
    const bodyPlan = planBody({ requestMethod: head.method, method, contentType });
    if (!hasBody || bodyPlan.kind === 'ignored') {
      this.#hasUnreadBody = hasBody;
      this.#sentParameters = this.#collectFields(NO_BODY_PARAMETERS);
      return validation;
    }
    if (bodyPlan.kind === 'multipart' || validation?.kind === 'parts') return validation;
    return {
      kind: 'whole',
      maxLength: validation?.maxLength ?? MAX_BODY_BYTES,
      tooLargeProblem: validation?.tooLargeProblem ?? null,
      createReader: validation?.createReader ?? bodyPlan.createReader,
      validate: (body, parse) => {
        this.#sentParameters = this.#collectFields(parse());
        return validation?.validate(body, parse) ?? null;
      },
    };
  }

  /** The site does not receive the write. */
  cancel(): void {
    this.#write.cancel();
  }

  head(head: ResponseHead): void {
    this.#head = head;
  }

  write(chunk: Uint8Array): void {
    this.#length += chunk.byteLength;
    if (this.#length > MAX_BODY_BYTES) this.#chunks = null;
    this.#chunks?.push(chunk);
  }

  end(): void | Promise<void> {
    const status = this.#head?.status ?? null;
    // A site that may still be running the write changes what is fetched from now on.
    return !isUnfinished(status) && this.#write.skip() ? undefined : this.#invalidate(status);
  }

  /** The client does not know whether its write has happened, and may look at once. */
  clientGone(): void {
    const { invalidateUnfinished } = this.#write;
    invalidateUnfinished(this.#createOutcome({ status: null, responseBody: undefined }, null));
  }

  fail({ kind }: UpstreamFailure): void {
    if (NOT_DELIVERED.has(kind)) this.#write.cancel();
    else void this.#invalidate(null);
  }

  #invalidate(status: number | null): void | Promise<void> {
    const responseText =
      this.#chunks === null ? null : new TextDecoder().decode(concatChunks(this.#chunks, this.#length));
    const body = parseJson(responseText);
    const response = this.#hasEnvelope() ? readEnvelope(body) : { status, responseBody: body };
    return this.#write.invalidate(this.#createOutcome(response, responseText));
  }

  #createOutcome(
    response: Pick<WriteOutcome, 'status' | 'responseBody'>,
    responseText: string | null,
  ): WriteOutcome {
    const { eligibility, head, queryString } = this.#write;
    return {
      ...response,
      ...identifyClient(eligibility, head.headers, queryString),
      headers: this.#head?.headers ?? [],
      sentParameters: this.#sentParameters,
      hasUnreadBody: this.#hasUnreadBody,
      responseText,
    };
  }

  /** Whether the response may be in an envelope: a query of unknown content may ask for one (`isset( $_GET['_envelope'] )`). */
  #hasEnvelope(): boolean {
    const { isPage, queryString } = this.#write;
    return !isPage && (parseQueryParameters(queryString)?.has('_envelope') ?? true);
  }

  /** Collects all parameters by name; `null` if query or body cannot be parsed as the site parses them. */
  #collectFields(body: BodyParameters): ReadonlyMap<string, Json> | null {
    const { head, isPage, queryString } = this.#write;
    const inQuery = parseQueryParameters(queryString);
    if (inQuery === null || body.kind !== 'complete') return null;
    if (!isPage) return new Map([...inQuery, ...body.form, ...body.json]);
    // Pages read `$_REQUEST`, which has no JSON, and forms only of a request with the method POST.
    return head.method === 'POST' ? new Map([...inQuery, ...body.form]) : inQuery;
  }
}

/** Whether the site may still be running a write: there was no response, or its own server has given up waiting. */
export function isUnfinished(status: number | null): boolean {
  return status === null || status === 502 || status === 504;
}

/** Fields that identify the client to WordPress. */
const CREDENTIAL_FIELDS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-wp-nonce']);

function identifyClient(
  eligibility: StoreEligibility,
  headers: readonly string[],
  query: string,
): Pick<WriteOutcome, 'isAnonymous' | 'hasUnknownIdentity'> {
  const fields = eligibility.listIdentifyingFields(headers);
  const isAnonymous = fields.length === 0 && eligibility.checkQuery(query) === null;
  return {
    isAnonymous,
    hasUnknownIdentity: !isAnonymous && !fields.some((name) => CREDENTIAL_FIELDS.has(name)),
  };
}

function parseJson(text: string | null): Json | undefined {
  if (text === null || text === '') return undefined;
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Reads the response within an envelope (`_envelope`), whose own status is always 200. */
function readEnvelope(envelope: Json | undefined): Pick<WriteOutcome, 'status' | 'responseBody'> {
  const { body, status } = isJsonObject(envelope) ? envelope : {};
  return { status: typeof status === 'number' ? status : null, responseBody: body };
}
