import { randomBytes } from 'node:crypto';
import { computeHmac } from '../../../base/hash.ts';
import { fieldValue, withoutFields } from '../../../base/http/fields.ts';
import { createLru } from '../../../base/memoize.ts';
import type { Clock } from '../../../base/ports.ts';
import { NetworkBudget } from '../../upstream/network-budget.ts';

/** Cookies of `wp_set_auth_cookie()`. `COOKIEHASH` can be set to any text. */
const LOGIN_COOKIE = /^wordpress_(?:(?:logged_in|sec)_.|[\da-f]{32}=)/;
const CREDENTIAL_FIELDS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'x-wp-nonce']);

const PROVEN_FOR = 60 * 60_000;
const REFUSED_FOR = 10 * 60_000;
const MAX_SESSIONS = 4_096;
const MAX_WAITING = 32;
const MAX_WAITING_OF_NETWORK = 3;

const isLogin = (pair: string): boolean => LOGIN_COOKIE.test(pair) && pair.includes('=');

function listCookies(headers: readonly string[]): readonly string[] {
  return (fieldValue(headers, 'cookie', '; ') ?? '').split(';').map((pair) => pair.trim());
}

/** Login cookies, or `Authorization` without any: beside a cookie it can be a password that all visitors send. */
export function listCredentials(headers: readonly string[]): readonly string[] {
  const logins = listCookies(headers).filter(isLogin);
  const authorization = fieldValue(headers, 'authorization');
  return logins.length > 0 || authorization === undefined ? logins : [`authorization ${authorization}`];
}

/** Removes only what can prove that the client is a user: a cart's cookie opens pages, too. */
export function withoutCredentials(headers: readonly string[]): string[] {
  const others = listCookies(headers).filter((pair) => pair !== '' && !isLogin(pair));
  const without = withoutFields(headers, CREDENTIAL_FIELDS);
  return others.length === 0 ? without : [...without, 'Cookie', others.join('; ')];
}

export interface SiteAnswer {
  readonly status: number;
  /** The body's beginning. */
  readonly text: string;
}

export interface AskingRequest {
  readonly client: string;
  /** @param nonce in place of the client's @returns `null` without a response */
  ask(target: string, isAnonymous: boolean, nonce?: string): Promise<SiteAnswer | null>;
}

/** A target that only editors of a site can read, and the one at which a cookie without a nonce gets one. */
export interface Question {
  readonly credentials: readonly string[];
  readonly target: string;
  readonly nonceTarget: string | null;
}

/** Sessions that the site has answered as it answers those who may edit. A login, or what a client claims, proves nothing. */
export class ProvenEditors {
  readonly #clock: Clock;
  readonly #key = randomBytes(32);
  /** Until when, by the hash of target and credentials, which stays afterwards. Only the site's answers add to it. */
  readonly #proven = createLru<number>(MAX_SESSIONS);
  readonly #refused = createLru<number>(MAX_SESSIONS);
  readonly #waiting = new NetworkBudget({ ofNetwork: MAX_WAITING_OF_NETWORK, ofAll: MAX_WAITING });
  /** Strangers' questions can fill the queue. That of a session which was proved before does not wait in it. */
  readonly #waitingAgain = new NetworkBudget({ ofNetwork: MAX_WAITING_OF_NETWORK });
  #last: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isProven(question: Question): boolean {
    return this.#isSet(this.#proven, this.#name(question));
  }

  prove(question: Question): void {
    this.#proven.set(this.#name(question), this.#clock.now() + PROVEN_FOR);
  }

  /** Asks one question at a time. @returns `null` if too many wait or the site fails */
  async ask(request: AskingRequest, question: Question): Promise<boolean | null> {
    const name = this.#name(question);
    if (this.#isSet(this.#refused, name)) return false;
    const wasProven = this.#proven.has(name);
    const waiting = wasProven ? this.#waitingAgain : this.#waiting;
    if (!waiting.take(request.client)) return null;
    const answer = (wasProven ? Promise.resolve() : this.#last).then(() => {
      if (this.isProven(question)) return true;
      return this.#isSet(this.#refused, name) ? false : this.#compare(request, question);
    });
    if (!wasProven) this.#last = answer.catch(() => null);
    try {
      return await answer;
    } finally {
      waiting.giveBack(request.client);
    }
  }

  async #compare(request: AskingRequest, question: Question): Promise<boolean | null> {
    const status = await askAsSender(request, question);
    // A firewall can answer everyone with 200.
    const ofAnonymous = status === 200 ? await readStatus(request.ask(question.target, true)) : REFUSED;
    if (isUnknown(status) || isUnknown(ofAnonymous)) return null;
    const isEditor = status === 200 && ofAnonymous !== 200;
    if (isEditor) this.prove(question);
    else this.#refused.set(this.#name(question), this.#clock.now() + REFUSED_FOR);
    return isEditor;
  }

  #isSet(set: { get(name: string): number | undefined }, name: string): boolean {
    return (set.get(name) ?? 0) > this.#clock.now();
  }

  /** Of all credentials: another site of the domain can add cookies to those of an editor. */
  #name({ credentials, target }: Question): string {
    return computeHmac(this.#key, [target, ...credentials].join('\n')).toString('base64');
  }
}

const REFUSED = 403;

const readStatus = async (answer: Promise<SiteAnswer | null>): Promise<number | null> =>
  (await answer)?.status ?? null;

async function askAsSender(
  request: AskingRequest,
  { nonceTarget, target }: Question,
): Promise<number | null> {
  if (nonceTarget === null) return readStatus(request.ask(target, false));
  // `wp_ajax_rest_nonce()`, for whoever is logged in.
  const { status = null, text = '' } = (await request.ask(nonceTarget, false)) ?? {};
  const [nonce] = /^\s*[\da-f]{10}\s*$/.exec(text) ?? [];
  if (nonce !== undefined) return readStatus(request.ask(target, false, nonce.trim()));
  return isUnknown(status) ? null : REFUSED;
}

function isUnknown(status: number | null): boolean {
  return status === null || status === 429 || status >= 500;
}
