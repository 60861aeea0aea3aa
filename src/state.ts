import { isJsonObject, type Json, type JsonObject } from './json.ts';
import type { Clock, Log, StateStore } from './ports.ts';

/**
 * Kinds of state of a site that survive a restart. A file is `{ "format": "waygate-state", "version", "kind",
 * "site", … }` with the kind's content.
 */
type StateKind = 'document';

/** State of another version is put aside. `writeDelay`: milliseconds in which changes are collected. */
const KINDS = {
  document: { description: 'last good document', version: 1, writeDelay: 1_000 },
} as const;

/** Milliseconds between attempts to write a state, each of which prints the whole state. */
const RETRY_DELAY = 30_000;

const FORMAT = 'waygate-state';

/** @param site its URL @param content an object, or its JSON text */
export function formatState(kind: StateKind, site: string, content: object | string): string {
  const head = JSON.stringify({ format: FORMAT, version: KINDS[kind].version, kind, site });
  const members = typeof content === 'string' ? content : JSON.stringify(content);
  return members === '{}' ? `${head}\n` : `${head.slice(0, -1)},${members.slice(1)}\n`;
}

/** The content of a state of unknown origin, or the reason why it is unusable. */
function parseState(text: string, kind: StateKind, site: string): JsonObject | string {
  let state: Json;
  try {
    state = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (!isJsonObject(state)) return 'it is not an object';
  const { format, version } = state;
  if (format !== FORMAT) return `its format is ${JSON.stringify(format)}`;
  if (state['kind'] !== kind) return `its kind is ${JSON.stringify(state['kind'])}`;
  if (version !== KINDS[kind].version) return `its version is ${JSON.stringify(version)}`;
  return state['site'] === site ? state : 'it is the state of another site';
}

interface StateContent {
  /** An object, or its JSON text if it is large. */
  toJson(): object | Promise<string>;
  /** Adds a stored content to the one in memory; `false` if it is malformed. */
  restore(content: JsonObject): boolean;
}

export class SiteStates {
  readonly clock: Clock;
  readonly log: Log;
  readonly areStored: boolean;
  readonly #store: StateStore | undefined;
  readonly #name: string;
  readonly #url: string;
  /** Kinds whose last write has failed. */
  readonly #failing = new Set<string>();

  /**
   * @param store `undefined` keeps everything in memory only
   * @param name name of the site, if any
   * @param url URL of the site as configured; another site's state isn't used
   */
  constructor(store: StateStore | undefined, name: string | undefined, url: string, clock: Clock, log: Log) {
    this.clock = clock;
    this.log = log;
    this.areStored = store !== undefined;
    this.#store = store;
    this.#name = name ?? '';
    this.#url = url;
  }

  nameOf(kind: StateKind): string {
    return this.#name === '' ? kind : `${kind}.${this.#name}`;
  }

  /**
   * Reads a state. An unusable one is logged and put aside, so that the next write doesn't replace it.
   * Rejects if the store fails.
   */
  async load(kind: StateKind, restore: StateContent['restore']): Promise<void> {
    const fault = await this.#read(kind, restore);
    if (typeof fault !== 'string') return;
    const state = this.nameOf(kind);
    const aside = await this.#store?.putAside(state);
    const message = `the stored ${KINDS[kind].description} is unusable: ${fault}. It is ignored, collected anew, and kept as ${aside}`;
    this.log.warn({ state, aside }, message);
  }

  /** Whether there was a state, or the reason why it is unusable. */
  async #read(kind: StateKind, restore: StateContent['restore']): Promise<string | boolean> {
    const text = (await this.#store?.read(this.nameOf(kind))) ?? null;
    if (text === null) return false;
    const content = parseState(text, kind, this.#url);
    if (typeof content === 'string') return content;
    return restore(content) || 'its content is malformed';
  }

  /** Rejects if the store fails. */
  async write(kind: StateKind, content: object | string): Promise<void> {
    const name = this.nameOf(kind);
    try {
      await this.#store?.write(name, formatState(kind, this.#url, content));
      this.#failing.delete(name);
    } catch (error) {
      this.#failing.add(name);
      throw error;
    }
  }

  /** Whether the last write has failed. */
  isFailing(kind?: StateKind): boolean {
    return kind === undefined ? this.#failing.size > 0 : this.#failing.has(this.nameOf(kind));
  }

  open(kind: StateKind, content: StateContent): StoredState {
    return new StoredState(this, kind, content);
  }
}

/** A state that changes in memory and outlives the process. */
export class StoredState {
  /** Whether loading has ended. */
  isLoaded: boolean;
  readonly #states: SiteStates;
  readonly #kind: StateKind;
  readonly #content: StateContent;
  #cancelWrite: (() => void) | null = null;
  #isDirty = false;
  #isStopped = false;
  /** `true` after the read, because a write before would overwrite state that wasn't read. */
  #isWritable = false;
  /** The last read or write. */
  #last: Promise<void> = Promise.resolve();
  #loading: Promise<void> | undefined;

  constructor(states: SiteStates, kind: StateKind, content: StateContent) {
    this.#states = states;
    this.#kind = kind;
    this.#content = content;
    this.isLoaded = !states.areStored;
  }

  /** Loads the stored state, once. Never rejects. */
  load(): Promise<void> {
    this.#loading ??= this.#enqueue(async () => {
      try {
        await this.#states.load(this.#kind, (content) => this.#content.restore(content));
        this.#isWritable = this.#states.areStored;
      } catch (error) {
        this.#logError(error, 'cannot be read; it is not overwritten');
      }
      this.isLoaded = true;
    });
    return this.#loading;
  }

  /** Writes the state after a delay. */
  readonly markChanged = (): void => {
    if (!this.#states.areStored) return;
    this.#isDirty = true;
    this.#scheduleWrite();
  };

  /** Writes outstanding changes and ends the writing. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelWrite?.();
    return this.#enqueue(() => this.#write());
  }

  #scheduleWrite(): void {
    if (this.#cancelWrite !== null || this.#isStopped) return;
    const delay = this.#states.isFailing(this.#kind) ? RETRY_DELAY : KINDS[this.#kind].writeDelay;
    this.#cancelWrite = this.#states.clock.after(delay, () => {
      this.#cancelWrite = null;
      void this.#enqueue(() => this.#write()).then(() => {
        if (this.#isDirty) this.#scheduleWrite();
      });
    });
  }

  async #write(): Promise<void> {
    if (!this.#isDirty || !this.#isWritable) return;
    this.#isDirty = false;
    const wasFailing = this.#states.isFailing(this.#kind);
    try {
      await this.#states.write(this.#kind, await this.#content.toJson());
    } catch (error) {
      this.#isDirty = true;
      if (!wasFailing) this.#logError(error, 'cannot be written; the write is retried');
    }
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(task);
    return this.#last;
  }

  #logError(error: unknown, consequence: string): void {
    const { description } = KINDS[this.#kind];
    this.#states.log.error(
      { state: this.#states.nameOf(this.#kind), err: error },
      `the ${description} ${consequence}`,
    );
  }
}
