import { listIgnoredFieldsOfTexts } from '../../../support/echoed-fields.ts';
import type { RunningGateway } from '../../../support/gateway.ts';

/** One write of a matrix. */
export interface MatrixWrite {
  /** The change in words. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Route with its query; `{name}` is replaced with a remembered id. */
  readonly path: string;
  readonly body?: object;
  /** Fields of a form, which is sent with the session of the site. */
  readonly form?: Readonly<Record<string, string | number>>;
  /** The field of a form or a link that carries a nonce, and the action that the nonce is for. */
  readonly nonce?: readonly [field: string, action: string];
  /** A call of XML-RPC. */
  readonly xml?: string;
  /** Remembers the `id` of the response under this name. */
  readonly as?: string;
  /** Whether to send it without credentials. @default false */
  readonly isAnonymous?: boolean;
}

export const post = (name: string, path: string, body?: object): MatrixWrite => ({
  name,
  method: 'POST',
  path,
  ...(body && { body }),
});
/** A write whose `id` is remembered. */
export const create = (name: string, path: string, as: string, body: object): MatrixWrite => ({
  ...post(name, path, body),
  as,
});
/** A site with everything that is read and written in a matrix. */
interface MatrixSite {
  readonly running: Pick<RunningGateway, 'origin' | 'request'>;
  /** Base URL of the site itself, with a slash at the end. */
  readonly siteUrl: string;
  /** Routes with their queries, and pages with the prefix `page:`. `{site}` is replaced with the URL of the site. */
  readonly reads: readonly string[];
  /** Cookies of a session, for forms. */
  readonly session?: string;
  /** `Authorization` of the writes. */
  readonly authorization: string;
  /** Ids by name, which paths of writes and reads refer to. */
  readonly ids: Map<string, string>;
}

interface ReadResult {
  readonly status: number;
  readonly text: string;
  readonly isHit: boolean;
}

/** Compares all reads with the site after each write. */
export class Matrix {
  /** The first outdated responses, with the site's own. */
  readonly examples: string[] = [];
  readonly #site: MatrixSite;
  /** The last response of each read, through the gateway. */
  readonly #last = new Map<string, ReadResult>();
  readonly #storable = new Set<string>();

  constructor(site: MatrixSite) {
    this.#site = site;
  }

  async prepare(write: MatrixWrite): Promise<void> {
    const response = await this.send(write);
    const text = await response.text();
    // A form is done once the client is sent on.
    const isDone = response.ok || (response.status === 302 && !isRest(write));
    if (!isDone) throw new Error(`${write.name}: ${response.status} ${text.slice(0, 500)}`);
    // A field that the site ignores changes nothing, and its row would prove nothing.
    const sent = this.#fill(JSON.stringify(write.body ?? null));
    const ignored = response.ok ? listIgnoredFieldsOfTexts(sent, text) : [];
    if (ignored.length > 0) throw new Error(`${write.name}: ${ignored.join('; ')}`);
    if (REFUSED_FORM.test(text) && !isRest(write)) throw new Error(`${write.name}: ${text.slice(0, 500)}`);
    if (write.as === undefined) return;
    const id = isRest(write)
      ? JSON.parse(text).id
      : FORM_ID.exec(text)
          ?.slice(1)
          .find((each) => each !== undefined);
    if (id === undefined) throw new Error(`${write.name} has no id: ${text.slice(0, 2_000)}`);
    this.#site.ids.set(write.as, String(id));
  }

  /** Reads everything, so that it is stored. The first time it returns the reads that are never stored. */
  async warm(): Promise<readonly string[]> {
    await this.#forEachRead(async (read) => void this.#last.set(read, await this.#readGateway(read)));
    if (this.#storable.size > 0) return [];
    await this.#forEachRead(async (read) => {
      const result = await this.#readGateway(read);
      this.#last.set(read, result);
      if (result.isHit) this.#storable.add(read);
    });
    return this.#site.reads.filter((read) => !this.#storable.has(read));
  }

  /** Sends a write through the gateway. @returns the reads that are stale after it, and whether any has changed */
  async write(
    write: MatrixWrite,
  ): Promise<{ readonly stale: readonly string[]; readonly hasEffect: boolean }> {
    await this.prepare(write);
    const hits = new Map<string, ReadResult>();
    let hasEffect = false;
    await this.#forEachRead(async (read) => {
      const before = this.#last.get(read);
      const after = await this.#readGateway(read);
      this.#last.set(read, after);
      if (after.isHit) hits.set(read, after);
      else hasEffect ||= before?.status === 200 && this.#storable.has(read) && before.text !== after.text;
    });
    // A response that was not stored is current.
    const current = await this.#readSite([...hits.keys()], true);
    const different = [...hits].filter(([read, { text }]) => text !== current.get(read));
    // Together in one process some blocks are rendered differently, so those that differ are read one by one.
    const single = await this.#readSite(
      different.map(([read]) => read),
      false,
    );
    const stale = different.filter(([read, { text }]) => text !== single.get(read));
    for (const [read, { text }] of stale) this.#describe(write.name, read, text, single.get(read) ?? '');
    return { stale: stale.map(([read]) => read), hasEffect };
  }

  #describe(name: string, read: string, stored: string, current: string): void {
    let at = 0;
    while (at < stored.length && stored[at] === current[at]) at += 1;
    const excerpt = (text: string): string => text.slice(Math.max(0, at - 60), at + 60);
    if (this.examples.length < MAX_EXAMPLES) {
      this.examples.push(`${name}: ${read}\n  stored: ${excerpt(stored)}\n  site:   ${excerpt(current)}`);
    }
  }

  async send(write: MatrixWrite): Promise<Response> {
    const { body, isAnonymous, method, path, xml } = write;
    const headers = new Headers();
    const address = new URL(this.#fill(isRest(write) ? toRestAddress(path) : path), 'http://site');
    let content: BodyInit | undefined;
    if (xml !== undefined) {
      headers.set('content-type', 'text/xml');
      content = this.#fill(xml);
    } else if (isRest(write)) {
      if (isAnonymous !== true) headers.set('authorization', this.#site.authorization);
      if (body !== undefined) {
        headers.set('content-type', 'application/json');
        content = this.#fill(JSON.stringify(body));
      }
    } else {
      if (isAnonymous !== true) headers.set('cookie', this.#site.session ?? '');
      const fields = new URLSearchParams(write.form as Record<string, string> | undefined);
      for (const [name, value] of [...fields]) fields.set(name, this.#fill(value));
      if (write.nonce !== undefined) {
        const [field, action] = write.nonce;
        (method === 'GET' ? address.searchParams : fields).set(
          field,
          await this.#createNonce(this.#fill(action)),
        );
      }
      if (method !== 'GET') content = fields;
    }
    return this.#site.running.request(address.pathname + address.search, {
      method,
      headers,
      ...(content === undefined ? {} : { body: content }),
    });
  }

  /** Requests a nonce of the session from `mu-plugins/matrix-session.php`. */
  async #createNonce(action: string): Promise<string> {
    const query = new URLSearchParams({ action: 'matrix-nonce', for: action });
    const headers = { cookie: this.#site.session ?? '' };
    const response = await fetch(`${this.#site.siteUrl}wp-admin/admin-ajax.php?${query}`, { headers });
    return response.json();
  }

  #fill(path: string): string {
    return path.replace(/\{(\w+)\}/g, (all, name: string) => this.#site.ids.get(name) ?? all);
  }

  async #readGateway(read: string): Promise<ReadResult> {
    const path = this.#fill(read.startsWith('page:') ? read.slice('page:'.length) : toRestAddress(read));
    return this.#toResult(await this.#site.running.request(path, BROWSER));
  }

  /** Reads routes at the site itself, together in one request or one by one. */
  async #readSite(reads: readonly string[], isOneRequest: boolean): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const toRoute = (read: string): string => this.#fill(read).replace(/^\/wp-json(?=\/)/, '');
    const isTogether = (read: string): boolean => isOneRequest && !read.startsWith('page:');
    // WordPress renders some links with the address of the request, so it is that which the gateway uses.
    const toAddress = (read: string): string =>
      read.startsWith('page:')
        ? this.#site.siteUrl + this.#fill(read.slice('page:/'.length))
        : `${this.#site.siteUrl}wp-json${toRoute(read)}`;
    await forEachConcurrently(
      reads.filter((each) => !isTogether(each)),
      async (read) => {
        found.set(read, (await this.#toResult(await fetch(toAddress(read), BROWSER))).text);
      },
    );
    const together = reads.filter(isTogether);
    // A request for each of two cores.
    const half = Math.ceil(together.length / 2);
    const parts = [together.slice(0, half), together.slice(half)].filter((part) => part.length > 0);
    await Promise.all(
      parts.map((part) =>
        this.#readTogether(
          part.map((read) => [read, toRoute(read)]),
          found,
        ),
      ),
    );
    return found;
  }

  /** Reads routes in one request to `mu-plugins/matrix-read.php`. */
  async #readTogether(
    reads: readonly (readonly [read: string, route: string])[],
    found: Map<string, string>,
  ): Promise<void> {
    const response = await fetch(`${this.#site.siteUrl}index.php?rest_route=/wp/v2/matrix-read`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ routes: reads.map(([, route]) => route) }),
    });
    const results: readonly [number, string | null, string | null, string][] = JSON.parse(
      await response.text(),
    );
    for (const [index, [status, total, pages, body]] of results.entries()) {
      found.set(reads[index]?.[0] ?? '', this.#normalize(`${status} ${total},${pages} ${body}`));
    }
  }

  async #toResult(response: Response): Promise<ReadResult> {
    const [total, pages] = ['x-wp-total', 'x-wp-totalpages'].map((name) => response.headers.get(name));
    const text = this.#normalize(`${response.status} ${total},${pages} ${await response.text()}`);
    const isHit = /;\s*hit/.test(response.headers.get('cache-status') ?? '');
    return { status: response.status, text, isHit };
  }

  /** Removes what differs between two responses of an unchanged resource: URLs, numbers of blocks, nonces, secrets, times. */
  #normalize(text: string): string {
    const { running, siteUrl } = this.#site;
    return (
      [running.origin, siteUrl.slice(0, -1)]
        .flatMap((url) => [url, url.replaceAll('/', '\\/')])
        .reduce((replaced, url) => replaced.replaceAll(url, 'http:site'), text)
        // Related posts of the theme Hueman, by chance.
        .replace(/<ul class="related-posts.*?<\/ul>/gs, 'varies')
        .replace(/(?<![0-9a-f])(?:[0-9a-f]{10}|[0-9a-f]{13})(?![0-9a-f])|<lastBuildDate>[^<]*/g, 'varies')
        .replace(/(?:data-secret=\\?"|#\?secret=)\w+/g, 'secret')
        .replace(/\b((?:gallery|wp-block|wp-container|wp-elements|modal)[\w-]*?-)\d+/g, '$1N')
    );
  }

  async #forEachRead(run: (read: string) => Promise<void>): Promise<void> {
    await forEachConcurrently(this.#site.reads, run);
  }
}

/** Runs a function for each value, four at a time. */
async function forEachConcurrently<T>(values: readonly T[], run: (value: T) => Promise<void>): Promise<void> {
  const waiting = [...values];
  const work = async (): Promise<void> => {
    for (let value = waiting.shift(); value !== undefined; value = waiting.shift()) await run(value);
  };
  await Promise.all([work(), work(), work(), work()]);
}

/** The address of a route, e.g. `/wp/v2/posts`. Others are unchanged: pages, scripts, `/?rest_route=`. */
const toRestAddress = (path: string): string => path.replace(/^(?=\/[a-z]+\/v?\d)/, '/wp-json');

const isRest = ({ form, nonce, xml }: MatrixWrite): boolean =>
  form === undefined && nonce === undefined && xml === undefined;

/** What WordPress responds to a form that it refuses, or to a call of XML-RPC. */
const REFUSED_FORM = /^\s*(?:0|-1)\s*$|<fault>|id="error-page"/;
/** The id of what a form has created: a post, a comment or term in a list, or the value of a call. */
const FORM_ID =
  /name=["']post_ID["'] value=["'](\d+)|id=["'](?:comment|tag)-(\d+)["']|<(?:string|int)>(\d+)</;

const MAX_EXAMPLES = 60;

/** A browser-like client without credentials. */
const BROWSER: RequestInit = {
  redirect: 'manual',
  headers: {
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    // The gateway would spend most of the time with compression.
    'accept-encoding': 'identity',
    'accept-language': 'en-GB,en;q=0.7',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  },
};
