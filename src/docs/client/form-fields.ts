import { countOf } from '../../count-of.ts';
import type { RequestField } from '../try/request-form.ts';
import { createElement } from './dom.ts';
import type { Credentials } from './send.ts';

/** The input of a parameter. */
export type FieldInput = HTMLInputElement | HTMLSelectElement;

/**
 * Parameters that a form shows at first. Those with a value, such as the required ones, come first; those of every
 * operation come last, and are always folded.
 */
const MAX_OPEN_ROWS = 8;
/** So few more parameters are not folded. */
const FEW_ROWS = 2;

/** Creates the rows of the parameters. All but the first are folded. */
export function createRows(inputs: ReadonlyMap<RequestField, FieldInput>): readonly HTMLElement[] {
  const rows = Array.from(inputs, ([field, input]) => createRow(field, input));
  const own = [...inputs.keys()].filter(({ isCommon }) => !isCommon);
  const needed = own.filter(({ isRequired, value }) => isRequired || value !== undefined);
  const open = Math.max(MAX_OPEN_ROWS, needed.length);
  const shown = own.length <= open + FEW_ROWS ? own.length : open;
  return [
    ...(shown === 0 ? [] : [createElement('div', { class: 'rows' }, ...rows.slice(0, shown))]),
    ...(shown === rows.length ? [] : [createFold(rows.slice(shown))]),
  ];
}

function createFold(rows: readonly HTMLElement[]): HTMLElement {
  return createElement(
    'details',
    {},
    createElement('summary', {}, countOf(rows.length, 'more parameter')),
    createElement('div', { class: 'rows' }, ...rows),
  );
}

/** Returns the value of an input; the chosen values of a list, separated by commas. */
export function readInput(input: FieldInput): string {
  if (!(input instanceof HTMLSelectElement)) return input.value;
  return Array.from(input.selectedOptions, ({ value }) => value)
    .filter((value) => value !== '')
    .join(',');
}

/** Creates the input of a parameter: a list of its allowed values, or a line of text. */
export function createInput({
  allowed,
  default: defaultText,
  isList,
  isRequired,
  name,
  value,
}: RequestField): FieldInput {
  const properties = { 'data-field': name, 'aria-label': name, 'aria-required': String(isRequired) };
  const preset = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  if (allowed.length > 0) {
    const unset = createElement(
      'option',
      { value: '' },
      defaultText === '' ? '(not sent)' : `(${defaultText})`,
    );
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

/** Creates the fields of the credentials, which the forms of a page share. */
export function createCredentialFields(credentials: Credentials): HTMLElement {
  const createField = (label: string, key: keyof Credentials, type: string): HTMLElement => {
    const input = createElement('input', { type, 'aria-label': label, autocomplete: 'off' });
    input.value = credentials[key];
    input.addEventListener('input', () => {
      credentials[key] = input.value;
    });
    return createElement('div', { class: 'row' }, createElement('label', {}, label), input);
  };
  return createElement(
    'details',
    { 'data-credentials': true },
    createElement('summary', {}, 'Credentials (kept until you leave the page)'),
    createElement(
      'div',
      { class: 'rows' },
      createField('User name', 'username', 'text'),
      createField('Application password', 'password', 'password'),
      createField('Nonce (with the cookie of this browser)', 'nonce', 'text'),
    ),
  );
}
