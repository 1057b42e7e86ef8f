import type { Cell, RowReceiver } from '../databases/interface/database.js';
import { EngineError } from '../databases/interface/errors.js';
import type { Endpoint } from '../definitions/endpoint/endpoint.js';
import { WholeParents } from '../definitions/endpoint/nesting.js';
import type { ParameterValues } from '../definitions/parameters/parameter-values.js';
import { findAgeless } from './ageless.js';
import type { Answer } from './answer.js';
import { requireColumns } from './cells/cells.js';
import { isEqual, readVersions } from './exact-read.js';
import { PassedRows } from './queries/passed-rows.js';
import type { QuerySource } from './queries/query-runner.js';
import type { StalledStreams } from './queries/stalled-streams.js';
import { type AnswerParts, durationSince, type RequestTimes } from './read-answer.js';
import type { RequestMetadata } from './request-metadata.js';

/** The part of a streamed answer that is known before its first row. */
export type StreamStart = Pick<
  Answer,
  'endpoint' | 'parameters' | 'startedAt' | 'dataAsOf' | 'computedAt' | 'isAgeless' | 'staleAfterMs' | 'notices'
>;

/** The part of a streamed answer that is known after its last row. */
export interface StreamedAnswer extends StreamStart, Pick<Answer, 'truncated' | 'emptyNotices' | 'finishedAt' | 'ms'> {
  readonly rowCount: number;
}

/** Receives the rows of an answer in batches. */
export interface AnswerReceiver {
  /** Called before the first rows. */
  start(start: StreamStart): void;
  rows(rows: readonly (readonly Cell[])[]): ReturnType<RowReceiver['rows']>;
  /**
   * Called when the query has ended, failed or could not start. `ms` is the time that the query waited and ran, without
   * the time of this receiver.
   */
  queried?(ms: number): void;
}

export type RowStreamer = (
  endpoint: Endpoint,
  parameters: ParameterValues,
  times: RequestTimes,
  receiver: AnswerReceiver,
) => Promise<StreamedAnswer>;

/** Creates the function that passes the rows of a request to a receiver while the database returns them. */
export function createRowStreamer(parts: AnswerParts, metadata: RequestMetadata, streams: StalledStreams): RowStreamer {
  const { database, stopwatch, staleAfterMs, versions, runQuery, prepare } = parts;
  return async (endpoint, parameters, { startedAt, started, deadline, requestId }, receiver) => {
    const { stream } = endpoint;
    const run = database.stream?.bind(database);
    if (stream === undefined || run === undefined) {
      throw new EngineError('query_failed', `The rows of ${endpoint.definition.name} cannot be streamed.`);
    }
    const { sql, values } = stream.query.compile(parameters, startedAt);
    const readAll = () => versions && readVersions(versions, endpoint.tables, deadline);
    const before = await readAll();
    const request = { endpoint, parameters, versions: before };
    const { dataAsOf, computedAt, notices: read } = await metadata.freshness(request, startedAt);
    const { isAgeless, notices: ofAge } = findAgeless(endpoint, versions, false);
    const notices = [...read, ...ofAge];
    const start = { endpoint, parameters, startedAt, dataAsOf, computedAt, isAgeless, staleAfterMs, notices };
    const passed = new PassedRows();
    const parents = wholeParents(endpoint, stream.maxRows);
    const receive: RowReceiver = {
      columns: (columns) => {
        requireColumns(endpoint, { columns });
        receiver.start(start);
      },
      rows: (rows) => {
        if (deadline.reason !== undefined) throw deadline.reason;
        return passed.measure(rows.length, () => receiver.rows(parents?.add(rows) ?? rows));
      },
    };
    const maxRows = parents === undefined ? stream.maxRows : stream.maxRows + 1;
    const readRows = async () => {
      const { more } = await run(prepare(sql), values, { maxRows, deadline, receive });
      if (parents !== undefined) await passed.measure(0, () => receiver.rows(parents.end()));
      return parents?.isTruncated ?? more;
    };
    const source: QuerySource<unknown> = {
      ...{ parameters, requestId, passed },
      onEnd: ({ waitMs, ms }) => receiver.queried?.(waitMs + ms),
    };
    const { definition } = endpoint;
    const truncated = await streams.watch({ definition, deadline, passed }, () =>
      runQuery(definition, deadline, readRows, source),
    );
    const empty = passed.rows > 0 ? undefined : await metadata.emptyNotices(request, { startedAt, deadline });
    const after = await readAll();
    // The rows cannot be read again, because they were already sent.
    const hasChanged = before !== undefined && (after === undefined || !isEqual(before, after));
    return {
      ...start,
      notices: hasChanged ? [...notices, CHANGED] : notices,
      emptyNotices: empty?.notices ?? [],
      rowCount: parents?.rows ?? passed.rows,
      truncated,
      ...durationSince(startedAt, started, stopwatch),
    };
  };
}

function wholeParents({ definition, nesting }: Endpoint, maxRows: number): WholeParents | undefined {
  // The order of streamed rows was checked when the definition was loaded.
  return nesting && new WholeParents(definition, nesting, { maxRows, isOrdered: true });
}

const CHANGED =
  'The data changed while these rows were read. All rows are from one moment, but the time of the data and the notices can be from a moment before it.';
