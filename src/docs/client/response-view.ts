import { explainCacheStatus } from '../try/cache-status.ts';
import { createElement } from './dom.ts';
import { createJsonView } from './json-view.ts';
import type { ReceivedResponse } from './send.ts';

/** Longer texts that are no JSON are cut. */
const MAX_PLAIN_TEXT = 100_000;

/** Shows a response below its form, and the errors that it reports at their fields. */
export function showResponse(
  form: HTMLElement,
  target: HTMLElement,
  { milliseconds, response, text }: ReceivedResponse,
): void {
  const fields = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  // Errors are hardly ever stored, so nobody asks why.
  const explanation = response.ok ? explainCacheStatus(response.headers.get('cache-status')) : '';
  const value = parse(text);
  target.replaceChildren(
    createElement(
      'p',
      {},
      createElement(
        'b',
        { class: `status status-${String(response.status).charAt(0)}` },
        `${response.status} ${response.statusText}`,
      ),
      ` in ${milliseconds} ms`,
    ),
    ...(explanation === '' ? [] : [createElement('p', { class: 'aside' }, explanation)]),
    createElement(
      'details',
      {},
      createElement('summary', {}, 'Header fields'),
      createElement('pre', {}, fields),
    ),
    value === undefined ? createElement('pre', {}, text.slice(0, MAX_PLAIN_TEXT)) : createJsonView(value),
  );
  if (response.status === 401) askForCredentials(form, target);
  target.scrollIntoView({ block: 'nearest' });
  showFieldErrors(form, value);
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
  }
  const errors = readFieldErrors(value);
  const [first] = errors.keys();
  for (const [name, message] of errors) {
    // The fields of the body are in one input.
    const input =
      inputs.find(({ dataset }) => dataset['field'] === name) ??
      inputs.find(({ dataset }) => dataset['field'] === 'body');
    if (input === undefined) continue;
    input.classList.add('invalid');
    input.setAttribute('aria-invalid', 'true');
    input.after(
      createElement(
        'p',
        { class: 'problem' },
        input.dataset['field'] === name ? message : `${name}: ${message}`,
      ),
    );
    if (name === first) input.focus();
  }
}
