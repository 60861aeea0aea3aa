import { createElement } from './dom.ts';

/**
 * Shows the errors that a response reports at their fields, in place of those of the response before it. Folded fields are
 * opened, and the first one gets the focus.
 *
 * @param content of the response as JSON value; `undefined` if it is none
 */
export function showFieldErrors(form: HTMLFormElement, content: unknown): void {
  const inputs = [...form.querySelectorAll<HTMLElement>('[data-field]')];
  for (const input of inputs) clearErrors(input);
  const found = new Map<HTMLElement, string[]>();
  for (const [name, message] of readFieldErrors(content)) {
    const own = inputs.find(({ dataset }) => dataset['field'] === name);
    // The fields of the body are in one input.
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
