import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { QuestionRecord } from '../../api/questions.js';
import { formatNumber, formatTime } from '../../parts/format/format.js';
import { buttonClass } from '../../parts/layout/button.js';
import { Card } from '../../parts/layout/card.js';
import { SqlCode } from '../../parts/sql/sql-code.js';
import styles from '../style/ask.module.css';

/** The maximum length of SQL in a link to the playground. */
const MAX_SHARED = 1_500;

/** Shows how the question was answered: the assumptions, the endpoint or the model, and the SQL. */
export function AnswerFacts({ record }: { readonly record: QuestionRecord }) {
  const { assumption, notClear, engine, querySQL, hitCache, executedAt, spent } = record;
  if (engine === null && querySQL === null && isEmpty(assumption) && isEmpty(notClear)) return null;
  return (
    <Card title="How this was answered">
      <dl className={styles.facts}>
        {!isEmpty(assumption) && <Fact name="Assumed">{assumption}</Fact>}
        {!isEmpty(notClear) && <Fact name="Not clear">{notClear}</Fact>}
        {engine !== null && (
          <Fact name="Answered by">
            <Engine record={record} />
          </Fact>
        )}
        {executedAt !== null && (
          <Fact name="Query">
            ran {formatTime(executedAt)}
            {spent !== null && `, ${formatNumber(spent)} s`}
            {hitCache && ' · the stored answer of an earlier, equal question'}
          </Fact>
        )}
      </dl>
      {querySQL !== null && (
        <details className={styles.sql}>
          <summary>SQL</summary>
          <SqlCode sql={querySQL}>
            {querySQL.length <= MAX_SHARED && (
              <Link to="/playground" search={{ _sql: querySQL }} className={buttonClass({ size: 'small' })}>
                Open in the playground
              </Link>
            )}
          </SqlCode>
        </details>
      )}
    </Card>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Engine({ record: { engine, definition } }: Pick<Parameters<typeof AnswerFacts>[0], 'record'>) {
  if (engine === 'model')
    return <>SQL of a language model, checked by this service. Read the SQL before you rely on it.</>;
  if (definition === null) return <>an endpoint of this service</>;
  const { name, parameters } = definition;
  const values = Object.entries(parameters);
  return (
    <>
      the endpoint{' '}
      <Link to="/e/$name" params={{ name }} search={parameters}>
        {name}
      </Link>
      {values.length > 0 && ` with ${values.map(([key, value]) => `${key} = ${value}`).join(', ')}`}
    </>
  );
}

function isEmpty(text: string | null): boolean {
  return text === null || text.trim() === '';
}
