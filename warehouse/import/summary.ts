export type FileState = 'imported' | 'skipped' | 'refused' | 'missing' | 'failed';

/** What became of a file. Numbers are 0 in every state but `imported`, except `broken` in `refused`. */
export interface FileOutcome {
  /** Number of the file in the import, from 0. */
  readonly file: number;
  readonly name: string;
  /** Path or URL. */
  readonly source: string;
  readonly state: FileState;
  /** Events in the file, those already there included. */
  readonly events: number;
  readonly alreadyThere: number;
  readonly byType: Readonly<Record<string, number>>;
  readonly broken: number;
  /** The first few of the broken lines. */
  readonly brokenLines: readonly { readonly line: number; readonly reason: string }[];
  /** Why it was not imported. */
  readonly message?: string;
}

export interface ImportSummary {
  readonly files: readonly FileOutcome[];
  /** Events that were added, and of which types the imported files are. */
  readonly events: number;
  readonly byType: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** The import was stopped by its signal; files that are not listed were not touched. */
  readonly interrupted: boolean;
}

export function outcome(file: number, name: string, source: string, state: FileState, message: string): FileOutcome {
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
