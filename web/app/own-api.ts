/** The API in a folder that this service offers, as the server wrote it into the page (`app-routes/console/shell.ts`). */
interface OwnApi {
  readonly name: string;
  readonly description: string;
  /** The first SQL in the playground. Absent if the API publishes no tables. */
  readonly firstSql?: string;
}

/** Undefined for the service with the data of GitHub. */
export const OWN_API = readOwnApi();

/** Whether callers can run their own SQL. */
export const HAS_PLAYGROUND = OWN_API === undefined || OWN_API.firstSql !== undefined;

/** The name of the service, for titles and links. */
export const SERVICE_NAME = OWN_API?.name ?? 'repo-insight';

function readOwnApi(): OwnApi | undefined {
  const text = document.querySelector('meta[name="own-api"]')?.getAttribute('content');
  return text === null || text === undefined ? undefined : (JSON.parse(text) as OwnApi);
}
