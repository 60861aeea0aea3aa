import type { Html } from '../../docs/pages/html.ts';
import type { Confirmation, ConsoleRequest } from '../console-page.ts';
import { ActionForm, CONFIRMED_FIELD, CSRF_FIELD } from '../shell/forms.tsx';

/** The question before an action, with the fields of its form. */
export function ConfirmationContent({
  action,
  confirmation,
  form,
  request,
}: {
  readonly action: string;
  readonly confirmation: Confirmation;
  readonly form: URLSearchParams;
  readonly request: Pick<ConsoleRequest, 'root' | 'csrf'>;
}): Html {
  const fields = [...form].filter(([name]) => name !== CSRF_FIELD && name !== CONFIRMED_FIELD);
  return (
    <>
      {confirmation.content}
      <div class="actions">
        <ActionForm
          request={request}
          action={action}
          fields={[...fields, [CONFIRMED_FIELD, 'yes'] as const]}
          button={confirmation.button}
          tone="danger"
        />
        <a class="button" href={request.root + confirmation.page}>
          Cancel
        </a>
      </div>
    </>
  );
}
