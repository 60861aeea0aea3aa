import { toMethodClass } from '../details/method-class.ts';
import { type SampleRequest, toSampleUrl } from '../samples/sample-request.ts';
import { createElement } from './dom.ts';

/** The line of a form that stays in sight: the request, the button that sends it, and what became of it. */
export interface RequestLine {
  readonly element: HTMLElement;
  readonly button: HTMLButtonElement;
  showRequest(request: SampleRequest): void;
  /** @param text empty for nothing */
  showState(text: string): void;
}

export function createRequestLine(method: string): RequestLine {
  const address = createElement('code');
  const button = createElement('button', { class: 'button primary' }, 'Send');
  const state = createElement('p', { role: 'status' });
  const element = createElement(
    'div',
    { class: 'send' },
    createElement('b', { class: toMethodClass(method) }, method),
    address,
    button,
    state,
  );
  return {
    element,
    button,
    showRequest(request) {
      address.textContent = toSampleUrl({ ...request, baseUrl: new URL(request.baseUrl).pathname });
    },
    showState(text) {
      state.textContent = text;
    },
  };
}
