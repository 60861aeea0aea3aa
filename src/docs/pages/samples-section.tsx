import type { OperationDetails } from '../details/operation-details.ts';
import type { AnchoredOperation } from '../reference/reference.ts';
import { createCodeSamples } from '../samples/code-samples.ts';
import { createResponseSample } from '../samples/response-sample.ts';
import { createSampleRequest } from '../samples/sample-inputs.ts';
import { HighlightedCode } from './highlighted-code.tsx';
import type { Html } from './html.ts';
import type { RenderContext } from './render-context.ts';

/** Properties of {@link SamplesSection}. */
export interface SamplesSectionProps {
  readonly context: RenderContext;
  readonly operation: AnchoredOperation;
  readonly details: OperationDetails;
}

/** A request in several languages, and the response to it. */
export function SamplesSection({ context, details, operation }: SamplesSectionProps): Html {
  const samples = createCodeSamples(createSampleRequest(operation, details, context.requestUrl));
  const response = createResponseSample(details, context);
  return (
    <div class="side">
      <div class="samples" data-samples>
        <h3>Code samples</h3>
        {/* The first is open; without a script one opens another. */}
        {samples.map(({ code, label, language }, index) => (
          <details name={`samples-${operation.anchor}`} open={index === 0 ? true : undefined}>
            <summary>{label}</summary>
            <HighlightedCode code={code} language={language} />
          </details>
        ))}
      </div>
      {response === undefined ? null : (
        <details class="response-sample" open>
          <summary>
            Example response <span class="status status-2">{response.status}</span>
          </summary>
          <HighlightedCode code={response.text} language="json" />
        </details>
      )}
    </div>
  );
}
