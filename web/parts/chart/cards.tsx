import { Link } from '@tanstack/react-router';
import type { Chart } from '../../../engine/charts/chart.js';
import { cellText, columnText } from '../../../engine/charts/label-text.js';
import { numberText } from '../../../engine/charts/number-text.js';
import { type ChartFields, type ChartRow, cellOf } from '../../../engine/charts/result-column.js';
import { personPath, repositoryPath } from '../links/entity-links.js';
import styles from './chart.module.css';

type ChartOf<Name extends Chart['chartName']> = Extract<Chart, { chartName: Name }>;

interface CardProps<Name extends Chart['chartName']> {
  readonly chart: ChartOf<Name>;
  readonly fields: ChartFields;
  readonly row: ChartRow;
}

/** Shows one number. */
export function NumberCard({ chart, row }: Omit<CardProps<'NumberCard'>, 'fields'>) {
  const { value, label } = chart;
  return (
    <figure className={styles.number}>
      <p className={styles.value}>{numberText(cellOf(row, value), navigator.language)}</p>
      <figcaption>
        {columnText(value)}
        {label !== undefined && ` · ${cellText(cellOf(row, label))}`}
      </figcaption>
    </figure>
  );
}

export function PersonalCard({ chart, fields, row }: CardProps<'PersonalCard'>) {
  const login = String(cellOf(row, chart.login) ?? '');
  return (
    <section className={styles.card}>
      <h3>
        <Link to={personPath(login)}>{cellText(login)}</Link>
      </h3>
      <Facts fields={fields} row={row} without={chart.login} />
    </section>
  );
}

export function RepoCard({ chart, fields, row }: CardProps<'RepoCard'>) {
  const repo = String(cellOf(row, chart.repo) ?? '');
  return (
    <section className={styles.card}>
      <h3>
        <Link to={repositoryPath(repo)}>{cellText(repo)}</Link>
      </h3>
      <Facts fields={fields} row={row} without={chart.repo} />
    </section>
  );
}

/** Lists the other columns of the row. */
function Facts({ fields, row, without }: Omit<CardProps<'RepoCard'>, 'chart'> & { readonly without: string }) {
  return (
    <dl className={styles.facts}>
      {fields
        .filter(({ name }) => name !== without && (cellOf(row, name) ?? '') !== '')
        .map(({ name, columnType }) => (
          <div key={name}>
            <dt>
              {columnText(name)}
              {/^(DATETIME|TIMESTAMP)/i.test(columnType) && ' (UTC)'}
            </dt>
            <dd>{factText(row, name)}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Ids are not amounts, so they are formatted without thousands separators. */
function factText(row: ChartRow, name: string): string {
  const cell = cellOf(row, name);
  return typeof cell === 'number' && !/(^|_)(id|year)$/i.test(name)
    ? numberText(cell, navigator.language)
    : cellText(cell);
}
