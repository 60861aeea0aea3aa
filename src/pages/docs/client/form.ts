import { isJsonObject, type JsonStructure, jsonMembers, memberAt, toText } from '../../../base/json.ts';
import { countOf, toMethodClass } from '../../../base/text.ts';
import { createCodeSamples } from '../../../generator/reference/code-samples.ts';
import {
  cartFieldsOf,
  createSampleFile,
  findPathProblems,
  isWritingMethod,
  type RequestField,
  type RequestForm,
  type RequestForms,
  type SampleRequest,
  toSampleUrl,
  toTypedValue,
} from '../../../generator/reference/sample-request.ts';
import { createElement, createFold, docsUrl, requestUrl, toStatusClass } from './dom.ts';
import type { Login } from './login.ts';
import { createCodeNodes, describeStatus, showFailure, showResponse } from './response-view.ts';
import { type Cart, sendFormRequest } from './send.ts';

export function createFormInstaller(login: Login): (section: HTMLElement) => void {
  const cart: Cart = {};
  let forms: Promise<RequestForms> | undefined;
  return (section) => {
    const content = createElement('div', {}, 'Loading the form…');
    const details = createFold({ class: 'try' }, 'Try it', content);
    section.querySelector('[data-samples]')?.append(details);
    details.addEventListener(
      'toggle',
      () => {
        forms ??= loadForms();
        forms.then(
          (loaded) => {
            const form = loaded[section.dataset['operation'] ?? ''];
            if (form !== undefined) content.replaceChildren(createForm(form, section, login, cart));
          },
          () => {
            content.textContent = 'The form cannot be loaded. Reload the page.';
          },
        );
      },
      { once: true },
    );
  };
}

async function loadForms(): Promise<RequestForms> {
  const response = await fetch(docsUrl(`${document.body.dataset['page'] ?? ''}.json`));
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

function createForm(form: RequestForm, section: HTMLElement, login: Login, cart: Cart): HTMLFormElement {
  const controls = createControls(form);
  const { file, inputs } = controls;
  const line = createRequestLine(form.method);
  const responseView = createElement('div', { class: 'received' });
  const element = createElement(
    'form',
    { novalidate: true, id: `try-${section.id}` },
    line.element,
    createLoginRow(login),
    ...createRows(inputs),
    ...controls.elements,
    responseView,
  );

  const read = (): SampleRequest => readRequest(form, controls, login);
  const update = (): void => {
    try {
      const request = read();
      line.showRequest(request);
      const sampled = form.upload === undefined ? undefined : createSampleFile(form.upload);
      updateSamples(section, { ...request, file: request.file ?? sampled });
    } catch {}
  };
  const send = (): void => {
    // The button is not disabled, because it would lose the focus.
    if (line.button.ariaDisabled === 'true') return;
    let request: SampleRequest;
    try {
      request = read();
    } catch {
      line.showState('');
      showFailure(responseView, 'The body is not valid JSON.');
      return;
    }
    const problems = findPathProblems(request);
    if (problems.size > 0) {
      line.showState('');
      showFieldErrors(element, problems);
      return;
    }
    if (isWritingMethod(request.method) && !confirm(describeWrite(request, login))) return;
    line.button.ariaDisabled = 'true';
    line.showState('Waiting for the response…');
    responseView.replaceChildren();
    sendFormRequest(request, file.files?.[0], login.credentials, cart)
      .then(
        (received) => {
          line.showState(describeStatus(received), received.response.status);
          const value = showResponse(responseView, received);
          showAdvice(responseView, section, value);
          if (received.response.status === 401)
            responseView.prepend(createElement('p', {}, createLoginButton(login, 'Enter credentials')));
          showFieldErrors(element, readFieldErrors(value));
        },
        () => {
          line.showState('');
          showFailure(responseView, 'No response: the gateway cannot be reached.');
        },
      )
      .finally(() => {
        line.button.ariaDisabled = 'false';
      });
  };
  element.addEventListener('input', update);
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
  login.onChange(update);
  update();
  return element;
}

function describeWrite(request: SampleRequest, login: Login): string {
  const { host, pathname, search } = new URL(toSampleUrl(request));
  const user = login.describe() || 'without credentials';
  return `Send ${request.method} ${pathname}${search} to ${host} ${user}? It can change the site.`;
}

function createLoginRow(login: Login): HTMLElement {
  const text = createElement('span');
  const show = (): void => {
    text.textContent = `Sent ${login.describe() || 'without credentials'}. `;
  };
  login.onChange(show);
  show();
  return createElement('p', { class: 'aside' }, text, createLoginButton(login, 'Change'));
}

function createLoginButton(login: Login, text: string): HTMLElement {
  return createElement('button', { type: 'button', class: 'button', onclick: () => login.open() }, text);
}

function showAdvice(target: HTMLElement, section: HTMLElement, value: unknown): void {
  const code = isJsonObject(value) ? value['code'] : undefined;
  const name = [...section.querySelectorAll('.codes code')].find(({ textContent }) => textContent === code);
  const advice = name?.closest('dt')?.nextElementSibling?.cloneNode(true).childNodes ?? [];
  if (advice.length > 0) target.prepend(createElement('p', { class: 'note' }, ...advice));
}

interface Controls {
  readonly inputs: ReadonlyMap<RequestField, FieldInput>;
  readonly body: HTMLTextAreaElement;
  readonly file: HTMLInputElement;
  readonly elements: readonly HTMLElement[];
}

function createControls({ body: example, fields, upload }: RequestForm): Controls {
  const text = example === undefined ? '' : JSON.stringify(example, null, 2);
  const body = createElement('textarea', {
    'data-field': 'body',
    'aria-label': 'Body (JSON)',
    spellcheck: 'false',
    rows: String(Math.min(24, Math.max(6, text.split('\n').length + 1))),
  });
  body.value = text;
  const file = createElement('input', { type: 'file', 'aria-label': 'File' });
  const elements = [
    ...(example === undefined ? [] : [createElement('label', {}, 'Body (JSON)'), body]),
    ...(upload === undefined ? [] : [createElement('label', {}, 'File'), file]),
  ];
  return { inputs: new Map(fields.map((field) => [field, createInput(field)])), body, file, elements };
}

function readRequest(form: RequestForm, controls: Controls, login: Login): SampleRequest {
  const { body, file, inputs } = controls;
  const text = body.value.trim();
  const parsed: JsonStructure | undefined =
    form.body === undefined || text === '' ? undefined : JSON.parse(text);
  const [chosen] = file.files ?? [];
  const valuesIn = (location: string) =>
    [...inputs].flatMap(([field, input]) => {
      const { value } = input;
      if (field.in !== location || value === '') return [];
      return [{ ...field, value: toTypedValue(value, field.type) }];
    });
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
        : { field: form.upload, name: chosen.name, type: chosen.type },
    credentials: toSampleCredentials(form, login),
  };
}

function toSampleCredentials(form: RequestForm, login: Login): SampleRequest['credentials'] {
  const { kind } = login.credentials;
  if (cartFieldsOf(form.credentials).length > 0 || kind === 'browser') return form.credentials;
  return kind === 'none' ? form.credentials : kind;
}

function updateSamples(section: HTMLElement, request: SampleRequest): void {
  const samples = createCodeSamples(request);
  const blocks = section.querySelectorAll('[data-samples] > details:not(.try) pre code');
  for (const [at, block] of [...blocks].entries()) {
    const sample = samples[at];
    block.replaceChildren(...(sample === undefined ? [] : createCodeNodes(sample.code)));
  }
}

function createRequestLine(method: string) {
  const address = createElement('code');
  const button = createElement('button', { class: 'button primary' }, 'Send');
  const state = createElement('p', { role: 'status' });
  const label = createElement('b', { class: toMethodClass(method) }, method);
  const element = createElement('div', { class: 'send' }, label, address, button, state);
  return {
    element,
    button,
    showRequest(request: SampleRequest): void {
      const baseUrl = new URL(request.baseUrl).pathname.replace(/\/+$/, '');
      address.textContent = toSampleUrl({ ...request, baseUrl });
    },
    showState(text: string, status?: number): void {
      state.textContent = text;
      state.className = status === undefined ? '' : `status ${toStatusClass(status)}`;
    },
  };
}

type FieldInput = HTMLInputElement | HTMLSelectElement;

const MAX_OPEN_ROWS = 8;

function createRows(inputs: ReadonlyMap<RequestField, FieldInput>): readonly HTMLElement[] {
  const rows = Array.from(inputs, ([field, input]) => createRow(field, input));
  const fields = [...inputs.keys()];
  const needed = fields.filter(({ isRequired, value }) => isRequired || value !== undefined).length;
  const own = fields.filter(({ isCommon }) => !isCommon).length;
  const shown = Math.min(own, Math.max(MAX_OPEN_ROWS, needed));
  const createGrid = (part: readonly HTMLElement[]) => createElement('div', { class: 'rows' }, ...part);
  const folded = rows.slice(shown);
  const more = countOf(folded.length, 'more parameter');
  return [
    ...(shown === 0 ? [] : [createGrid(rows.slice(0, shown))]),
    ...(folded.length === 0 ? [] : [createFold({}, more, createGrid(folded))]),
  ];
}

function createInput(field: RequestField): FieldInput {
  const { allowed, default: defaultText, isRequired, name, value } = field;
  const properties = { 'data-field': name, 'aria-label': name, 'aria-required': String(isRequired) };
  const preset = value === undefined ? '' : toText(value);
  if (allowed.length > 0) {
    const none = defaultText === '' ? '(not sent)' : `(${defaultText})`;
    const unset = createElement('option', { value: '' }, none);
    const options = allowed.map((text) => createElement('option', { value: text }, text));
    const select = createElement('select', properties, unset, ...options);
    select.value = preset;
    return select;
  }
  const placeholder = defaultText === '' ? undefined : defaultText;
  const typing = { placeholder, spellcheck: 'false', autocomplete: 'off' };
  const input = createElement('input', { ...properties, ...typing });
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

function showFieldErrors(form: HTMLFormElement, errors: ReadonlyMap<string, string>): void {
  const inputs = [...form.querySelectorAll<HTMLElement>('[data-field]')];
  for (const input of inputs) clearErrors(input);
  const found = new Map<HTMLElement, string[]>();
  for (const [name, message] of errors) {
    const own = inputs.find(({ dataset }) => dataset['field'] === name);
    const input = own ?? inputs.find(({ dataset }) => dataset['field'] === 'body');
    if (input === undefined) continue;
    const text = own === undefined ? `${name}: ${message}` : message;
    found.set(input, [...(found.get(input) ?? []), text]);
  }
  for (const [input, messages] of found) {
    input.classList.add('invalid');
    input.setAttribute('aria-invalid', 'true');
    input.closest('details')?.setAttribute('open', '');
    const id = `${form.id}-problem-${inputs.indexOf(input)}`;
    input.setAttribute('aria-describedby', id);
    const lines = messages.map((message) => createElement('p', {}, message));
    input.after(createElement('div', { class: 'problem', id }, ...lines));
  }
  const [first] = found.keys();
  first?.focus();
}

function clearErrors(input: HTMLElement): void {
  input.classList.remove('invalid');
  input.removeAttribute('aria-invalid');
  input.removeAttribute('aria-describedby');
  if (input.nextElementSibling?.matches('.problem') === true) input.nextElementSibling.remove();
}

function readFieldErrors(value: unknown): ReadonlyMap<string, string> {
  const params = isJsonObject(value) ? memberAt(value, 'data', 'params') : undefined;
  return Array.isArray(params)
    ? new Map(params.map((name) => [String(name), 'This parameter is required.']))
    : new Map(jsonMembers(params).map(([name, message]) => [name, String(message)]));
}
