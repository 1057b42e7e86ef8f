/**
 * Requests a resource that all suites share from the main process of the tests; see `test-run.ts`. Resolves to an empty text if this
 * machine cannot provide the resource.
 */
export async function sharedResource(path: string, parameters: Readonly<Record<string, number>> = {}): Promise<string> {
  const run = process.env.TEST_RUN_URL;
  if (run === undefined)
    throw new Error('Run this suite with the configuration of the repository: without --no-config.');
  const url = new URL(path, run);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) throw new Error(`The run could not create ${path}:\n${text}`);
  return text;
}
