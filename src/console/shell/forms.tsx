import type { Child } from 'hono/jsx';
import type { Html } from '../../docs/pages/html.ts';
import type { ConsoleRequest } from '../console-page.ts';

/** Names of the fields that every form of an action may have. */
export const CSRF_FIELD = '_token';
export const CONFIRMED_FIELD = '_confirmed';

/** Properties of {@link ActionForm}. */
export interface ActionFormProps {
  readonly request: Pick<ConsoleRequest, 'root' | 'csrf'>;
  /** Name of the action. */
  readonly action: string;
  /** Hidden fields. */
  readonly fields?: Readonly<Record<string, string>> | Iterable<readonly [string, string]>;
  /** Text of the button. */
  readonly button: string;
  /** How the button looks. @default 'plain' */
  readonly tone?: 'plain' | 'primary' | 'danger';
  /** What the button is called where its text alone is ambiguous: `Rediscover content`. */
  readonly label?: string;
  /** Visible inputs, before the button. */
  readonly children?: Child;
}

/** A form that runs an action. */
export function ActionForm(props: ActionFormProps): Html {
  const { action, button, children, fields = {}, label, request, tone = 'plain' } = props;
  const entries = Symbol.iterator in fields ? [...fields] : Object.entries(fields);
  return (
    <form class="action" method="post" action={`${request.root}${action}`}>
      <input type="hidden" name={CSRF_FIELD} value={request.csrf} />
      {entries.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {children}
      <button type="submit" class={`button ${tone}`} aria-label={label}>
        {button}
      </button>
    </form>
  );
}
