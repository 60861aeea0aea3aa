import { isStrongMatch, isWeakEntityTag } from '../../http/entity-tag.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { firstFieldValue, listFieldNames, withoutFields } from '../../http/fields.ts';
import { type ContentRange, parseContentRange } from '../../http/range.ts';
import type { StoredResponse, StoredResponseDraft } from '../store.ts';

/** A stored response, or one that is to be stored, that is a part of a representation (206). */
type PartHead = Pick<StoredResponse, 'status' | 'headers'>;

const PART_STATUS = 206;

/** Returns the range of a partial response. Returns undefined for a complete one, and for one whose range is unknown. */
export function getPartRange({ headers, status }: PartHead): ContentRange | undefined {
  const field = status === PART_STATUS ? firstFieldValue(headers, 'content-range') : undefined;
  return field === undefined ? undefined : parseContentRange(field);
}

/**
 * Creates the fields that request the rest of a representation. RFC 9111 §3.3 recommends it: "A cache MAY complete a
 * stored incomplete response by making a subsequent range request".
 *
 * @returns undefined if the part has no strong validator, or if more than one range is missing
 */
export function createCompletionConditions(part: StoredResponse): readonly string[] | undefined {
  const etag = getStrongTag(part.headers);
  const missing = findMissingRange(part);
  if (etag === undefined || missing === undefined) return undefined;
  const last = missing.last === missing.completeLength - 1 ? '' : String(missing.last);
  return ['Range', `bytes=${missing.first}-${last}`, 'If-Range', etag];
}

/** Whether a response has exactly the bytes that a stored part lacks. */
export function completesPart(part: StoredResponse, head: ResponseHead): boolean {
  const missing = findMissingRange(part);
  const received = getPartRange(head);
  return (
    missing !== undefined &&
    received !== undefined &&
    received.first === missing.first &&
    received.last === missing.last &&
    isSameRepresentation(part, head)
  );
}

/** Returns the range that a stored part lacks; undefined if there are two, before it and after it. */
function findMissingRange(part: PartHead): ContentRange | undefined {
  const range = getPartRange(part);
  if (range === undefined) return undefined;
  const { completeLength, first, last } = range;
  if (first === 0) return { first: last + 1, last: completeLength - 1, completeLength };
  return last === completeLength - 1 ? { first: 0, last: first - 1, completeLength } : undefined;
}

/**
 * Creates the head of the complete response from a stored part and the response with the rest. RFC 9111 §3.4: "the cache
 * MUST use the header fields provided in the new response […] to replace all instances of the corresponding header fields
 * in the stored response".
 */
export function createCompletedHead(part: StoredResponse, head: ResponseHead): ResponseHead {
  const replaced = new Set([...RANGE_FIELDS, ...listFieldNames(head.headers)]);
  const length = getPartRange(part)?.completeLength ?? 0;
  return {
    status: 200,
    reason: '',
    headers: [
      ...withoutFields(part.headers, replaced),
      ...withoutFields(head.headers, RANGE_FIELDS),
      ...['Content-Length', String(length)],
    ],
  };
}

const RANGE_FIELDS: ReadonlySet<string> = new Set(['content-range', 'content-length']);

/** The fields and the body of a response with more bytes than one part. */
export interface CombinedPart {
  readonly draft: StoredResponseDraft;
  readonly body: Uint8Array;
}

/**
 * Combines a new part with a stored one, or makes it a complete response (200) if it contains all bytes. RFC 9111 §3.4: "A
 * cache MUST NOT combine […] unless they all share the same strong validator".
 *
 * @returns the new part itself if it does not touch the stored one; `null` if its body does not have its range
 */
export function combineParts(
  part: StoredResponse | undefined,
  draft: StoredResponseDraft,
  body: Uint8Array,
  maxBytes: number,
): CombinedPart | null {
  const added = getPartRange(draft);
  if (added === undefined || added.last - added.first + 1 !== body.byteLength) return null;
  const known = part === undefined || !isSameRepresentation(part, draft) ? undefined : getPartRange(part);
  if (part === undefined || known === undefined) return toPart(draft, added, body);
  const first = Math.min(known.first, added.first);
  const last = Math.max(known.last, added.last);
  const isContiguous = added.first <= known.last + 1 && known.first <= added.last + 1;
  if (!isContiguous || last - first + 1 > maxBytes) return toPart(draft, added, body);
  const combined = new Uint8Array(last - first + 1);
  combined.set(part.body, known.first - first);
  combined.set(body, added.first - first);
  return toPart(draft, { first, last, completeLength: added.completeLength }, combined);
}

function toPart(draft: StoredResponseDraft, range: ContentRange, body: Uint8Array): CombinedPart {
  const { completeLength, first, last } = range;
  const isComplete = body.byteLength === completeLength;
  const headers = withoutFields(draft.headers, RANGE_FIELDS);
  if (!isComplete) headers.push('Content-Range', `bytes ${first}-${last}/${completeLength}`);
  headers.push('Content-Length', String(body.byteLength));
  return { draft: { ...draft, status: isComplete ? 200 : PART_STATUS, headers }, body };
}

function isSameRepresentation(part: PartHead, other: PartHead): boolean {
  const tag = getStrongTag(part.headers);
  const otherTag = firstFieldValue(other.headers, 'etag');
  if (tag === undefined || otherTag === undefined || !isStrongMatch(tag, otherTag)) return false;
  return getPartRange(part)?.completeLength === getPartRange(other)?.completeLength;
}

function getStrongTag(headers: readonly string[]): string | undefined {
  const etag = firstFieldValue(headers, 'etag');
  return etag === undefined || isWeakEntityTag(etag) ? undefined : etag;
}
