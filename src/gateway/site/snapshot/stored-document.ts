import { isJsonObject, type Json, type JsonObject, matchesExample, parseJson } from '../../../base/json.ts';
import { detachString } from '../../../base/memoize.ts';
import type { ExtendedOperation } from '../../../base/option-types.ts';
import type { Clock, StateStore } from '../../../base/ports.ts';
import { runInSlices, runSteps, type Steps } from '../../../base/steps.ts';
import { shorten } from '../../../base/text.ts';
import { compareDocumentsInSteps } from '../../../generator/changes/compare-documents.ts';
import { countChanges } from '../../../generator/changes/context.ts';
import type { DiscoverOptions } from '../../../generator/discovery/index.ts';
import { printJson } from '../../../generator/openapi/index.ts';
import type { MountedSiteSettings } from '../settings.ts';
import { createSnapshot, type Snapshot } from './snapshot.ts';

const VERSION = 1;
const FORMAT = 'waygate-state';
/** Milliseconds in which changes are collected, and between attempts to write: each prints the document. */
const WRITE_DELAY = 1_000;
const RETRY_DELAY = 30_000;

interface Restored {
  readonly snapshot: Snapshot;
  /** Changes of the documents before, the latest first. */
  readonly changes: readonly DocumentChanges[];
}

interface Unwritten extends Pick<Restored, 'changes'> {
  readonly document: JsonObject;
}

export class StoredDocument {
  isFailing = false;
  readonly #store: StateStore;
  readonly #settings: MountedSiteSettings;
  readonly #name: string;
  readonly #discovery: string;
  #unwritten: Unwritten | null = null;
  #cancelWrite: (() => void) | null = null;
  #isStopped = false;
  /** `true` after the read: an earlier write would overwrite unread data. */
  #isWritable: boolean;
  #last: Promise<unknown> = Promise.resolve();
  #loading: Promise<Restored | null> | undefined;

  /** @param isKnown whether a document is served already, so that none is loaded */
  constructor(store: StateStore, settings: MountedSiteSettings, isKnown: boolean) {
    const { discover = {}, extend, overlay } = settings.source;
    this.#store = store;
    this.#settings = settings;
    this.#name = `document.${settings.name}`;
    this.#discovery = describeDiscovery(discover, overlay, extend);
    this.#isWritable = isKnown;
    if (isKnown) this.#loading = Promise.resolve(null);
  }

  /** `null` if no document is stored for these settings. Never rejects. */
  load(): Promise<Restored | null> {
    this.#loading ??= this.#read().catch((error: unknown) => {
      this.#logError(error, 'cannot be read; it is not overwritten');
      return null;
    });
    this.#last = this.#loading;
    return this.#loading;
  }

  store(document: JsonObject, changes: readonly DocumentChanges[]): void {
    this.#unwritten = { document, changes };
    this.#scheduleWrite();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelWrite?.();
    await this.#last;
    await this.#write();
  }

  async #read(): Promise<Restored | null> {
    const text = await this.#store.read(this.#name);
    const restored = text === null ? null : this.#parse(text);
    this.#isWritable = true;
    return restored;
  }

  /** @returns `null` if it was discovered with other settings, or is unusable: the next write replaces it */
  #parse(text: string): Restored | null {
    const state = parseJson(text);
    const { changes, document, format, settings, site, version } = isJsonObject(state) ? state : {};
    const isKnown = format === FORMAT && version === VERSION && site === this.#settings.url;
    // An operator might have excluded a part of a document of other settings.
    if (isKnown && settings !== this.#discovery) {
      const message = 'the stored last good document was read with other settings. It is collected anew';
      this.#settings.log.info({ state: this.#name }, message);
      return null;
    }
    try {
      if (isKnown) {
        const snapshot = runSteps(createSnapshot(document, this.#settings.snapshot));
        return { snapshot, changes: readDocumentChanges(changes) };
      }
    } catch {}
    const message = 'the stored last good document is unusable. It is collected anew';
    this.#settings.log.warn({ state: this.#name }, message);
    return null;
  }

  #scheduleWrite(): void {
    if (this.#cancelWrite !== null || this.#isStopped) return;
    const delay = this.isFailing ? RETRY_DELAY : WRITE_DELAY;
    this.#cancelWrite = this.#settings.clock.after(delay, () => {
      this.#cancelWrite = null;
      this.#last = this.#last
        .then(() => this.#write())
        .then(() => {
          if (this.#unwritten !== null) this.#scheduleWrite();
        });
    });
  }

  async #write(): Promise<void> {
    const unwritten = this.#unwritten;
    if (unwritten === null || !this.#isWritable) return;
    const { changes, document } = unwritten;
    const { clock, url: site } = this.#settings;
    const head = { format: FORMAT, version: VERSION, site, settings: this.#discovery, changes };
    this.#unwritten = null;
    try {
      await this.#store.write(this.#name, await runInSlices(printContent(head, document), clock));
      this.isFailing = false;
    } catch (error) {
      this.#unwritten ??= unwritten;
      if (!this.isFailing) this.#logError(error, 'cannot be written; the write is retried');
      this.isFailing = true;
    }
  }

  #logError(err: unknown, consequence: string): void {
    this.#settings.log.error({ state: this.#name, err }, `the last good document ${consequence}`);
  }
}

function* printContent(content: object, document: JsonObject): Steps<string> {
  let text = `${JSON.stringify(content).slice(0, -1)},"document":`;
  for (const part of printJson(document)) {
    text += part;
    yield;
  }
  return `${text.trimEnd()}}\n`;
}

function describeDiscovery(
  {
    auth,
    exclude = [],
    headers = {},
    include = [],
    namespaces = [],
    options = true,
  }: Omit<DiscoverOptions, 'fetch'>,
  overlay: unknown,
  extend: Readonly<Record<string, ExtendedOperation>> = {},
): string {
  const fields = Object.keys(headers).map((name) => name.toLowerCase());
  // The first member was a setting once: stored documents have it.
  const settings: Json = ['help', [...include], [...exclude], fields.sort(), auth?.user ?? null];
  const read = [...namespaces, ...(options ? [] : [options])];
  const added = Object.keys(extend).length + read.length === 0 ? [] : [extend, ...read];
  return JSON.stringify([...settings, overlay ?? null, ...added]);
}

/** Texts of a bounded length, so that neither document is kept. */
export interface DocumentChanges {
  readonly time: number;
  /** E.g. `2 breaking changes, 1 other change`. */
  readonly summary: string;
  /** The worst first. */
  readonly changes: readonly ListedChange[];
  /** Number of changes that are not listed. */
  readonly more: number;
}

interface ListedChange {
  readonly severity: string;
  /** First operations that it concerns, e.g. `GET /wp/v2/posts`. */
  readonly operations: readonly string[];
  readonly others: number;
  readonly text: string;
}

const EXAMPLE = {
  time: 0,
  summary: '',
  changes: [{ severity: '', operations: [''], others: 0, text: '' }],
  more: 0,
};

export const MAX_REPLACEMENTS = 20;
/** For each replacement: all of a site's take at most 320,000 characters. */
const MAX_CHARACTERS = 16_000;
/** The largest time of a `Date` (ECMA-262). */
const MAX_TIME = 8.64e15;
const MAX_OPERATIONS = 20;
const MAX_OPERATION_LENGTH = 120;
const MAX_TEXT_LENGTH = 300;

/** @returns `null` without an earlier document, or if only texts or data for the gateway changed */
export async function listDocumentChanges(
  before: Snapshot | null,
  after: Snapshot,
  clock: Clock,
  signal: AbortSignal,
): Promise<DocumentChanges | null> {
  const [from, to] = [before?.documented?.document, after.documented?.document];
  if (from === undefined || to === undefined) return null;
  const comparison = await runInSlices(compareDocumentsInSteps(from, to), clock, signal);
  const { changes, omitted } = comparison;
  if (changes.length === 0) return null;
  const listed: ListedChange[] = [];
  let characters = 0;
  for (const { operations, severity, subject, text } of changes) {
    const named = operations.slice(0, MAX_OPERATIONS);
    const change = {
      severity,
      operations: named.map((operation) => cut(operation, MAX_OPERATION_LENGTH)),
      others: operations.length - named.length,
      text: cut([subject, text].filter((part) => part !== '').join(': '), MAX_TEXT_LENGTH),
    };
    characters += JSON.stringify(change).length;
    if (characters > MAX_CHARACTERS) break;
    listed.push(change);
  }
  const more = changes.length - listed.length + omitted;
  return { time: clock.now(), summary: countChanges(comparison), changes: listed, more };
}

function cut(text: string, maxLength: number): string {
  return detachString(shorten(text, maxLength));
}

/** Reads what an earlier process kept; an empty list if unusable. */
function readDocumentChanges(value: unknown): readonly DocumentChanges[] {
  return matchesExample(value, [EXAMPLE]) && value.every(({ time }) => Math.abs(time) <= MAX_TIME)
    ? value.slice(0, MAX_REPLACEMENTS)
    : [];
}
