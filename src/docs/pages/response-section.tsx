import type { OperationDetails, ResponseContent, ResponseRow } from '../details/operation-details.ts';
import { shorten } from '../details/plain-text.ts';
import { DescriptionText } from './description-text.tsx';
import type { Html } from './html.ts';
import { ComponentLink, SchemaView, Type, toSchemaAnchor } from './schema-view.tsx';

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
  const isError = /^[45]/.test(status);
  return (
    <>
      <span class={`status status-${/^[1-5]/.exec(status)?.[0] ?? 'x'}`}>{status}</span>{' '}
      <DescriptionText text={description} />
      {contents.map((content) =>
        isError && content.components.length > 0 ? (
          <ErrorContent components={content.components} />
        ) : (
          <Content content={content} />
        ),
      )}
    </>
  );
}

/** `The content is an invalid param error, or another error.` */
function ErrorContent({ components }: { readonly components: readonly string[] }): Html {
  return (
    <div class="content">
      The content is{' '}
      {components.map((component, index) => {
        const words = toWords(component);
        const article = index > 0 && words === 'error' ? 'another' : /^[aeiou]/.test(words) ? 'an' : 'a';
        return (
          <>
            {index === 0 ? '' : index === components.length - 1 ? ' or ' : ', '}
            {article} <a href={`#${toSchemaAnchor(component)}`}>{words}</a>
          </>
        );
      })}
      .
    </div>
  );
}

/** `MissingCallbackParamError` → `missing callback param error`. */
function toWords(component: string): string {
  return shorten(component, 80)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

function Content({ content }: { readonly content: ResponseContent }): Html {
  const { condition, contentType, tree } = content;
  return (
    <div class="content">
      {condition === '' ? null : (
        <>
          <code>{condition}</code>{' '}
        </>
      )}
      <LinkedType content={content} />{' '}
      {contentType === 'application/json' ? null : <code>{contentType}</code>}
      {tree === undefined || tree.children.length === 0 ? null : (
        <details>
          <summary>Properties ({tree.children.length})</summary>
          <SchemaView node={tree} use="response" />
        </details>
      )}
    </div>
  );
}

/** The type of a response. The components that it names are links. */
function LinkedType({ content: { components, type } }: { readonly content: ResponseContent }): Html {
  const [first = ''] = components;
  if (components.length === 0) return <Type type={type} />;
  if (components.length === 1) return <ComponentLink component={first} text={type} />;
  const isChoice = type === components.join(' or ');
  return (
    <>
      {isChoice ? null : (
        <>
          <Type type={type} />:{' '}
        </>
      )}
      {components.map((component, index) => (
        <>
          {index === 0 ? '' : isChoice ? ' or ' : ', '}
          <ComponentLink component={component} text={shorten(component, 80)} />
        </>
      ))}
    </>
  );
}
