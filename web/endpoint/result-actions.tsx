import { useId } from 'react';
import type { DefinitionDetails } from '../api/definitions.js';
import type { Result } from '../api/rows.js';
import { ROOT_URL } from '../app/root-url.js';
import { CopyButton } from '../parts/copy/copy-button.js';
import type { ParameterTexts } from '../parts/form/parameter-values.js';
import { placeAtButton } from '../parts/popover/place-at-button.js';
import { writeCsv } from './csv.js';
import styles from './endpoint.module.css';
import { imageUrl, queryUrl } from './snippets.js';

export interface ResultActionsProps {
  readonly definition: DefinitionDetails;
  readonly values: ParameterTexts;
  readonly view: ParameterTexts;
  readonly result: Result;
  readonly hasChart: boolean;
}

/** Shares and downloads a result. */
export function ResultActions({ definition, values, view, result, hasChart }: ResultActionsProps) {
  const id = useId();
  const request = { definition, values, root: ROOT_URL.href };
  const file = `${definition.name}${result.truncated ? '.truncated' : ''}`;
  return (
    <>
      <CopyButton text={() => window.location.href} label="Copy link" what="to this view" />
      <button type="button" popoverTarget={id} className={styles.downloads}>
        Download ▾
      </button>
      <div id={id} popover="auto" className={styles.menu} onToggle={placeAtButton}>
        {result.truncated && (
          <p>The files contain the {result.data.length} rows of this answer. The query has more rows.</p>
        )}
        <button type="button" onClick={() => save(`${file}.csv`, 'text/csv', writeCsv(result.fields, result.data))}>
          CSV
        </button>
        <a href={queryUrl(request)} download={`${file}.json`}>
          JSON
        </a>
        {hasChart && (
          <>
            <a href={imageUrl(request, 'svg', view)} download={`${definition.name}.svg`}>
              Chart as SVG
            </a>
            <a href={imageUrl(request, 'png', view)} download={`${definition.name}.png`}>
              Chart as PNG
            </a>
          </>
        )}
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
