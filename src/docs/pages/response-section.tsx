import type { OperationDetails, ResponseContent, ResponseRow } from '../details/operation-details.ts';
import { shorten } from '../details/plain-text.ts';
import { toAnchor } from '../reference/slugs.ts';
import type { Html } from './html.ts';
import { SchemaView, Type } from './schema-view.tsx';

/** The responses by status, with their types, and the codes of errors. */
export function ResponseSection({ details }: { readonly details: OperationDetails }): Html | null {
  const { errorCodes, responses } = details;
  if (responses.length === 0) return null;
  return (
    <>
      <h3>Responses</h3>
      <ul class="responses">
        {responses.map((response) => (
          <li>
            <Response response={response} />
          </li>
        ))}
      </ul>
      {errorCodes.length === 0 ? null : (
        <details class="errors">
          <summary>Error codes ({errorCodes.length})</summary>
          <ul class="codes">
            {errorCodes.map((code) => (
              <li>
                <code>{code}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Response({ response }: { readonly response: ResponseRow }): Html {
  const { contents, description, status } = response;
  return (
    <>
      <span class={`status status-${/^[1-5]/.exec(status)?.[0] ?? 'x'}`}>{status}</span> {description}
      {contents.map((content) => (
        <Content content={content} />
      ))}
    </>
  );
}

function Content({ content }: { readonly content: ResponseContent }): Html {
  const { components, condition, contentType, tree, type } = content;
  return (
    <div class="content">
      {condition === '' ? null : (
        <>
          <code>{condition}</code>{' '}
        </>
      )}
      {components.length === 1 ? (
        <a href={`#${toSchemaAnchor(components[0] ?? '')}`}>
          <Type type={type} />
        </a>
      ) : (
        <>
          <Type type={type} />{' '}
          {components.map((component) => (
            <>
              <a href={`#${toSchemaAnchor(component)}`}>{shorten(component, 80)}</a>{' '}
            </>
          ))}
        </>
      )}{' '}
      {contentType === 'application/json' ? null : <code>{contentType}</code>}
      {tree === undefined || tree.children.length === 0 ? null : (
        <details>
          <summary>Properties ({tree.children.length})</summary>
          <SchemaView node={tree} />
        </details>
      )}
    </div>
  );
}

/** The anchor of a component on a page. */
export function toSchemaAnchor(component: string): string {
  return `schema-${toAnchor(component)}`;
}
