import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Request, Response } from 'playwright-core';
import type { TestBrowser } from '../../support/browser.ts';
import { waitUntilStable } from '../../support/wait.ts';
import type { WordPress } from '../../support/wordpress.ts';

/** A person with a browser window of their own, e.g. a shopper. Steps are functions of it. */
export interface Person {
  readonly page: Page;
  /** Address that browsers use: that of the site, or of the gateway in front of it. */
  readonly origin: string;
  readonly users: WordPress['users'];
  open(path: string): Promise<void>;
  /** Clicks, wherever the element is: wp-admin shows some only under the pointer. */
  press(selector: string): Promise<void>;
  /** Clicks, and waits for the page that follows. */
  follow(selector: string): Promise<void>;
  read(selector: string): Promise<string>;
  /** Requests a path by a script of the page. @returns status and body */
  fetch(
    path: string,
    init?: { method?: string; body?: string; headers?: Record<string, string> },
  ): Promise<string>;
  readMail(): Promise<string>;
}

/** What a person does. A step that returns no text has seen the page that is open in the end. */
type Step = (person: Person) => Promise<unknown>;

/** Sentences with what they mean, by person. */
export type Journey = Readonly<Record<string, Readonly<Record<string, Step>>>>;

/** What a step has led to. Addresses, nonces and times are replaced by names. */
interface Outcome {
  readonly failure: string | undefined;
  readonly seen: string;
  /** Path and query of the page. */
  readonly url: string;
  /** Each document that was requested with its status, fields and redirect. */
  readonly documents: readonly string[];
  /** Every other request to the site that failed. */
  readonly failed: readonly string[];
  /** Names and attributes of all cookies that the browser has. */
  readonly cookies: readonly string[];
  readonly console: readonly string[];
  /** What PHP was asked by requests that are no `GET`, and the mails that it sent. */
  readonly writes: readonly string[];
}

/** Result of a whole journey. */
export interface JourneyResult {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** What PHP was asked by requests with `GET`. */
  readonly reads: ReadonlySet<string>;
  /** Rows of the site's database in the end. */
  readonly rows: readonly string[];
}

/** Fields of documents that the site decides on and a browser acts on. */
const FIELDS =
  'location content-type content-disposition cache-control referrer-policy x-frame-options x-redirect-by x-robots-tag'.split(
    ' ',
  );

/** Performs all steps of a journey, one after the other. */
export async function performSteps(
  journey: Journey,
  { browser, origin, site }: { browser: TestBrowser; origin: string; site: WordPress },
): Promise<JourneyResult> {
  const outcomes = new Map<string, Outcome>();
  const normalize = createNormalizer(origin);
  const log = join(site.folder, 'wp-content/journey.log');
  const readLog = async (): Promise<Record<string, unknown>[]> => {
    const lines = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  // The first requests are those of the site's start, and of the gateway's.
  const started = (await readLog()).length;
  for (const [name, steps] of Object.entries(journey)) {
    const visit = await browser.visit('about:blank');
    visit.page.on('dialog', (dialog) => void dialog.accept());
    const traffic = watchTraffic(visit.page, normalize);
    const person = createPerson(visit.page, origin, site, async () => {
      const mail = (await readLog()).findLast((line) => 'mail' in line);
      return /https?:\/\/[^\s>]+/.exec(String(mail?.['text']))?.[0] ?? '';
    });
    for (const [sentence, step] of Object.entries(steps)) {
      const logged = (await readLog()).length;
      const lines = visit.console.length;
      let failure: string | undefined;
      let seen = '';
      try {
        const returned = await step(person);
        await traffic.settle();
        seen = typeof returned === 'string' ? returned : await readStablePage(visit.page);
      } catch (problem) {
        failure = normalize(String(problem));
        await traffic.settle();
      }
      const { documents, failed } = traffic.take();
      outcomes.set(`${name}: ${sentence}`, {
        failure,
        seen: normalize(seen),
        url: normalize(visit.page.url()),
        documents,
        failed,
        cookies: (await visit.page.context().cookies()).map(describeCookie).map(normalize).sort(),
        console: visit.console.slice(lines).map(normalize).sort(),
        writes: (await readLog())
          .slice(logged)
          .filter((line) => line['method'] !== 'GET' && !isBackground(line))
          .map((line) => normalize(JSON.stringify(line)))
          .sort(),
      });
    }
    await visit.page.context().close();
  }
  const reads = (await readLog()).slice(started).filter(({ method }) => method === 'GET');
  return {
    outcomes,
    reads: new Set(reads.map(({ referer: _, ...line }) => normalize(JSON.stringify(line)))),
    rows: (await readDatabase(site)).map(normalize),
  };
}

/** Options and metadata that are random, or tell when something was done. */
const RANDOM_NAMES =
  /transient|storefront_session|session_tokens|_edit_lock|_key|_salt|auth|nonce|_application_passwords|persisted_preferences|^cron$/;
const RANDOM_COLUMNS = ['user_pass', 'user_activation_key', 'post_password', 'option_id', 'umeta_id'];

async function readDatabase({ url }: WordPress): Promise<string[]> {
  const response = await fetch(`${url}?journey_database`);
  const tables = (await response.json()) as Record<string, Record<string, string>[]>;
  return Object.entries(tables).flatMap(([table, rows]) =>
    rows
      .filter((row) => !RANDOM_NAMES.test(row['option_name'] ?? row['meta_key'] ?? ''))
      .map((row) => Object.entries(row).filter(([column]) => !RANDOM_COLUMNS.includes(column)))
      .map((columns) => `${table} ${JSON.stringify(Object.fromEntries(columns))}`),
  );
}

/**
 * Whether a script of wp-admin sends a request some time after what a person did: the heartbeat, preferences of the editor, and
 * the preview of the customizer.
 */
function isBackground({ action, uri }: Readonly<Record<string, unknown>>): boolean {
  return action === 'heartbeat' || /^\/wp-json\/wp\/v2\/users\/me|customize_autosaved=on/.test(String(uri));
}

function createPerson(page: Page, origin: string, site: WordPress, readMail: Person['readMail']): Person {
  const press: Person['press'] = (selector) =>
    page
      .locator(selector)
      .first()
      .evaluate((element: HTMLElement) => element.click());
  return {
    page,
    origin,
    press,
    users: site.users,
    async open(path) {
      await page.goto(origin + path);
    },
    async follow(selector) {
      await Promise.all([page.waitForEvent('load'), press(selector)]);
    },
    read: async (selector) => (await page.textContent(selector)) ?? '',
    fetch: (path, init) =>
      page.evaluate(
        async ([url, options]) => {
          const response = await fetch(url, options);
          return `${response.status} ${response.headers.get('content-type')} ${response.url}\n${await response.text()}`;
        },
        [origin + path, init] as const,
      ),
    readMail,
  };
}

/** Reads the page when scripts have ended: they change it a moment after their last response. */
async function readStablePage(page: Page): Promise<string> {
  return waitUntilStable(() => readPage(page), 1, 100);
}

/** Title and visible text of the page, fields of its forms, and links, once its scripts are idle. */
async function readPage(page: Page): Promise<string> {
  const fields = await page.evaluate(async () => {
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 10_000 }));
    return [
      ...[...document.querySelectorAll<HTMLInputElement>('input, textarea, select')]
        .filter(({ name, type }) => name !== '' && type !== 'password')
        .map(({ name, value }) => `${name}=${value}`),
      ...[...document.querySelectorAll('a')].map(({ href }) => href),
    ];
  });
  // biome-ignore lint/performance/useDomNodeTextContent: the text of scripts is not seen
  return [await page.title(), await page.innerText('body'), ...fields].join('\n');
}

interface Traffic {
  /** Waits until nothing is requested any more. */
  settle(): Promise<void>;
  /** Returns what was recorded since the last call. */
  take(): Pick<Outcome, 'documents' | 'failed'>;
}

function watchTraffic(page: Page, normalize: (text: string) => string): Traffic {
  const context = page.context();
  const pending = new Set<Request>();
  let changes = 0;
  let documents: string[] = [];
  let failed = new Set<string>();
  const name = (request: Request): string => `${request.method()} ${normalize(request.url())}`;
  const end = (request: Request): void => {
    pending.delete(request);
    changes += 1;
  };
  context.on('request', (request) => {
    if (/^https?:/.test(request.url())) pending.add(request);
    changes += 1;
  });
  context.on('requestfinished', end);
  context.on('requestfailed', (request) => {
    end(request);
    const reason = request.failure()?.errorText ?? '';
    // A person who leaves a page ends its requests.
    if (reason !== 'net::ERR_ABORTED') failed.add(`${reason} ${name(request)}`);
  });
  context.on('response', (response: Response) => {
    const request = response.request();
    if (!/^https?:/.test(request.url())) return;
    const line = `${response.status()} ${name(request)}`;
    if (!request.isNavigationRequest()) return void (response.status() >= 400 && failed.add(line));
    const headers = response.headers();
    const fields = FIELDS.filter((field) => headers[field] !== undefined);
    documents.push(
      [line, ...fields.map((field) => `${field}: ${normalize(headers[field] ?? '')}`)].join('\n'),
    );
  });
  return {
    async settle() {
      await waitUntilStable(() => (pending.size === 0 ? changes : Number.NaN), 3, 20);
    },
    take() {
      const taken = { documents, failed: [...failed].sort() };
      documents = [];
      failed = new Set();
      return taken;
    },
  };
}

type Cookie = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>[number];

function describeCookie({ name, domain, path, expires, httpOnly, secure, sameSite }: Cookie): string {
  const hours = expires === -1 ? 'session' : `${Math.round((expires - Date.now() / 1000) / 3600)} h`;
  return [name, domain, path, hours, httpOnly && 'HttpOnly', secure && 'Secure', sameSite].join(' ');
}

/** Creates a function that replaces what differs between two visits of the same site: its address, nonces, keys and times. */
function createNormalizer(origin: string): (text: string) => string {
  const { host } = new URL(origin);
  const names: readonly (readonly [string | RegExp, string])[] = [
    [origin, '{site}'],
    [origin.replaceAll('/', '\\/'), '{site}'],
    [encodeURIComponent(origin), '{site}'],
    [host, '{host}'],
    [encodeURIComponent(host), '{host}'],
    [/(?<![0-9a-z])[0-9a-f]{32,64}(?![0-9a-z])/g, '{hash}'],
    [/\b[0-9a-f]{13}\b/g, '{id}'],
    [/\b[0-9a-f]{10}\b/g, '{nonce}'],
    // The gateway names the route of a form in the query, too.
    [/[?&]rest_route=\/wp\/v2\/[\w/-]+(?=")/g, ''],
    [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '{uuid}'],
    [/(nonce(?:=|%3D))[0-9a-f]{10}\b/g, '$1{nonce}'],
    [/\d{13}/g, '{milliseconds}'],
    [/\b(rand|confirm_key|ss|mn|(?:hidden|cur)_(?:ss|mn))=\w+/g, '$1={random}'],
    [/(secret=\\?"?)\w{10}\b/g, '$1{secret}'],
    [/(wc_order_|\bkey=|activate\/)\w{12,}/g, '$1{key}'],
    [/\b\d{1,2}:\d\d(:\d\d)?( ?[ap]m)?/gi, '{time}'],
    [/\b(a few|\d+) (second|min|minute)s? ago/g, '{ago}'],
  ];
  return (text) => names.reduce((result, [from, to]) => result.replaceAll(from, to), text);
}
