import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { RepoInsightError } from '../api/generated/client.js';
import { type FoundPageDetails, pageQuery } from '../api/pages.js';
import type { SearchValues } from '../app/search-text.js';
import { ParameterForm } from '../parts/form/parameter-form.js';
import { checkValues, missingOf, type ParameterTexts } from '../parts/form/parameter-values.js';
import { Badge } from '../parts/layout/badge.js';
import { Card } from '../parts/layout/card.js';
import { PageHeader } from '../parts/layout/page-header.js';
import { ErrorMessage } from '../parts/messages/error-message.js';
import { Loading } from '../parts/messages/loading.js';
import { Message } from '../parts/messages/message.js';
import { NotFound } from '../parts/messages/not-found.js';
import { BlocksAccess } from './blocks-access.js';
import styles from './data-page.module.css';
import { fillText, valuesOf } from './fill-places.js';
import { PageActions } from './page-actions.js';
import { PageBlockCard } from './page-block.js';
import { queriesOf, type SharedMessages, useSharedMessages } from './shared-messages.js';

/** A page of a file in `pages/`. The path selects the page and gives values to its parameters. */
export function DataPage() {
  const { _splat: rest = '' } = useParams({ from: '/p/$' });
  const path = `/p/${rest.split('/').map(encodeURIComponent).join('/')}`;
  const { data, error, refetch } = useQuery(pageQuery(path));
  if (error instanceof RepoInsightError && error.code === 'page_not_found') return <NotFound />;
  if (error !== null) return <ErrorMessage error={error} onRetry={refetch} />;
  if (data === undefined) return <Loading height="80vh" label="Loading the page" />;
  return <FoundPage key={data.path} page={data} />;
}

function FoundPage({ page }: { readonly page: FoundPageDetails }) {
  const search = useSearch({ from: '/p/$' });
  const setSearch = useSetSearch();
  const { ofQuery, ofView, unknown } = separate(page, search);
  const values = valuesOf(page.parameters, page.values, ofQuery);
  const inQuery = page.parameters.filter((parameter) => parameter.place === 'query');
  const isComplete = missingOf(inQuery, values).length === 0;
  const isValid = Object.keys(checkValues(inQuery, values)).length === 0;
  return (
    <article>
      <PageHeader
        title={useTitle(page, values, isComplete && isValid)}
        description={page.summary}
        actions={<PageActions values={values} />}
      />
      {page.state === 'outdated' && (
        <Message tone="warning" title="The last good version of this page">
          The file of this page, or a definition that it shows, has problems. Operators find them in the log.
        </Message>
      )}
      {unknown.length > 0 && (
        <Message tone="warning">This page has no parameter {unknown.map((name) => `“${name}”`).join(', ')}.</Message>
      )}
      {inQuery.length > 0 && (
        <Card className={styles.form}>
          <ParameterForm
            label="Parameters of the page"
            parameters={inQuery}
            values={ofQuery}
            onChange={(next) => setSearch({ ...ofView, ...next })}
          />
        </Card>
      )}
      {isComplete && !isValid && (
        <Message tone="warning" role="status">
          A value in the form is outside its bounds, so that nothing was loaded.
        </Message>
      )}
      {!isComplete && (
        <Message role="status">Fill in {missingOf(inQuery, values).join(', ')} to see the results.</Message>
      )}
      {isComplete && isValid && (
        <Blocks page={page} values={values} view={ofView} onViewChange={(view) => setSearch({ ...search, ...view })} />
      )}
    </article>
  );
}

/** Returns the title of a page: the value of its title column in the first result, as soon as it is known. */
function useTitle({ title, titleFrom, blocks }: FoundPageDetails, values: ParameterTexts, isReady: boolean): string {
  const queries = isReady && titleFrom !== null ? queriesOf(blocks, values).slice(0, 1) : [];
  const [first] = useQueries({ queries });
  const value = first?.data?.data[0]?.[titleFrom ?? ''] ?? null;
  return value === null ? fillText(title, values) : String(value);
}

interface BlocksProps {
  readonly page: FoundPageDetails;
  readonly values: ParameterTexts;
  readonly view: SearchValues;
  readonly onViewChange: (change: SearchValues) => void;
}

/** Renders the blocks after the heading, with low priority, so that the heading is visible early and the page stays responsive. */
function Blocks(props: BlocksProps) {
  const isHeadShown = useDeferredValue(true, false);
  return isHeadShown ? <LoadedBlocks {...props} /> : <Loading height="80vh" label="Loading the page" />;
}

function LoadedBlocks({ page, values, view, onViewChange }: BlocksProps) {
  const shared = useSharedMessages(page.blocks, values);
  return (
    <>
      {shared.failure && <ErrorMessage {...shared.failure} />}
      <PageNotices {...shared} />
      <BlocksAccess blocks={page.blocks} values={values} />
      <div className={styles.blocks}>
        {page.blocks.map((block, index) => {
          const key = `_chart${index + 1}`;
          return (
            <PageBlockCard
              // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other key
              key={index}
              block={block}
              values={values}
              shared={shared}
              kind={view[key]}
              onKindChange={(kind) => onViewChange({ [key]: kind })}
            />
          );
        })}
      </div>
    </>
  );
}

/** Shows the notices of a page. If the page has rows, the beginning of the first one is in one line, whose height is reserved. */
function PageNotices({ notices, isEmpty }: SharedMessages) {
  if (isEmpty) {
    return (
      <div role="status">
        {notices.map((notice) => (
          <Message key={notice} tone="warning">
            {notice}
          </Message>
        ))}
      </div>
    );
  }
  return (
    <div role="status" className={styles.notices}>
      {notices.length > 0 && (
        <details>
          <summary>
            <Badge tone="warning">{notices.length === 1 ? '1 notice' : `${notices.length} notices`}</Badge> {notices[0]}
          </summary>
          {notices.map((notice) => (
            <p key={notice}>{notice}</p>
          ))}
        </details>
      )}
    </div>
  );
}

/** Separates the query of the URL into parameter values, values for the view, and unknown names. */
function separate({ parameters }: FoundPageDetails, search: SearchValues) {
  const isKnown = (name: string) => parameters.some((one) => one.name === name && one.place === 'query');
  const pick = (isPicked: (name: string) => boolean): SearchValues =>
    Object.fromEntries(Object.entries(search).filter(([name]) => isPicked(name)));
  const isView = (name: string) => name.startsWith('_');
  return {
    ofQuery: pick(isKnown),
    ofView: pick(isView),
    unknown: Object.keys(search).filter((name) => !isKnown(name) && !isView(name)),
  };
}

/** Returns the function that replaces the query of the page. */
function useSetSearch(): (search: SearchValues) => void {
  const navigate = useNavigate();
  return (search) => void navigate({ to: '.', search, resetScroll: false } as never);
}
