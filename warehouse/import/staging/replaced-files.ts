import { REPO_FEED_EVENTS } from '../../schema/repo-feed-events.js';
import type { Tables } from '../../store/store.js';
import { hourOfFile } from '../files/archive-hours.js';

/** The earlier imports that staged files replace. Times are `YYYY-MM-DD HH:MM:SS`. */
export interface ReplacedFiles {
  /** The time windows of the replaced files. */
  readonly windows: readonly Window[];
  /** The windows in which all stored events come from replaced files. */
  readonly removable: readonly Window[];
  /** Why some events of replaced files are kept, by the number of the staged file. */
  readonly notes: ReadonlyMap<number, string>;
}

/** A staged file that may replace earlier imports. */
interface NewFile {
  readonly file: number;
  readonly digest: string;
  readonly name: string;
  readonly source: string;
}

export interface Window {
  readonly first: string;
  readonly last: string;
}

interface EarlierFile extends Window {
  readonly digest: string;
  readonly name: string;
  readonly source: string;
  /** The number of events that the import of this file added. */
  readonly added: number;
}

/**
 * Finds the earlier imports that staged files replace: files with the same bytes, with the same path, or of the same hour of the archive.
 * Removes these imports from the ledger. The table does not store from which file an event comes. So the events of an earlier import can
 * only be removed if no other file has events of the same times, and if the table has as many events of these times as the ledger.
 * `isReadNow` returns whether the current import has read the file with a digest.
 */
export async function takeReplacedFiles(
  tables: Tables,
  files: readonly NewFile[],
  isReadNow: (digest: string) => boolean,
): Promise<ReplacedFiles> {
  const windows: Window[] = [];
  const removable: Window[] = [];
  const notes = new Map<number, string>();
  const replaced: { readonly file: NewFile; readonly earlier: EarlierFile }[] = [];
  for (const file of files) {
    for (const earlier of await findReplaced(tables, file, isReadNow)) {
      replaced.push({ file, earlier });
      await tables.run('DELETE FROM import_files WHERE digest = :p1', [earlier.digest]);
    }
  }
  const all = replaced.map(({ earlier }) => earlier);
  for (const { file, earlier } of replaced) {
    const reason = await reasonToKeep(tables, earlier, all);
    windows.push(earlier);
    if (reason === undefined) removable.push(earlier);
    else if (earlier.digest !== file.digest) {
      const note = `Events of the earlier import of ${earlier.source} that are not in this file were kept: ${reason}`;
      notes.set(file.file, note);
    }
  }
  return { windows, removable, notes };
}

async function findReplaced(
  tables: Tables,
  { digest, name, source }: NewFile,
  isReadNow: (digest: string) => boolean,
): Promise<EarlierFile[]> {
  const hour = hourOfFile(name);
  const sameDay = `%${/\d{4}-\d\d-\d\d/.exec(name)?.[0] ?? name}%`;
  const rows = await tables.rows(
    `SELECT digest, name, source, events - already_there, first_event_at, last_event_at
    FROM import_files
    WHERE first_event_at IS NOT NULL AND (digest = :p1 OR source = :p2 OR name LIKE :p3)`,
    [digest, source, sameDay],
  );
  return rows
    .map((cells): EarlierFile => {
      const [earlier = '', its = '', from = '', added = '0', first = '', last = ''] = cells.map(String);
      return { digest: earlier, name: its, source: from, added: Number(added), first, last };
    })
    .filter(
      (earlier) =>
        earlier.digest === digest ||
        (!isReadNow(earlier.digest) &&
          (earlier.source === source || (hour !== undefined && hourOfFile(earlier.name) === hour))),
    );
}

/** Returns why the events of an earlier import cannot be removed; undefined if they can. `replaced` is already removed from the ledger. */
async function reasonToKeep(
  tables: Tables,
  { first, last }: EarlierFile,
  replaced: readonly EarlierFile[],
): Promise<string | undefined> {
  const [other] = await tables.rows(
    'SELECT source FROM import_files WHERE first_event_at <= :p2 AND last_event_at >= :p1 ORDER BY source LIMIT 1',
    [first, last],
  );
  if (other !== undefined) return `${other[0]} has events of the same times.`;
  const within = 'WHERE created_at >= :p1 AND created_at <= :p2';
  const [[stored = 0] = []] = await tables.rows(
    `SELECT (SELECT COUNT(*) FROM github_events ${within}) - (SELECT COUNT(*) FROM ${REPO_FEED_EVENTS.name} ${within})`,
    [first, last],
  );
  const added = replaced.reduce((sum, file) => (file.first <= last && file.last >= first ? sum + file.added : sum), 0);
  return Number(stored) === added ? undefined : 'the table has other events of these times than the imported files.';
}
