/**
 * The result for a file. `refused` means rejected because of too many broken lines; the name is permanent, because it is in JSON output.
 */
export type FileState = 'imported' | 'skipped' | 'refused' | 'missing' | 'failed';

/**
 * The result of the import of one file. All numbers are 0 unless the state is `imported`; `broken` is also set if the state is `refused`.
 */
export interface FileOutcome {
  /** The number of the file in the import, from 0. */
  readonly file: number;
  readonly name: string;
  /** The path or URL. */
  readonly source: string;
  readonly state: FileState;
  /** The number of events in the file, including duplicates. */
  readonly events: number;
  /** The number of duplicates: events that the tables already had. */
  readonly alreadyThere: number;
  readonly byType: Readonly<Record<string, number>>;
  readonly broken: number;
  /** The first broken lines. */
  readonly brokenLines: readonly { readonly line: number; readonly reason: string }[];
  /** The reason why the file was not imported. For an imported file: which events of an earlier import it could not replace. */
  readonly message?: string;
  /** The milliseconds that the server asked to wait before the next attempt of a download. */
  readonly retryAfterMs?: number;
}

export interface ImportSummary {
  readonly files: readonly FileOutcome[];
  /** The number of added events, without duplicates. */
  readonly events: number;
  /** The number of events in the imported files, by type, including duplicates. */
  readonly byType: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** Whether the signal stopped the import. If so, files without an outcome were not read. */
  readonly interrupted: boolean;
}

/** Creates the outcome of a file that was not imported. */
export function createOutcome(
  file: number,
  name: string,
  source: string,
  state: FileState,
  message: string,
): FileOutcome {
  return { file, name, source, state, message, events: 0, alreadyThere: 0, byType: {}, broken: 0, brokenLines: [] };
}

export function summarize(files: readonly FileOutcome[], seconds: number, interrupted: boolean): ImportSummary {
  const byType: Record<string, number> = {};
  for (const file of files) {
    for (const [type, events] of Object.entries(file.byType)) byType[type] = (byType[type] ?? 0) + events;
  }
  const events = files.reduce((sum, file) => sum + file.events - file.alreadyThere, 0);
  const ordered = [...files].sort((a, b) => a.file - b.file);
  return { files: ordered, events, byType: Object.fromEntries(Object.entries(byType).sort()), seconds, interrupted };
}
