import type { AccessNote } from '../details/access.ts';
import type { OperationDetails } from '../details/operation-details.ts';
import type { ParameterRow } from '../details/parameter-row.ts';
import { shorten } from '../details/plain-text.ts';
import type { Repair } from '../details/repairs.ts';
import type { ReferenceOperation } from '../reference/document-operations.ts';
import type { AnchoredOperation } from '../reference/reference.ts';
import { BodySection } from './body-section.tsx';
import { BreakableText } from './breakable-text.tsx';
import { DescriptionText } from './description-text.tsx';
import type { Html } from './html.ts';
import { Method } from './parts.tsx';
import type { RenderContext } from './render-context.ts';
import { ResponseSection } from './response-section.tsx';
import { SamplesSection } from './samples-section.tsx';
import { Facts, Type } from './schema-view.tsx';

/** Longer paths are cut. */
const MAX_PATH_LENGTH = 500;

/** Properties of {@link OperationSection}. */
export interface OperationSectionProps {
  readonly context: RenderContext;
  readonly operation: AnchoredOperation;
  readonly details: OperationDetails;
  /** Operations of the same path that differ in their method alone. */
  readonly equivalents: readonly AnchoredOperation[];
}

/** One operation: what it does, what it takes, what it returns, and code that calls it. */
export function OperationSection({ context, details, equivalents, operation }: OperationSectionProps): Html {
  const { anchor, method, path, title } = operation;
  return (
    <section
      class="operation"
      id={anchor}
      data-operation={anchor}
      data-method={shorten(method, 20)}
      data-path={shorten(path, MAX_PATH_LENGTH)}
    >
      {equivalents.map((equivalent) => (
        <span id={equivalent.anchor} class="anchor"></span>
      ))}
      <h2>
        {shorten(title, 200)}{' '}
        <a class="permalink" href={`#${anchor}`} aria-label={`Link to ${shorten(title, 200)}`}>
          #
        </a>
      </h2>
      <p class="endpoint">
        <Method method={method} /> <code>{shorten(path, MAX_PATH_LENGTH)}</code>
      </p>
      <div class="columns">
        <div class="details">
          <Description details={details} equivalents={equivalents} />
          <Parameters title="Path and query parameters" rows={details.parameters} />
          <CommonParameters rows={details.commonParameters} />
          <BodySection details={details} />
          <ResponseSection details={details} />
          <Handling context={context} operation={operation} details={details} />
        </div>
        <SamplesSection context={context} operation={operation} details={details} />
      </div>
    </section>
  );
}

function Description({
  details,
  equivalents,
}: {
  readonly details: OperationDetails;
  readonly equivalents: readonly AnchoredOperation[];
}): Html {
  return (
    <>
      {details.isDeprecated ? <p class="note">This operation is deprecated.</p> : null}
      {details.description.split(/\n{2,}/).map((text) =>
        text === '' ? null : (
          <p class="text">
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
      {details.access === undefined ? null : <Access note={details.access} />}
    </>
  );
}

function Access({ note: { codes, text } }: { readonly note: AccessNote }): Html {
  return (
    <p class="access">
      <b>Credentials.</b> {text}
      {codes.length === 0 ? null : ' Others get '}
      {codes.map((code, index) => (
        <>
          {index === 0 ? '' : index === codes.length - 1 ? ' or ' : ', '}
          <code>{code}</code>
        </>
      ))}
      {codes.length === 0 ? null : '.'}
    </p>
  );
}

interface ParametersProps {
  readonly title: string;
  readonly rows: readonly ParameterRow[];
}

function Parameters({ rows, title }: ParametersProps): Html | null {
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <section class="scroll" aria-label={title}>
        <table class="parameters">
          <thead>
            <tr>
              <th scope="col">Name, type, place</th>
              <th scope="col">Description</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Parameter row={row} />
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function Parameter({ row }: { readonly row: ParameterRow }): Html {
  return (
    <tr>
      <th scope="row">
        <code class="name">
          <BreakableText text={shorten(row.name, 120)} />
        </code>
        <span class="place">
          <Type type={row.type} /> in {row.in}
        </span>
        {row.isRequired ? <span class="flag required">required</span> : null}
        {row.isDeprecated ? <span class="flag">deprecated</span> : null}
      </th>
      <td>
        {row.description === '' ? null : (
          <p>
            <DescriptionText text={row.description} />
          </p>
        )}
        {row.siteName === '' ? null : (
          <p>
            The site calls it <code>{row.siteName}</code>.
          </p>
        )}
        <Facts facts={row.facts} />
      </td>
    </tr>
  );
}

function CommonParameters({ rows }: { readonly rows: readonly ParameterRow[] }): Html | null {
  if (rows.length === 0) return null;
  return (
    <details class="common">
      <summary>Parameters of every operation: {rows.map(({ name }) => shorten(name, 40)).join(', ')}</summary>
      <Parameters title="Parameters of every operation" rows={rows} />
    </details>
  );
}

interface HandlingProps {
  readonly context: RenderContext;
  readonly operation: ReferenceOperation;
  readonly details: OperationDetails;
}

/** How the gateway and the site handle the operation, beside what it takes and returns. */
function Handling({ context, details, operation }: HandlingProps): Html {
  const path = shorten(operation.path, MAX_PATH_LENGTH);
  return (
    <details class="handling">
      <summary>Spellings, batch, caching, validation and repairs</summary>
      <dl>
        <dt>Spellings of the path</dt>
        <dd>
          <code>{path}</code>, <code>/wp-json{path}</code>, <code>/?rest_route={path}</code>,{' '}
          <code>/index.php?rest_route={path}</code>
        </dd>
        <dt>Batch</dt>
        <dd>
          {details.isBatchAllowed
            ? 'A request to /batch/v1 may contain this operation.'
            : 'A request to /batch/v1 cannot contain this operation.'}
        </dd>
        {context.describePolicies(operation).map(({ label, text }) => (
          <>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </>
        ))}
        <Repairs repairs={details.repairs} />
      </dl>
    </details>
  );
}

/** What the generator changed, so that a reader can tell the site's own description from that of the document. */
function Repairs({ repairs }: { readonly repairs: readonly Repair[] }): Html | null {
  if (repairs.length === 0) return null;
  return (
    <>
      <dt>Repairs of the site's description</dt>
      {repairs.map(({ field, text }) => (
        <dd>
          <code>{field}</code>: {text}
        </dd>
      ))}
    </>
  );
}
