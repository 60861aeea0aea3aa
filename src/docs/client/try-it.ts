import type { RequestForms } from '../try/request-form.ts';
import { createElement, mountUrl } from './dom.ts';
import { createForm } from './form.ts';
import type { Credentials } from './send.ts';

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
