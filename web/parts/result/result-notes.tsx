import type { Result } from '../../api/rows.js';
import { formatTime } from '../format/format.js';

/** Shows how old and complete a result is: its freshness, truncation and notices. */
export function ResultNotes({ result }: { readonly result: Result }) {
  const { dataAsOf, notices } = result;
  return (
    <aside>
      <p>{dataAsOf === null ? 'The age of the data is not known.' : `Data as of ${formatTime(dataAsOf)}`}</p>
      {notices.map((notice) => (
        <p key={notice}>{notice}</p>
      ))}
    </aside>
  );
}
