import { Link } from '@tanstack/react-router';
import type { DefinitionDetails } from '../api/definitions.js';
import { OWN_API } from '../app/own-api.js';
import { type ParameterTexts, toText } from '../parts/form/parameter-values.js';
import { formatDuration, formatNumber } from '../parts/format/format.js';
import { Card } from '../parts/layout/card.js';
import { InlineMarkdown } from '../parts/markdown/markdown.js';
import styles from './endpoint.module.css';

export interface DefinitionDocsProps {
  readonly definition: DefinitionDetails;
  readonly values: ParameterTexts;
}

/** The documentation of a definition: its columns, limits and questions. */
export function DefinitionDocs({ definition, values }: DefinitionDocsProps) {
  const { columns } = definition;
  const questions = [...new Set(definition.questions.map((question) => fillQuestion(question, definition, values)))];
  return (
    <div className={styles.docs}>
      <Card title="Columns">
        <dl className={styles.columns}>
          {columns.map(({ name, columnType, nullable, description }) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
                <span className={styles.type}>
                  {columnType}
                  {nullable ? ', can be null' : ''}
                </span>
              </dt>
              <dd>
                <InlineMarkdown text={description} />
              </dd>
            </div>
          ))}
        </dl>
      </Card>
      <div className={styles.stack}>
        <Card title="Limits">
          <Limits definition={definition} />
        </Card>
        {questions.length > 0 && (
          <Card title="Questions it answers">
            <ul className={styles.questions}>
              {questions.map((question) => (
                <li key={question}>
                  {OWN_API === undefined ? (
                    <Link to="/ask" search={{ _question: question }}>
                      {question}
                    </Link>
                  ) : (
                    question
                  )}
                </li>
              ))}
            </ul>
          </Card>
        )}
      </div>
    </div>
  );
}

function Limits({ definition }: { readonly definition: DefinitionDetails }) {
  const { maxRows, timeoutMs, pagination, deprecated, sunset } = definition;
  return (
    <ul className={styles.limits}>
      <li>
        At most {maxRows === 1 ? '1 row' : `${formatNumber(maxRows)} rows`}. A longer result is marked as truncated.
      </li>
      {pagination !== null && (
        <li>
          Pages of {formatNumber(pagination.default)} rows, at most {formatNumber(pagination.max)}.
        </li>
      )}
      <li>The query is stopped after {formatDuration(timeoutMs)}.</li>
      {deprecated !== null && (
        <li>
          Deprecated since {deprecated}
          {sunset === null ? '.' : `; it can stop working after ${sunset}.`}
        </li>
      )}
    </ul>
  );
}

/** Replaces the names of parameters in a question: `stars of {owner}/{repo}`. */
function fillQuestion(question: string, definition: DefinitionDetails, values: ParameterTexts): string {
  return question.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = definition.parameters.find((one) => one.name === name);
    const given = definition.examples.map(({ params }) => params[name]).filter((value) => value !== undefined);
    const text = values[name] || toText(given.at(-1) ?? parameter?.example ?? parameter?.schema.default ?? name);
    // Enum values contain underscores instead of spaces.
    return parameter?.schema.enum === undefined ? text : text.replaceAll('_', ' ');
  });
}
