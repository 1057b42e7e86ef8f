/** Asks the process that runs the tests for something that all suites share; see `test-run.ts`. Empty where this machine cannot have it. */
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
