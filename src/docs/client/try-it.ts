import { countOf } from '../../count-of.ts';
import type { Json, JsonObject } from '../../json.ts';
import { createCodeSamples } from '../samples/code-samples.ts';
import { createSampleFile, isWritingMethod, type SampleRequest } from '../samples/sample-request.ts';
import type { RequestField, RequestForm, RequestForms } from '../try/request-form.ts';
import { toTypedValue } from '../try/typed-value.ts';
import { createElement, mountUrl } from './dom.ts';
import { showFailure, showResponse } from './response-view.ts';
import { type Credentials, sendFormRequest } from './send.ts';

/** Adds a form to each operation of the page, which is created when it is opened. */
export function installForms(): void {
  const credentials: Credentials = { username: '', password: '', nonce: '' };
  let forms: Promise<RequestForms> | undefined;
  for (const section of document.querySelectorAll<HTMLElement>('[data-operation]')) {
    const content = createElement('div', {}, 'Loading the form…');
    const details = createElement(
      'details',
      { class: 'try' },
      createElement('summary', {}, 'Try it'),
      content,
    );
    section.querySelector('[data-samples]')?.append(details);
    details.addEventListener(
      'toggle',
      () => {
        forms ??= loadForms();
        forms.then(
          (loaded) => {
            const form = loaded[section.dataset['operation'] ?? ''];
            if (form !== undefined) content.replaceChildren(createForm(form, section, credentials));
          },
          () => {
            content.textContent = 'The form cannot be loaded. Reload the page.';
          },
        );
      },
      { once: true },
    );
  }
}

async function loadForms(): Promise<RequestForms> {
  const response = await fetch(new URL(`docs/${document.body.dataset['page'] ?? ''}.json`, mountUrl()));
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

/** The inputs of a form, by the name of the field. */
type Inputs = ReadonlyMap<RequestField, HTMLInputElement | HTMLSelectElement>;

function createForm(form: RequestForm, section: HTMLElement, credentials: Credentials): HTMLFormElement {
  const inputs: Inputs = new Map(form.fields.map((field) => [field, createInput(field)]));
  const body = createElement('textarea', {
    'data-field': 'body',
    'aria-label': 'Body (JSON)',
    spellcheck: 'false',
  });
  body.value = form.body === undefined ? '' : JSON.stringify(form.body, null, 2);
  const file = createElement('input', { type: 'file', 'aria-label': 'File' });
  const part = createElement('input', { 'aria-label': 'Name of the file part', spellcheck: 'false' });
  part.value = form.upload?.field ?? '';
  const responseView = createElement('div', { class: 'received', 'aria-live': 'polite' });
  const button = createElement('button', { class: 'button primary' }, 'Send');
  const rows = Array.from(inputs, ([field, input]) => createRow(field, input));
  const element = createElement(
    'form',
    { novalidate: true, id: `try-${section.id}` },
    createElement('div', { class: 'send' }, createElement('code', {}, `${form.method} ${form.path}`), button),
    responseView,
    createCredentialFields(credentials),
    createElement('div', { class: 'rows' }, ...rows.slice(0, MAX_OPEN_ROWS)),
    ...foldRows(rows.slice(MAX_OPEN_ROWS)),
    ...(form.body === undefined ? [] : [createElement('label', {}, 'Body (JSON)'), body]),
    ...(form.upload === undefined ? [] : [createElement('label', {}, 'File'), file]),
    // The site does not state the name, and most sites call it `file`.
    ...(form.upload?.isStated === false ? [createElement('label', {}, 'Name of the file part'), part] : []),
  );

  const read = (): SampleRequest => {
    const text = body.value.trim();
    const parsed: JsonObject | undefined =
      form.body === undefined || text === '' ? undefined : JSON.parse(text);
    const [chosen] = file.files ?? [];
    const valuesIn = (location: string): readonly TypedField[] =>
      Array.from(inputs, ([field, input]) => ({ field, text: readInput(input) }))
        .filter(({ field, text: typed }) => field.in === location && typed !== '')
        .map(({ field, text: typed }) => ({ ...field, value: toTypedValue(typed, field.valueTypes) }));
    return {
      method: form.method,
      path: form.path,
      baseUrl: requestUrl(),
      pathParameters: valuesIn('path'),
      query: valuesIn('query').map(({ name, value }) => [name, value]),
      body: parsed,
      file:
        chosen === undefined || form.upload === undefined
          ? undefined
          : { field: part.value, name: chosen.name, type: chosen.type },
      hasCredentials: form.needsCredentials || credentials.username !== '',
    };
  };
  const readOrExplain = (): SampleRequest | undefined => {
    try {
      return read();
    } catch {
      showFailure(responseView, 'The body is not valid JSON.');
      return undefined;
    }
  };
  element.addEventListener('input', () => {
    try {
      const request = read();
      const isFileMissing = form.upload !== undefined && request.file === undefined;
      updateSamples(section, isFileMissing ? { ...request, file: createSampleFile(part.value) } : request);
    } catch {
      // The body is being typed.
    }
  });
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    const request = readOrExplain();
    if (request === undefined) return;
    if (isWritingMethod(request.method) && !confirm(`${request.method} may change the site. Send it?`))
      return;
    button.disabled = true;
    responseView.replaceChildren(createElement('p', {}, 'Waiting for the response…'));
    sendFormRequest(request, file.files?.[0], credentials)
      .then(
        (received) => showResponse(element, responseView, received),
        () => showFailure(responseView, 'No response: the gateway cannot be reached.'),
      )
      .finally(() => {
        button.disabled = false;
      });
  });
  return element;
}

/** A field with the value that was typed. */
interface TypedField extends RequestField {
  readonly value: Json;
}

/** Parameters that a form shows at first. Those in the path and the required ones come first. */
const MAX_OPEN_ROWS = 8;

function foldRows(rows: readonly HTMLElement[]): readonly HTMLElement[] {
  if (rows.length === 0) return [];
  const summary = createElement('summary', {}, countOf(rows.length, 'more parameter'));
  return [createElement('details', {}, summary, createElement('div', { class: 'rows' }, ...rows))];
}

function requestUrl(): string {
  return mountUrl().href.replace(/\/$/, '') + (document.body.dataset['prefix'] ?? '');
}

/** Returns the value of an input; the chosen values of a list, separated by commas. */
function readInput(input: HTMLInputElement | HTMLSelectElement): string {
  if (!(input instanceof HTMLSelectElement)) return input.value;
  return Array.from(input.selectedOptions, ({ value }) => value)
    .filter((value) => value !== '')
    .join(',');
}

function createInput({
  allowed,
  default: defaultText,
  isList,
  isRequired,
  name,
  value,
}: RequestField): HTMLInputElement | HTMLSelectElement {
  const properties = { 'data-field': name, 'aria-label': name, 'aria-required': String(isRequired) };
  const preset = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  if (allowed.length > 0) {
    const unset = createElement('option', { value: '' }, defaultText === '' ? '' : `(${defaultText})`);
    const options = allowed.map((text) => createElement('option', { value: text }, text));
    if (isList) {
      for (const option of options) option.selected = Array.isArray(value) && value.includes(option.value);
      return createElement('select', { ...properties, multiple: true }, ...options);
    }
    const select = createElement('select', properties, unset, ...options);
    select.value = preset;
    return select;
  }
  const placeholder = defaultText === '' ? {} : { placeholder: defaultText };
  const input = createElement('input', {
    ...properties,
    ...placeholder,
    spellcheck: 'false',
    autocomplete: 'off',
  });
  input.value = preset;
  return input;
}

function createRow({ in: location, isRequired, name, type }: RequestField, input: HTMLElement): HTMLElement {
  const notes = [type, `in ${location}`, ...(isRequired ? ['required'] : [])].join(', ');
  return createElement(
    'div',
    { class: 'row' },
    createElement('label', {}, `${name} `, createElement('small', {}, notes)),
    input,
  );
}

function createCredentialFields(credentials: Credentials): HTMLElement {
  const field = (label: string, key: keyof Credentials, type: string): readonly HTMLElement[] => {
    const input = createElement('input', { type, 'aria-label': label, autocomplete: 'off' });
    input.value = credentials[key];
    input.addEventListener('input', () => {
      credentials[key] = input.value;
    });
    return [createElement('label', {}, label), input];
  };
  return createElement(
    'details',
    { 'data-credentials': true },
    createElement('summary', {}, 'Credentials (kept until you leave the page)'),
    ...field('User name', 'username', 'text'),
    ...field('Application password', 'password', 'password'),
    ...field('Nonce (with the cookie of this browser)', 'nonce', 'text'),
  );
}

function updateSamples(section: HTMLElement, request: SampleRequest): void {
  const samples = createCodeSamples(request);
  for (const [at, code] of [
    ...section.querySelectorAll('[data-samples] > details:not(.try) pre code'),
  ].entries()) {
    code.textContent = samples[at]?.code ?? '';
  }
}
