import { createElement } from './dom.ts';

/** Adds a button to each code sample that copies it. */
export function installCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLPreElement>('[data-samples] pre')) {
    const button = createElement('button', { type: 'button', class: 'button copy' }, 'Copy');
    button.addEventListener('click', () => {
      const text = block.querySelector('code')?.textContent ?? '';
      navigator.clipboard.writeText(text).then(
        () => {
          button.textContent = 'Copied';
        },
        () => {
          button.textContent = 'Not allowed';
        },
      );
    });
    block.before(button);
  }
}
