import { useId } from 'react';
import { NOT_SHARED } from '../../access/describe-access.js';
import type { DefinitionDetails } from '../../api/definitions.js';
import type { Result } from '../../api/rows.js';
import { ROOT_URL } from '../../app/root-url.js';
import type { ParameterTexts } from '../../parts/form/parameter-values.js';
import { formatNumber } from '../../parts/format/format.js';
import { Button, ButtonLink } from '../../parts/layout/button.js';
import { CopyButton } from '../../parts/layout/copy-button.js';
import { placeAtButton } from '../../parts/popover/place-at-button.js';
import { writeCsv } from './csv.js';
import styles from './request.module.css';
import { imageUrl, queryUrl } from './snippets.js';

export interface ResultActionsProps {
  readonly definition: DefinitionDetails;
  readonly values: ParameterTexts;
  /** The parameters of the view that images support. */
  readonly view: ParameterTexts;
  readonly result: Result;
  readonly hasChart: boolean;
}

/** Buttons to share and download a result. */
export function ResultActions({ definition, values, view, result, hasChart }: ResultActionsProps) {
  const id = useId();
  const request = { definition, values, root: ROOT_URL.href };
  const isPublic = definition.access === null;
  const file = `${definition.name}${result.truncated ? '.truncated' : ''}`;
  const writeFile = () => save(`${file}.csv`, 'text/csv', writeCsv(result.fields, result.data));
  return (
    <>
      <CopyButton text={() => window.location.href} label="Copy link" isLabelled />
      <Button size="small" icon="download" popoverTarget={id}>
        Download
      </Button>
      <div id={id} popover="auto" className={styles.menu} onToggle={placeAtButton}>
        {result.truncated && (
          <p>The files have the {formatNumber(result.data.length)} rows of this answer. The query has more rows.</p>
        )}
        <Button variant="quiet" icon="table" onClick={writeFile}>
          CSV
        </Button>
        {isPublic ? (
          <ButtonLink variant="quiet" icon="code" href={queryUrl(request)} download={`${file}.json`}>
            JSON
          </ButtonLink>
        ) : (
          <p>{NOT_SHARED}</p>
        )}
        {isPublic &&
          hasChart &&
          (['svg', 'png'] as const).map((format) => (
            <ButtonLink
              key={format}
              variant="quiet"
              icon="chart"
              href={imageUrl(request, format, view)}
              download={`${file}.${format}`}
            >
              Chart as {format.toUpperCase()}
            </ButtonLink>
          ))}
      </div>
    </>
  );
}

function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
