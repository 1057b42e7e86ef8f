import { useId } from 'react';
import { NOT_SHARED } from '../../access/describe-access.js';
import type { Result } from '../../api/rows.js';
import { ROOT_URL } from '../../app/root-url.js';
import type { ParameterTexts } from '../form/parameter-values.js';
import { formatNumber } from '../format/format.js';
import { Button, ButtonLink, IconButton } from '../layout/button.js';
import { CopyButton } from '../layout/copy-button.js';
import { placeAtButton } from '../popover/place-at-button.js';
import { writeCsv } from './csv.js';
import styles from './share.module.css';
import { badgeSnippet, feedUrl, frameSnippet, imageSnippet, imageUrl, pageUrl, queryUrl } from './share-links.js';

interface ShareMenuProps {
  /** The title of the result, and the name of its definition. */
  readonly title: string;
  readonly endpoint: string;
  readonly values: ParameterTexts;
  /** The parameters of the view that images and frames support. */
  readonly view: ParameterTexts;
  /** Whether other sites and plain links can read the result. */
  readonly isPublic: boolean;
  readonly hasChart: boolean;
  readonly result: Pick<Result, 'fields' | 'data' | 'truncated'>;
  /** Whether the button shows only an icon. */
  readonly isSmall?: boolean;
}

/** A menu to share a result: links and snippets to copy, files to download, and a feed. */
export function ShareMenu({ title, endpoint, values, view, isPublic, hasChart, result, isSmall }: ShareMenuProps) {
  const id = useId();
  const request = { definition: { name: endpoint, summary: title }, values, root: ROOT_URL.href };
  // A badge shows one value, and a feed the rows of a list.
  const isSingle = result.data.length === 1;
  const file = `${endpoint}${result.truncated ? '.truncated' : ''}`;
  const writeFile = () => save(`${file}.csv`, 'text/csv', writeCsv(result.fields, result.data));
  const snippets: readonly (readonly [string, () => string])[] = [
    ['Copy link', () => pageUrl(request, view)],
    ...(isPublic && hasChart ? [['Copy image for a README', () => imageSnippet(request, view)] as const] : []),
    ...(isPublic && isSingle ? [['Copy badge (Markdown)', () => badgeSnippet(request)] as const] : []),
    ...(isPublic ? [['Copy frame (HTML)', () => frameSnippet(request, view)] as const] : []),
  ];
  return (
    <>
      {isSmall ? (
        <IconButton icon="share" size="small" label={`Share ${title}`} popoverTarget={id} />
      ) : (
        <Button size="small" icon="share" popoverTarget={id}>
          Share
        </Button>
      )}
      <div
        id={id}
        popover="auto"
        className={styles.menu}
        onToggle={placeAtButton}
        role="dialog"
        aria-label={`Share ${title}`}
      >
        {snippets.map(([label, text]) => (
          <CopyButton key={label} text={text} label={label} isLabelled isQuiet />
        ))}
        <p className={styles.heading}>Download</p>
        {result.truncated && (
          <p>The files have the {formatNumber(result.data.length)} rows of this answer. The query has more rows.</p>
        )}
        <Button variant="quiet" icon="table" onClick={writeFile}>
          CSV
        </Button>
        {!isPublic && <p>{NOT_SHARED}</p>}
        {isPublic && (
          <ButtonLink variant="quiet" icon="code" href={queryUrl(request)} download={`${file}.json`}>
            JSON
          </ButtonLink>
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
        {isPublic && !isSingle && (
          <ButtonLink variant="quiet" icon="bell" href={feedUrl(request)} type="application/atom+xml">
            Feed of the rows (Atom)
          </ButtonLink>
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
