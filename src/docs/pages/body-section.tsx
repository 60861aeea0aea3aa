import type { BodyForm, OperationDetails } from '../details/operation-details.ts';
import { HighlightedCode } from './highlighted-code.tsx';
import type { Html } from './html.ts';
import { SchemaView } from './schema-view.tsx';

/** The content of the request, by content type. */
export function BodySection({ details }: { readonly details: OperationDetails }): Html | null {
  const { bodies, isQueryAccepted } = details;
  if (bodies.length === 0) return null;
  return (
    <>
      <h3>Request body</h3>
      {bodies.map((form, index) => (
        <BodyFormView form={form} isFolded={index > 0} />
      ))}
      {isQueryAccepted ? <p class="aside">The query may carry the fields too.</p> : null}
    </>
  );
}

function BodyFormView({ form, isFolded }: { readonly form: BodyForm; readonly isFolded: boolean }): Html {
  const { contentTypes, example, isRequired, tree } = form;
  return (
    <details class="body" open={isFolded ? undefined : true}>
      <summary>
        {contentTypes.map((contentType, index) => (
          <>
            {index === 0 ? '' : ' or '}
            <code>{contentType}</code>
          </>
        ))}
        {isRequired ? <span class="flag required">required</span> : null}
      </summary>
      <SchemaView node={tree} />
      {example === undefined || Object.keys(example).length === 0 ? null : (
        <details class="example">
          <summary>Example</summary>
          <HighlightedCode code={JSON.stringify(example, null, 2)} language="json" />
        </details>
      )}
    </details>
  );
}
