import type { PurgeMode, PurgeSelection, StoredResponse } from '../../store.ts';
import { ByteReader, ByteWriter } from './byte-codec.ts';

/** The first byte of each frame, and the form of what follows. A value of another form is as if it were not there. */
const ANSWER_FORM = 0xa1;
const PURGE_FORM = 0xb1;

/** An answer as bytes, with its times on the shared clock: `offset` is what that is ahead of the local one. */
export function encodeStoredResponse(answer: StoredResponse, offset: number): Uint8Array {
  const writer = new ByteWriter(answer.body.byteLength + 2048);
  writer.number(ANSWER_FORM).number(answer.status);
  writer.number(answer.requestTime + offset).number(answer.responseTime + offset);
  writer.number(answer.initialAge).number(answer.lifetime);
  writer.number(answer.staleWhileRevalidate).number(answer.staleIfError);
  writer.number(answer.markedStale ? 1 : 0).text(answer.variant);
  writer.texts(answer.vary).texts(answer.headers).texts(answer.tags);
  return writer.bytes(answer.body).done();
}

/** @returns undefined for what is no whole answer of this form */
export function decodeStoredResponse(frame: Uint8Array, offset: number): StoredResponse | undefined {
  const reader = new ByteReader(frame);
  if (reader.number() !== ANSWER_FORM) return undefined;
  const answer: StoredResponse = {
    status: reader.number(),
    requestTime: reader.number() - offset,
    responseTime: reader.number() - offset,
    initialAge: reader.number(),
    lifetime: reader.number(),
    staleWhileRevalidate: reader.number(),
    staleIfError: reader.number(),
    markedStale: reader.number() === 1,
    variant: reader.text(),
    vary: reader.texts(),
    headers: reader.texts(),
    tags: reader.texts(),
    body: reader.bytes(),
  };
  const sound = answer.status >= 200 && answer.status <= 599 && answer.headers.length % 2 === 0;
  return sound && reader.isComplete ? answer : undefined;
}

/** A purge as it is told to the other instances. */
export interface Purge {
  readonly selection: PurgeSelection;
  readonly mode: PurgeMode;
}

export function encodePurge({ selection, mode }: Purge): Uint8Array {
  const writer = new ByteWriter(256).number(PURGE_FORM).text(mode).text(selection.kind);
  return writer.texts(namesOf(selection)).done();
}

export function decodePurge(frame: Uint8Array): Purge | undefined {
  const reader = new ByteReader(frame);
  if (reader.number() !== PURGE_FORM) return undefined;
  const mode = reader.text();
  const kind = reader.text();
  const names = reader.texts();
  if (!reader.isComplete || (mode !== 'hard' && mode !== 'soft')) return undefined;
  if (kind === 'all') return { mode, selection: { kind } };
  if (kind === 'tags') return { mode, selection: { kind, tags: names } };
  return kind === 'keys' ? { mode, selection: { kind, keys: names } } : undefined;
}

function namesOf(selection: PurgeSelection): readonly string[] {
  if (selection.kind === 'all') return [];
  return selection.kind === 'tags' ? selection.tags : selection.keys;
}
