import type { Json, JsonObject } from '../../json.ts';
import { createCodeSamples } from '../samples/code-samples.ts';
import { createSampleFile, isWritingMethod, type SampleRequest } from '../samples/sample-request.ts';
import type { RequestField, RequestForm } from '../try/request-form.ts';
import { toTypedValue } from '../try/typed-value.ts';
import { createElement, mountUrl } from './dom.ts';
import { showFieldErrors } from './field-errors.ts';
import {
  createCredentialFields,
  createInput,
  createRows,
  type FieldInput,
  readInput,
} from './form-fields.ts';
import { createTokens } from './highlight.ts';
import { createRequestLine } from './request-line.ts';
import { describeStatus, showFailure, showResponse } from './response-view.ts';
import { type Credentials, sendFormRequest } from './send.ts';

/** Creates the form that sends requests to an operation, and writes them as the code samples of its section. */
export function createForm(
  form: RequestForm,
  section: HTMLElement,
  credentials: Credentials,
): HTMLFormElement {
  const controls = createControls(form);
  const { file, inputs } = controls;
  const line = createRequestLine(form.method);
  const responseView = createElement('div', { class: 'received' });
  const element = createElement(
    'form',
    { novalidate: true, id: `try-${section.id}` },
    line.element,
    createCredentialFields(credentials),
    ...createRows(inputs),
    ...controls.elements,
    responseView,
  );

  const read = (): SampleRequest => readRequest(form, controls, credentials);
  const update = (): void => {
    try {
      const request = read();
      line.showRequest(request);
      const isFileMissing = form.upload !== undefined && request.file === undefined;
      const file = isFileMissing ? createSampleFile(controls.part.value) : request.file;
      updateSamples(section, { ...request, file });
    } catch {
      // The body is being typed.
    }
  };
  const send = (): void => {
    let request: SampleRequest;
    try {
      request = read();
    } catch {
      line.showState('');
      showFailure(responseView, 'The body is not valid JSON.');
      return;
    }
    if (isWritingMethod(request.method) && !confirm(`${request.method} may change the site. Send it?`))
      return;
    line.button.disabled = true;
    line.showState('Waiting for the response…');
    responseView.replaceChildren();
    sendFormRequest(request, file.files?.[0], credentials)
      .then(
        (received) => {
          line.showState(describeStatus(received), received.response.status);
          showFieldErrors(element, showResponse(element, responseView, received));
        },
        () => {
          line.showState('');
          showFailure(responseView, 'No response: the gateway cannot be reached.');
        },
      )
      .finally(() => {
        line.button.disabled = false;
      });
  };
  element.addEventListener('input', update);
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
  // Enter sends from a line of text, but not from the body.
  controls.body.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !line.button.disabled) send();
  });
  line.showRequest(read());
  return element;
}

interface Controls {
  readonly inputs: ReadonlyMap<RequestField, FieldInput>;
  readonly body: HTMLTextAreaElement;
  readonly file: HTMLInputElement;
  /** The name of the part that carries the file. */
  readonly part: HTMLInputElement;
  /** Those of the content, with their labels. */
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
  const part = createElement('input', { 'aria-label': 'Name of the file part', spellcheck: 'false' });
  part.value = upload?.field ?? '';
  const note = createElement('small', {}, 'Ctrl+Enter sends');
  const elements = [
    ...(example === undefined ? [] : [createElement('label', {}, 'Body (JSON) ', note), body]),
    ...(upload === undefined ? [] : [createElement('label', {}, 'File'), file]),
    // The site does not state the name, and most sites call it `file`.
    ...(upload?.isStated === false ? [createElement('label', {}, 'Name of the file part'), part] : []),
  ];
  return { inputs: new Map(fields.map((field) => [field, createInput(field)])), body, file, part, elements };
}

/** A field with the value that was typed. */
interface TypedField extends RequestField {
  readonly value: Json;
}

/** Reads the request that a form describes. @throws {SyntaxError} when the body is not JSON */
function readRequest(
  form: RequestForm,
  { body, file, inputs, part }: Controls,
  credentials: Credentials,
): SampleRequest {
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
    baseUrl: mountUrl().href.replace(/\/$/, '') + (document.body.dataset['prefix'] ?? ''),
    pathParameters: valuesIn('path'),
    query: valuesIn('query').map(({ name, value }) => [name, value]),
    body: parsed,
    file:
      chosen === undefined || form.upload === undefined
        ? undefined
        : { field: part.value, name: chosen.name, type: chosen.type },
    hasCredentials: form.needsCredentials || credentials.username !== '',
  };
}

function updateSamples(section: HTMLElement, request: SampleRequest): void {
  const samples = createCodeSamples(request);
  const blocks = section.querySelectorAll('[data-samples] > details:not(.try) pre code');
  for (const [at, block] of [...blocks].entries()) {
    const sample = samples[at];
    block.replaceChildren(...(sample === undefined ? [] : createTokens(sample.code, sample.language)));
  }
}
