import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { AccessOrError } from '../access/access-form.js';
import { type DefinitionDetails, definitionQuery } from '../api/definitions.js';
import { RepoInsightError } from '../api/generated/client.js';
import { readRows, rowsQuery } from '../api/rows.js';
import type { SearchValues } from '../app/search-text.js';
import { checkValues, missingOf, type ParameterErrors } from '../parts/form/parameter-values.js';
import { Card } from '../parts/layout/card.js';
import { PageHeader } from '../parts/layout/page-header.js';
import { Empty } from '../parts/messages/empty.js';
import { Loading } from '../parts/messages/loading.js';
import { DefinitionDocs } from './definition-docs.js';
import styles from './endpoint.module.css';
import { EndpointError } from './endpoint-error.js';
import { EndpointForm, Examples } from './endpoint-form.js';
import { EndpointHead } from './endpoint-head.js';
import { EndpointResult } from './endpoint-result.js';
import { fromFirstPage, parametersOf, withParameters } from './endpoint-search.js';
import { RequestPanel } from './request/request-panel.js';

/** The page of a definition: its form, its result, the request in other programs, and its documentation. */
export function EndpointPage() {
  const { name } = useParams({ from: '/e/$name' });
  const { data, error, refetch } = useQuery(definitionQuery(name));
  if (error !== null) return <EndpointError name={name} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Placeholder name={name} />;
  return <DefinitionPage key={name} definition={data} />;
}

const RESULT_HEIGHT = 480;

function DefinitionPage({ definition }: { readonly definition: DefinitionDetails }) {
  const { name, parameters, pagination } = definition;
  const search = useSearch({ from: '/e/$name' });
  const navigate = useNavigate({ from: '/e/$name' });
  const values = parametersOf(search);
  const missing = missingOf(parameters, values);
  // Values outside the declared bounds are not sent: the form shows what is wrong with them.
  const isReady = missing.length === 0 && Object.keys(checkValues(parameters, values)).length === 0;
  const rows = useQuery({ ...rowsQuery(name, values), enabled: isReady });
  const show = (next: SearchValues, replace = false) => void navigate({ search: next, replace });
  return (
    <article className={styles.page}>
      <EndpointHead definition={definition} />
      <EndpointForm
        definition={definition}
        search={search}
        errors={parameterErrors(rows.error)}
        hasExamples={isReady}
        onChange={(next) => show(withParameters(search, pagination === null ? next : fromFirstPage(values, next)))}
      />
      {!isReady && <Waiting missing={missing} definition={definition} search={search} />}
      {isReady && rows.error !== null && (
        <AccessOrError
          error={rows.error}
          access={definition.access}
          tryKey={(key) => readRows(name, values, undefined, key)}
          onRetry={() => void rows.refetch()}
        />
      )}
      {isReady && rows.error === null && rows.data === undefined && (
        <Loading height={RESULT_HEIGHT} label="The result is being loaded" />
      )}
      {isReady && rows.error === null && rows.data !== undefined && (
        <EndpointResult
          {...{ definition, search }}
          result={rows.data}
          isOld={rows.isPlaceholderData}
          onView={(next) => show(next, true)}
        />
      )}
      <p role="status" className={styles.hidden}>
        {isReady && rows.data !== undefined && !rows.isPlaceholderData && announce(rows.data.data.length)}
      </p>
      <Card title="Use this request">
        <RequestPanel {...{ definition, values, isReady }} sql={rows.isPlaceholderData ? undefined : rows.data?.sql} />
      </Card>
      <DefinitionDocs definition={definition} values={values} />
    </article>
  );
}

/** Returns the sentence that screen readers say when a result arrives. */
function announce(rows: number): string {
  return `The result has ${rows === 1 ? '1 row' : `${rows} rows`}.`;
}

interface WaitingProps {
  readonly missing: readonly string[];
  readonly definition: DefinitionDetails;
  readonly search: SearchValues;
}

/** Shown until the form has all values. */
function Waiting({ missing, definition, search }: WaitingProps) {
  const isMissing = missing.length > 0;
  return (
    <Empty icon="filter" title={isMissing ? 'Set the required parameters' : 'Some parameters have invalid values'}>
      {isMissing
        ? `The result appears when these parameters have values: ${missing.join(', ')}.`
        : 'The messages in the form say what is wrong.'}
      <Examples definition={definition} search={search} isCentered />
    </Empty>
  );
}

/** Returns the messages of the service by parameter. */
function parameterErrors(error: unknown): ParameterErrors {
  if (!(error instanceof RepoInsightError) || error.code !== 'bad_parameter') return {};
  return Object.fromEntries(
    (error.problem?.errors ?? []).flatMap(({ parameter, message }): [string, string][] =>
      parameter === undefined || message === undefined ? [] : [[parameter, message]],
    ),
  );
}

/** Reserves the height of the page while the definition is loaded. */
function Placeholder({ name }: { readonly name: string }) {
  return (
    <article className={styles.page}>
      <PageHeader title={name} />
      <Loading height={200} label="The definition is being loaded" />
      <Loading height={RESULT_HEIGHT} />
    </article>
  );
}
