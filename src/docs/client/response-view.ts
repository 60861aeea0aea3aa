import { explainCacheStatus } from '../try/cache-status.ts';
import { copyOnClick } from './copy.ts';
import { createElement } from './dom.ts';
import { createJsonView } from './json-view.ts';
import { MAX_TEXT_BYTES, type ReceivedResponse } from './send.ts';

/** Longer texts that are no JSON are cut. */
const MAX_PLAIN_TEXT = 100_000;

/** Shows a response below its form, and the errors that it reports at their fields. */
export function showResponse(form: HTMLElement, target: HTMLElement, received: ReceivedResponse): void {
  const { content, milliseconds, response, text } = received;
  const fields = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  // Errors are hardly ever stored, so nobody asks why.
  const explanation = response.ok ? explainCacheStatus(response.headers.get('cache-status')) : '';
  const value = text === undefined || content.size > MAX_TEXT_BYTES ? undefined : parse(text);
  target.replaceChildren(
    createElement(
      'p',
      {},
      createElement(
        'b',
        { class: `status status-${String(response.status).charAt(0)}` },
        `${response.status} ${response.statusText}`,
      ),
      ` in ${milliseconds} ms, ${formatSize(content.size)}`,
    ),
    ...(explanation === '' ? [] : [createElement('p', { class: 'aside' }, explanation)]),
    createElement(
      'details',
      {},
      createElement('summary', {}, 'Header fields'),
      createElement('pre', {}, fields),
    ),
    ...createContentView(received, value),
  );
  if (response.status === 401) askForCredentials(form, target);
  target.scrollIntoView({ block: 'nearest' });
  showFieldErrors(form, value);
}

function createContentView({ content, text }: ReceivedResponse, value: unknown): readonly Node[] {
  if (content.size === 0) return [];
  if (text === undefined) {
    return [createElement('p', {}, `The content is a file (${content.type}). `, createSaveLink(content))];
  }
  const copy = createElement('button', { type: 'button', class: 'button' }, 'Copy the content');
  copyOnClick(copy, () => text);
  if (value !== undefined) return [createJsonView(value), copy];
  const shown = createElement('pre', {}, text.slice(0, MAX_PLAIN_TEXT));
  return text.length <= MAX_PLAIN_TEXT
    ? [shown, copy]
    : [createElement('p', { class: 'aside' }, 'The content is cut. ', createSaveLink(content)), shown];
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
  const link = createElement(
    'button',
    {
      type: 'button',
      class: 'button',
      onclick: () => credentials.querySelector('input')?.focus(),
    },
    'Enter credentials',
  );
  target.prepend(createElement('p', {}, 'The site wants credentials, or others. ', link));
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

/** The parameters that an error of WordPress names, with its messages. */
function readFieldErrors(value: unknown): ReadonlyMap<string, string> {
  const params = memberOf(memberOf(value, 'data'), 'params');
  if (Array.isArray(params))
    return new Map(params.map((name) => [String(name), 'This parameter is required.']));
  return typeof params === 'object' && params !== null
    ? new Map(Object.entries(params).map(([name, message]) => [name, String(message)]))
    : new Map();
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}

function showFieldErrors(form: HTMLElement, value: unknown): void {
  for (const old of form.querySelectorAll('.problem')) old.remove();
  const inputs = [...form.querySelectorAll<HTMLElement>('[data-field]')];
  for (const input of inputs) {
    input.classList.remove('invalid');
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-describedby');
  }
  const errors = readFieldErrors(value);
  const [first] = errors.keys();
  for (const [at, [name, message]] of [...errors].entries()) {
    // The fields of the body are in one input.
    const input =
      inputs.find(({ dataset }) => dataset['field'] === name) ??
      inputs.find(({ dataset }) => dataset['field'] === 'body');
    if (input === undefined) continue;
    input.classList.add('invalid');
    input.setAttribute('aria-invalid', 'true');
    const id = `${form.id}-problem-${at}`;
    input.setAttribute('aria-describedby', id);
    input.closest('details')?.setAttribute('open', '');
    input.after(
      createElement(
        'p',
        { class: 'problem', id },
        input.dataset['field'] === name ? message : `${name}: ${message}`,
      ),
    );
    if (name === first) input.focus();
  }
}
