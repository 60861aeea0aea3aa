import { shorten } from '../../base/text.ts';
import { createCodeSamples } from '../../generator/reference/code-samples.ts';
import { adviseOn, type ErrorAdvice } from '../../generator/reference/error-advice.ts';
import {
  type OperationDetails,
  type ParameterRow,
  type ResponseContent,
  type ResponseRow,
  toParameterTree,
} from '../../generator/reference/operation-details.ts';
import {
  createResponseSample,
  createSampleRequest,
  explainMissingSamples,
  findMainResponse,
} from '../../generator/reference/operation-samples.ts';
import { type AnchoredOperation, toAnchor } from '../../generator/reference/reference.ts';
import { Definition, DescriptionText, Enumeration, type Html, Method } from '../ui/page.tsx';
import { tokenizeCode } from './code-tokens.ts';
import type { RenderContext } from './layout.tsx';
import { linkedType, type MemberLinks, schemaView } from './schema-view.tsx';

const MAX_PATH_LENGTH = 500;

interface OperationSectionProps {
  readonly context: RenderContext;
  readonly operation: AnchoredOperation;
  readonly details: OperationDetails;
  readonly equivalents: readonly AnchoredOperation[];
  readonly links: MemberLinks;
}

export function OperationSection(props: OperationSectionProps): Html {
  const { equivalents, operation } = props;
  const { anchor, method, path, title } = operation;
  return (
    <section
      class="operation"
      id={anchor}
      tabindex={-1}
      data-operation={anchor}
      data-method={shorten(method, 20)}
      data-path={shorten(path, MAX_PATH_LENGTH)}
    >
      {equivalents.map((equivalent) => (
        <span id={equivalent.anchor} class="anchor"></span>
      ))}
      <h2>
        <a class="permalink" href={`#${anchor}`}>
          {shorten(title, 200)}
        </a>
      </h2>
      <p class="endpoint">
        <Method method={method} /> <code translate="no">{shorten(path, MAX_PATH_LENGTH)}</code>
      </p>
      <Details {...props} />
    </section>
  );
}

function Details(props: OperationSectionProps): Html {
  const { details } = props;
  return (
    <div class="columns">
      <div class="side">
        <Samples {...props} />
        <Responses {...props} />
      </div>
      <div class="details">
        <Description {...props} />
        {parameterList('Path and query parameters', details.parameters, `${props.operation.anchor}.`)}
        {requestBody(props)}
      </div>
    </div>
  );
}

function Description({ context, details, equivalents }: OperationSectionProps): Html {
  const { access, description, isDeprecated, level } = details;
  return (
    <>
      {isDeprecated ? <p class="note">This operation is deprecated.</p> : null}
      {description.split(/\n{2,}/).map((text) =>
        text === '' ? null : (
          <p class="text" dir="auto">
            <DescriptionText text={text} />
          </p>
        ),
      )}
      {equivalents.length === 0 ? null : (
        <p>
          {equivalents.map(({ method }) => shorten(method, 20)).join(' and ')} on the same path{' '}
          {equivalents.length === 1 ? 'does' : 'do'} the same.
        </p>
      )}
      {access === undefined ? null : (
        <p class="access">
          <a href={`${context.docs}/guide`}>Credentials.</a> {access.text}
        </p>
      )}
      {level === undefined ? null : <p class="access">Level for assistants: {level}.</p>}
    </>
  );
}

export function commonParameters(operations: readonly OperationDetails[]): Html | null {
  const all = operations.flatMap((details) => details.commonParameters);
  const rows = [...new Map(all.map((row) => [row.name, row])).values()];
  if (rows.length === 0) return null;
  return (
    <details class="common">
      <summary>Parameters of every operation: {rows.map(({ name }) => shorten(name, 40)).join(', ')}</summary>
      {parameterList('Parameters of every operation', rows)}
    </details>
  );
}

function parameterList(title: string, rows: readonly ParameterRow[], prefix?: string): Html | null {
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      {schemaView(toParameterTree(rows), 'request', prefix)}
    </>
  );
}

function requestBody({ details, links, operation }: OperationSectionProps): Html | null {
  const { bodies } = details;
  if (bodies.length === 0) return null;
  return (
    <>
      <h3>Request body</h3>
      {bodies.map(({ contentTypes, isRequired, tree }, at) => (
        <details class="body" open={at > 0 ? undefined : true}>
          <summary>
            <Enumeration parts={contentTypes.map((contentType) => <code>{contentType}</code>)} />
            {isRequired ? <span class="flag required">required</span> : null}
          </summary>
          {schemaView(tree, 'request', at > 0 ? undefined : `${operation.anchor}.body.`, links)}
        </details>
      ))}
    </>
  );
}

/** A tab for each status: opening one closes the others, without a script too. */
function Responses({ context, details, operation }: OperationSectionProps): Html | null {
  const { errorCodes, responses } = details;
  if (responses.length === 0) return null;
  const advice = adviseOn(errorCodes);
  const main = findMainResponse(responses);
  return (
    <div class="responses">
      <h3>Responses</h3>
      {responses.map((response) => (
        <details name={`responses-${operation.anchor}`} open={response === main ? true : undefined}>
          <summary>
            <span class={`status status-${/^[1-5]/.exec(response.status)?.[0] ?? 'x'}`}>
              {response.status}
            </span>{' '}
            <DescriptionText text={response.description} />
          </summary>
          {response.contents.map((content) => (
            <div class="content">{responseContent(content)}</div>
          ))}
          {responseSample(response, context)}
        </details>
      ))}
      {advice.length === 0 ? null : (
        <details class="errors">
          <summary>Error codes ({errorCodes.length})</summary>
          {codeList(advice)}
        </details>
      )}
    </div>
  );
}

function responseSample(response: ResponseRow, context: RenderContext): Html | null {
  const sample = createResponseSample(response, context);
  if (sample === undefined) return null;
  return (
    <>
      <p class="aside">{sample.title}</p>
      {highlightedCode(sample.text, sample.title)}
    </>
  );
}

export function codeList(groups: readonly ErrorAdvice[], isUnique = false): Html {
  return (
    <dl class="codes">
      {groups.map(({ advice, codes, status }) => (
        <Definition
          name={codes.toSorted().map((code) => (
            <>
              <code id={isUnique ? toAnchor(code) : undefined}>{code}</code>{' '}
            </>
          ))}
        >
          {status === '' ? null : <b>{status}</b>} <DescriptionText text={advice} />
        </Definition>
      ))}
    </dl>
  );
}

function responseContent({ components, condition, contentType, tree, type }: ResponseContent): Html {
  return (
    <>
      {condition === '' ? null : (
        <>
          <code>{condition}</code>{' '}
        </>
      )}
      {linkedType(type, components)} {contentType === 'application/json' ? null : <code>{contentType}</code>}
      {tree === undefined || tree.children.length === 0 ? null : (
        <details>
          <summary>Properties ({tree.children.length})</summary>
          {schemaView(tree, 'response')}
        </details>
      )}
    </>
  );
}

function Samples({ context, details, operation }: OperationSectionProps): Html {
  const request = createSampleRequest(operation, details, context.requestUrl);
  const missing = explainMissingSamples(operation, details, request, context);
  if (missing !== undefined) return <p class="note">{missing}</p>;
  return (
    <div class="samples" data-samples>
      <h3>Code samples</h3>
      {/* The first is open; without a script one opens another. */}
      {createCodeSamples(request).map(({ code, label }, index) => (
        <details name={`samples-${operation.anchor}`} open={index === 0 ? true : undefined}>
          <summary>{label}</summary>
          {highlightedCode(code, label)}
        </details>
      ))}
    </div>
  );
}

export function highlightedCode(code: string, label: string): Html {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <pre role="group" aria-label={label} tabindex={0} translate="no">
      <code>
        {tokenizeCode(code).map((token) =>
          token.look === undefined ? token.code : <span class={token.look}>{token.code}</span>,
        )}
      </code>
    </pre>
  );
}
