import { Link } from '@tanstack/react-router';
import { cellFormat } from '../../../engine/charts/cell-format.js';
import type { Chart } from '../../../engine/charts/chart.js';
import { cellText, columnText, fieldOf, quantityText } from '../../../engine/charts/label-text.js';
import { type ChartField, type ChartFields, type ChartRow, cellOf } from '../../../engine/charts/result-column.js';
import { personPath, repositoryPath } from '../links/entity-links.js';
import styles from './chart.module.css';

type ChartOf<Name extends Chart['chartName']> = Extract<Chart, { chartName: Name }>;

interface CardProps<Name extends Chart['chartName']> {
  readonly chart: ChartOf<Name>;
  readonly fields: ChartFields;
  readonly row: ChartRow;
}

/** Shows one number. */
export function NumberCard({ chart, fields, row }: CardProps<'NumberCard'>) {
  const { value, label } = chart;
  const field = fieldOf(fields, value);
  return (
    <figure className={styles.number}>
      <p className={styles.value}>{quantityText(cellOf(row, value), field, navigator.language)}</p>
      <figcaption>
        {columnText(field)}
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
        .filter(({ name, nullAs }) => name !== without && (cellOf(row, name) ?? nullAs ?? '') !== '')
        .map((field) => (
          <Fact key={field.name} field={field} row={row} />
        ))}
    </dl>
  );
}

function Fact({ field, row }: { readonly field: ChartField; readonly row: ChartRow }) {
  const { isTime, format } = cellFormat(field, [row], navigator.language);
  return (
    <div>
      <dt>
        {columnText(field)}
        {isTime && ' (UTC)'}
      </dt>
      <dd>
        {cellText(format(cellOf(row, field.name)))} {field.unit}
      </dd>
    </div>
  );
}
