import { countOf } from '../../count-of.ts';
import { explainCacheStatus } from '../try/cache-status.ts';
import { copyOnClick } from './copy.ts';
import { createElement, toStatusClass } from './dom.ts';
import { createJsonView } from './json-view.ts';
import { MAX_TEXT_BYTES, type ReceivedResponse } from './send.ts';

/** Longer texts that are no JSON are cut. */
const MAX_PLAIN_TEXT = 50_000;

/** `200 OK in 75 ms, 27.7 kB` */
export function describeStatus({ content, milliseconds, response }: ReceivedResponse): string {
  return `${response.status} ${response.statusText} in ${milliseconds} ms, ${formatSize(content.size)}`;
}

/**
 * Shows a response below its form.
 *
 * @returns its content as JSON value; `undefined` if it is none, or too large
 */
export function showResponse(form: HTMLElement, target: HTMLElement, received: ReceivedResponse): unknown {
  const { content, milliseconds, response, text } = received;
  const fields = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  // Errors are hardly ever stored, so nobody asks why.
  const explanation = response.ok ? explainCacheStatus(response.headers.get('cache-status')) : '';
  const value = text === undefined || content.size > MAX_TEXT_BYTES ? undefined : parse(text);
  target.replaceChildren(
    createElement(
      'p',
      {},
      createElement(
        'b',
        { class: `status ${toStatusClass(response.status)}` },
        `${response.status} ${response.statusText}`,
      ),
      ` in ${milliseconds} ms`,
    ),
    ...(explanation === '' ? [] : [createElement('p', { class: 'aside' }, explanation)]),
    createElement(
      'details',
      {},
      createElement('summary', {}, countOf(fields.length, 'header field')),
      createElement('pre', { tabindex: '0' }, fields.join('\n')),
    ),
    ...createContentView(received, value),
  );
  if (response.status === 401) askForCredentials(form, target);
  target.scrollIntoView({ block: 'nearest' });
  return value;
}

function createContentView({ content, text }: ReceivedResponse, value: unknown): readonly Node[] {
  if (content.size === 0) return [];
  if (text === undefined) {
    return [createElement('p', {}, `The content is a file (${content.type}). `, createSaveLink(content))];
  }
  const isCut = value === undefined && text.length > MAX_PLAIN_TEXT;
  const copy = createElement('button', { type: 'button', class: 'button' }, 'Copy');
  copyOnClick(copy, () => text);
  return [
    createElement(
      'p',
      { class: 'content-head' },
      createElement('b', {}, 'Content'),
      ` ${formatSize(content.size)}${isCut ? ', of which the beginning is shown' : ''} `,
      isCut ? createSaveLink(content) : copy,
    ),
    value === undefined
      ? createElement('pre', { tabindex: '0' }, text.slice(0, MAX_PLAIN_TEXT))
      : createJsonView(value),
  ];
}

/** A link that saves a content. Its URL is valid until the page is left. */
function createSaveLink(content: Blob): HTMLElement {
  return createElement('a', { href: URL.createObjectURL(content), download: 'response' }, 'Save all of it');
}

function formatSize(bytes: number): string {
  return bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`;
}

/** Opens the fields of the credentials, and says so. */
function askForCredentials(form: HTMLElement, target: HTMLElement): void {
  const credentials = form.querySelector<HTMLDetailsElement>('[data-credentials]');
  if (credentials === null) return;
  credentials.open = true;
  const isFilled = Array.from(credentials.querySelectorAll('input')).some(({ value }) => value !== '');
  const link = createElement(
    'button',
    {
      type: 'button',
      class: 'button',
      onclick: () => credentials.querySelector('input')?.focus(),
    },
    'Enter credentials',
  );
  target.prepend(
    createElement(
      'p',
      {},
      isFilled ? 'The site did not accept these credentials. ' : 'The site asks for credentials. ',
      link,
    ),
  );
}

/** Shows why there is no response. */
export function showFailure(target: HTMLElement, message: string): void {
  target.replaceChildren(createElement('p', { class: 'problem', role: 'alert' }, message));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
