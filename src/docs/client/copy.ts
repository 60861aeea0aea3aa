import { createElement } from './dom.ts';

/** Adds a button to each code sample that copies it. */
export function installCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLPreElement>('[data-samples] pre')) {
    const button = createElement('button', { type: 'button', class: 'button copy' }, 'Copy');
    copyOnClick(button, () => block.querySelector('code')?.textContent ?? '');
    block.before(button);
  }
}

/** Milliseconds for which a button says that it copied. */
const SHOWN_FOR = 2_000;

/** Copies a text whenever a button is clicked. */
export function copyOnClick(button: HTMLButtonElement, getText: () => string): void {
  const label = button.textContent;
  const show = (text: string): void => {
    button.textContent = text;
    setTimeout(() => {
      button.textContent = label;
    }, SHOWN_FOR);
  };
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(getText()).then(
      () => show('Copied'),
      () => show('Not allowed'),
    );
  });
}
