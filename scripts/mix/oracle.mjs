// @ts-check
import { createHash } from 'node:crypto';

/** Identifies the oracle's requests in the access log of the site. */
export const ORACLE_AGENT = 'mix-oracle';

/** @typedef {{ readonly status: number, readonly text: string, readonly hash: string, readonly headers: Headers }} Content */
/** @typedef {{ readonly epoch: number, readonly at: number }} Start */

/**
 * What varies without a write: nonces, times and numbers of `uniqid()`, hosts of avatars, and the time at which a feed was built.
 *
 * @param {string} text
 */
const removeVarying = (text) =>
  text
    .replace(/(?:(?<![0-9a-f])|(?<=%[0-9A-F]{2}))(?:[0-9a-f]{10}|[0-9a-f]{13})(?![0-9a-f])/g, '')
    .replace(/(?<!\d)[0-2](?=\.gravatar\.com)/g, '')
    .replace(/<lastBuildDate>[^<]*/g, '<lastBuildDate>');

/**
 * @param {string} url
 * @param {Record<string, string>} [headers]
 * @returns {Promise<Content>}
 */
export async function readContent(url, headers = {}) {
  const response = await fetch(url, { redirect: 'manual', headers, signal: AbortSignal.timeout(60_000) });
  const text = removeVarying(await response.text());
  const hash = createHash('sha256').update(`${response.status} ${text}`).digest('base64');
  return { status: response.status, text, hash, headers: response.headers };
}

/**
 * Knows what the site itself sends for an address, between one write and the next.
 *
 * The time between two writes is an epoch with an even number. An odd number is the time of a write. Each address is requested at
 * the site at most once in an epoch, when it is needed. A write waits until these requests are complete.
 */
export class Oracle {
  #site;
  #epoch = 0;
  /** Names of the writes. The write at index `n` ended epoch `2n`. @type {string[]} */
  #writes = [];
  /** @type {Map<string, Promise<Content>>} */
  #contents = new Map();
  /** The hashes of each address, with the epoch of each. @type {Map<string, { readonly epoch: number, readonly hash: string }[]>} */
  #history = new Map();

  /** @param {string} site origin */
  constructor(site) {
    this.#site = site;
  }

  get epoch() {
    return this.#epoch;
  }

  /**
   * @param {string} name
   * @param {() => Promise<void>} send
   */
  async write(name, send) {
    this.#epoch += 1;
    await Promise.all(this.#contents.values());
    this.#contents.clear();
    this.#writes.push(name);
    await send();
    this.#epoch += 1;
  }

  /**
   * Returns what the site sends for an address in this epoch, or undefined during a write.
   *
   * @param {string} address
   * @returns {Promise<Content> | undefined}
   */
  read(address) {
    const epoch = this.#epoch;
    if (epoch % 2 === 1) return undefined;
    const known = this.#contents.get(address);
    if (known !== undefined) return known;
    const ask = () => readContent(this.#site + address, { 'user-agent': ORACLE_AGENT });
    // The server may close a connection that it has kept open just as a request is sent.
    const content = ask()
      .catch(ask)
      .then((read) => {
        const history = this.#history.get(address) ?? [];
        this.#history.set(address, [...history, { epoch, hash: read.hash }]);
        return read;
      });
    this.#contents.set(address, content);
    return content;
  }

  /**
   * Names the writes of which one changed an address from an earlier content to its present one.
   *
   * @param {string} address
   * @param {string} hash of the earlier content
   */
  listWritesSince(address, hash) {
    const history = this.#history.get(address) ?? [];
    const last = history.findLastIndex((each) => each.hash === hash);
    const next = history[last + 1];
    if (last < 0 || next === undefined) return [];
    return this.#writes.slice((history[last]?.epoch ?? 0) / 2, next.epoch / 2);
  }
}

/** A cache that knows which addresses each write changes. It has a hit if the address has not changed since it was stored. */
export class PerfectCache {
  #lifetime;
  /** @type {Map<string, { readonly hash: string, readonly at: number }>} */
  #stored = new Map();

  /** @param {number} lifetime in seconds */
  constructor(lifetime) {
    this.#lifetime = lifetime;
  }

  /**
   * @param {string} address
   * @param {string} hash of its content at the site
   * @param {number} at in seconds
   * @returns whether it is a hit
   */
  read(address, hash, at) {
    const stored = this.#stored.get(address);
    if (stored?.hash === hash && at - stored.at < this.#lifetime) return true;
    this.#stored.set(address, { hash, at });
    return false;
  }
}
